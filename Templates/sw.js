/* Pages seen once, and the search, without network. While there is one, it is asked first. */
'use strict';

const PICTURE = /\.(png|jpe?g|webp|gif|svg)$/;
const NEEDED = /\/(scripts\/[^/]+|style\.css|search-index\.js|\?kept)$/;
const MOST = 1500; // pictures, and as many pages
const SCRIPT = /<script[^>]* src="([^"]+)"/g;
const scope = self.registration.scope;
// Several sites may share an origin.
const CACHE = 'amber-1 ' + scope;
// Tells of each edition, by its home, which build its copies are of, and its words for a page that was not seen.
const RECORD = scope + '?kept';

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOldCaches().catch(() => {}).then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const request = event.request;
  if (request.method === 'GET' && isKept(request.url) && !request.headers.has('range')) event.respondWith(answer(event));
});

self.addEventListener('message', (event) => {
  event.waitUntil(keepAll(event.data).catch(() => {})); // another page will ask again
});

async function dropOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('amber-') && name.endsWith(' ' + scope) && name !== CACHE).map((name) => caches.delete(name)));
}

/* The API's answers are for programs, which ask the server itself. */
function isKept(url) {
  return url.startsWith(scope) && !url.startsWith(scope + 'api/');
}

/* Files do not depend on a query, and servers call one page "/", "/index.html" or "/index". */
function nameOf(url) {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\.html$/, '').replace(/\/index$/, '/');
}

async function answer(event) {
  const { request } = event;
  try {
    const response = await fetch(request);
    event.waitUntil(note(request.url, response.clone()));
    return response;
  } catch (offline) {
    const cache = await openCache();
    const kept = await cache?.match(nameOf(request.url));
    return kept ?? (request.mode === 'navigate' ? unseen(request.url, await recall(cache)) : Response.error());
  }
}

/* Nothing where a browser refuses it. */
async function openCache() {
  try {
    return await caches.open(CACHE);
  } catch (refused) {
    return undefined;
  }
}

/* What is gone online is gone here too. The site's own files need no query: an answer to one may be another application's. */
async function note(url, response) {
  const cache = await openCache();
  if (new URL(url).search) return;
  if (response.status === 200) await put(cache, url, response);
  else if (isGone(response)) await cache?.delete(nameOf(url));
}

function isGone({ status }) {
  return status === 404 || status === 410;
}

/* In the words of the innermost edition that the page lies in. */
function unseen(url, record) {
  const home = Object.keys(record).filter((home) => url.startsWith(home)).sort().pop();
  const text = record[home]?.offline ?? 'There is no network, and this page was not seen before. Pages seen once, and the search, can be read.';
  return new Response(text + '\n', { status: 503, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}

async function recall(cache) {
  const record = await cache?.match(RECORD);
  return record ? record.json() : {};
}

/* Where the copies are of another build, they are fetched anew. */
async function keepAll({ keep, home, build, offline }) {
  const cache = await openCache();
  const record = await recall(cache);
  const known = record[home]?.build;
  const kept = await Promise.all(keep.filter((url) => url.startsWith(scope)).map((url) => keepOne(cache, url, known !== build)));
  record[home] = { build: kept.every(Boolean) ? build : known, offline };
  await cache.put(RECORD, new Response(JSON.stringify(record)));
}

/* Fetches what is not kept yet, or all of it anew; of a page also its scripts. Answers whether it is as wanted now. */
async function keepOne(cache, url, isAnew) {
  if (!isKept(url) || new URL(url).search) return true;
  const old = await cache.match(nameOf(url));
  if (old && !isAnew) return true;
  try {
    const response = await fetch(url, { cache: old ? 'no-cache' : 'default' });
    if (isGone(response)) await cache.delete(nameOf(url));
    if (response.status !== 200) return isGone(response);
    const page = url.endsWith('.html') ? await response.clone().text() : '';
    await put(cache, url, response);
    const scripts = [...page.matchAll(SCRIPT)].map((script) => keepOne(cache, new URL(script[1], url).href, isAnew));
    return (await Promise.all(scripts)).every(Boolean);
  } catch (failed) {
    return false;
  }
}

/* Whether the server allows copies that other people who use this browser can read later. */
function mayKeep({ headers }) {
  return !/\b(no-store|private)\b/i.test(headers.get('Cache-Control') ?? '');
}

/* A redirected answer cannot be shown as a page: its body can. */
async function put(cache, url, response) {
  const { body, headers } = response;
  try {
    if (!mayKeep(response)) {
      await cache.delete(nameOf(url));
      return;
    }
    await cache.put(nameOf(url), response.redirected ? new Response(body, { headers }) : response);
    if (Math.random() < 0.02) await trim(cache);
  } catch (full) {
    // No room, no cache, or an answer that must not be kept.
  }
}

/* The oldest go first. Counted in the cache now and then: a worker is ended and started again at any time. */
async function trim(cache) {
  const entries = (await cache.keys()).filter(({ url }) => !NEEDED.test(url));
  const pictures = entries.filter(({ url }) => PICTURE.test(url));
  const pages = entries.filter(({ url }) => !PICTURE.test(url));
  const old = [pictures, pages].flatMap((list) => list.slice(0, Math.max(0, list.length - MOST)));
  await Promise.all(old.map((request) => cache.delete(request)));
}
