/* Pages seen once, and the search, without network. While there is one, it is asked first. */
'use strict';

const PICTURE = /\.(png|jpe?g|webp|gif|svg)$/;
const PICTURES = 1500;
const SCRIPT = /<script[^>]* src="([^"]+)"/g;
const scope = self.registration.scope;
// Several sites may share an origin.
const CACHE = 'amber-1 ' + scope;

let puts = 0;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOldCaches().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const request = event.request;
  if (request.method === 'GET' && request.url.startsWith(scope) && !request.headers.has('range')) event.respondWith(answer(event));
});

self.addEventListener('message', (event) => {
  event.waitUntil(Promise.all(event.data.keep.filter((url) => url.startsWith(scope)).map(keep)));
});

async function dropOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('amber-') && name.endsWith(' ' + scope) && name !== CACHE).map((name) => caches.delete(name)));
}

/* Files do not depend on a query, and servers call one page "/", "/index.html" or "/index". */
function nameOf(url) {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\.html$/, '').replace(/\/index$/, '/');
}

async function answer(event) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(event.request);
    if (response.status === 200) event.waitUntil(put(cache, event.request.url, response.clone()));
    return response;
  } catch (offline) {
    const kept = await cache.match(nameOf(event.request.url));
    return kept ?? (event.request.mode === 'navigate' ? unseen() : Response.error());
  }
}

function unseen() {
  return new Response('There is no network, and this page was not seen before. Pages seen once, and the search, can be read.\n', {
    status: 503,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}

/* Fetches what is not kept yet; of a page also its scripts. */
async function keep(url) {
  try {
    const cache = await caches.open(CACHE);
    if (await cache.match(nameOf(url))) return;
    const response = await fetch(url);
    if (response.status !== 200) return;
    const page = url.endsWith('.html') ? await response.clone().text() : '';
    await put(cache, url, response);
    await Promise.all([...page.matchAll(SCRIPT)].map((script) => keep(new URL(script[1], url).href)));
  } catch (failed) {
    // Another page will ask again.
  }
}

/* A redirected answer cannot be shown as a page: its body can. */
async function put(cache, url, response) {
  const { body, headers } = response;
  try {
    await cache.put(nameOf(url), response.redirected ? new Response(body, { headers }) : response);
    puts += 1;
    if (puts % 100 === 0) await trim(cache);
  } catch (full) {
    // No room, or an answer that must not be kept.
  }
}

/* The oldest pictures go first. */
async function trim(cache) {
  const pictures = (await cache.keys()).filter((request) => PICTURE.test(request.url));
  const old = pictures.slice(0, Math.max(0, pictures.length - PICTURES));
  await Promise.all(old.map((request) => cache.delete(request)));
}
