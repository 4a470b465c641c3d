/* Shows visited pages and the search without a network. The network always comes first. */
'use strict';

const PICTURE = /\.(png|jpe?g|webp|gif|svg)$/;
const NEEDED = /\/(scripts\/[^/]+|style\.css|search-index\.js|placeholder\.svg|\?kept)?$/; // also the home pages
const MOST = 1500; // the limit of pictures, and also that of pages
const SCRIPT = /<script[^>]* src="([^"]+)"/g;
const scope = self.registration.scope;
// Several sites may share an origin.
const CACHE = 'amber-1 ' + scope;
// For each language's home: the build of its copies, and its texts for a page that is not stored.
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
  event.waitUntil(keepAll(event.data).catch(() => {})); // the next page sends the message again
});

async function dropOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('amber-') && name.endsWith(' ' + scope) && name !== CACHE).map((name) => caches.delete(name)));
}

/* Programs read the API's answers from the server, so they are not stored. */
function isKept(url) {
  return url.startsWith(scope) && !url.startsWith(scope + 'api/');
}

/* The cache key. "/", "/index.html" and "/index" are one page, and queries are dropped. */
function nameOf(url) {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\.html$/, '').replace(/\/index$/, '/');
}

async function answer(event) {
  const { request } = event;
  try {
    const response = await fetch(request);
    event.waitUntil(storeAnswer(request.url, response.clone()));
    return response;
  } catch (offline) {
    const cache = await openCache();
    const kept = await cache?.match(nameOf(request.url));
    return kept ?? (request.mode === 'navigate' ? offlineAnswer(request.url, await readRecord(cache)) : Response.error());
  }
}

/* Returns undefined if the browser refuses storage. */
async function openCache() {
  try {
    return await caches.open(CACHE);
  } catch (refused) {
    return undefined;
  }
}

/* Stores an answer, or deletes the copy of a page that is gone. Answers to queries may belong to another application. */
async function storeAnswer(url, response) {
  const cache = await openCache();
  if (new URL(url).search) return;
  if (response.status === 200) await put(cache, url, response);
  else if (isGone(response)) await cache?.delete(nameOf(url));
}

function isGone({ status }) {
  return status === 404 || status === 410;
}

/* A page for pages that are not stored. The texts come from the longest matching home, which is that of the page's language. */
function offlineAnswer(url, record) {
  const home = Object.keys(record).filter((home) => url.startsWith(home)).sort().pop() ?? scope;
  const usual = { language: 'en', site: '', title: 'You are offline', text: 'This page is not saved.', toHome: 'Go to the home page' };
  const texts = Object.entries({ ...usual, ...record[home]?.offline, scope, home: home + 'index.html' });
  const { language, site, title, text, toHome, ...links } = Object.fromEntries(texts.map(([name, value]) => [name, escaped(value)]));
  const page = `<!DOCTYPE html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1">
<script src="${links.scope}scripts/theme.js"></script><link rel="stylesheet" href="${links.scope}style.css"></head>
<body><header class="top"><a class="brand" href="${links.home}">${site}</a></header>
<main><h1>${title}</h1><p>${text}</p><p><a href="${links.home}">${toHome}</a></p></main></body></html>
`;
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': "default-src 'self'; base-uri 'none'" };
  return new Response(page, { status: 503, headers });
}

function escaped(text) {
  return String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

async function readRecord(cache) {
  const record = await cache?.match(RECORD);
  return record ? record.json() : {};
}

/* Copies of another build are fetched again. */
async function keepAll({ keep, home, build, offline }) {
  const cache = await openCache();
  const record = await readRecord(cache);
  const known = record[home]?.build;
  const kept = await Promise.all(keep.filter((url) => url.startsWith(scope)).map((url) => keepOne(cache, url, known !== build)));
  record[home] = { build: kept.every(Boolean) ? build : known, offline };
  await cache.put(RECORD, new Response(JSON.stringify(record)));
}

/* Fetches a file that is not stored, or that is of another build, and the scripts of a page. Returns whether all succeeded. */
async function keepOne(cache, url, isNewBuild) {
  if (!isKept(url) || new URL(url).search) return true;
  const old = await cache.match(nameOf(url));
  if (old && !isNewBuild) return true;
  try {
    const response = await fetch(url, { cache: old ? 'no-cache' : 'default' });
    if (isGone(response)) await cache.delete(nameOf(url));
    if (response.status !== 200) return isGone(response);
    const page = url.endsWith('.html') ? await response.clone().text() : '';
    await put(cache, url, response);
    const scripts = [...page.matchAll(SCRIPT)].map((script) => keepOne(cache, new URL(script[1], url).href, isNewBuild));
    return (await Promise.all(scripts)).every(Boolean);
  } catch (failed) {
    return false;
  }
}

/* Other people who use this browser can read the copies, so private answers are not stored. */
function mayKeep({ headers }) {
  return !/\b(no-store|private)\b/i.test(headers.get('Cache-Control') ?? '');
}

/* A browser refuses to show a redirected response as a page, so its body is stored in a new one. A response of another
   origin is not stored: its scripts would run as the site's own. */
async function put(cache, url, response) {
  const { body, headers } = response;
  try {
    if (response.type !== 'basic' || !mayKeep(response)) {
      await cache.delete(nameOf(url));
      return;
    }
    await cache.put(nameOf(url), response.redirected ? new Response(body, { headers }) : response);
    if (Math.random() < 0.02) await trim(cache);
  } catch (full) {
    // The storage is full or missing, or the answer cannot be stored.
  }
}

/* Removes the oldest entries. They are counted in the cache, because a worker can be restarted at any time. */
async function trim(cache) {
  const entries = (await cache.keys()).filter(({ url }) => !NEEDED.test(url));
  const pictures = entries.filter(({ url }) => PICTURE.test(url));
  const pages = entries.filter(({ url }) => !PICTURE.test(url));
  const old = [pictures, pages].flatMap((list) => list.slice(0, Math.max(0, list.length - MOST)));
  await Promise.all(old.map((request) => cache.delete(request)));
}
