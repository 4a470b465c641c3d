/* Infinite scroll: near the end of a list the next pages are fetched, three at a time, and appended in order. */
(function () {
  'use strict';

  const main = document.querySelector('main');
  const list = document.querySelector('ul.cards');
  if (!list?.children.length || !document.documentElement.classList.contains('reads-on')) return;

  amber.readsOn = true;
  const heading = main.querySelector('.heading h1');
  const foot = document.createElement('div');
  const status = document.createElement('p');
  const again = document.createElement('button');
  const observer = new IntersectionObserver((seen) => seen.pop().isIntersecting && more(), { rootMargin: '150% 0px' });
  const key = history.state?.amberReading ?? 'amber.reading.' + Date.now();
  const kept = recall();
  const here = describe(document, location.href.split('#')[0]);

  let pages = kept?.pages ?? [here]; // `start` is the index of the page's first card
  let next = pages[pages.length - 1].next;
  let place = kept?.place; // the position to restore; null when restored
  let current = pages.findIndex((page) => page.url === here.url); // the page whose URL is in the address bar
  let busy = false;
  let settled = false;

  leadBack(pages[0].previous);
  if (kept) restore();
  if (kept || next) start();

  function start() {
    foot.className = 'reading-on';
    foot.append(status, again);
    status.setAttribute('role', 'status');
    again.textContent = amber.text('tryAgain');
    again.onclick = tryAgain;
    list.after(foot);
    say('');
    arrive();
    if (place) more();
    else keep();
    // Nothing is loaded before the reader scrolls down for the first time.
    if (kept || document.documentElement.scrollHeight <= innerHeight) watch();
    else addEventListener('scroll', watch, { once: true, passive: true });
    addEventListener('scroll', keepUp, { passive: true });
    addEventListener('popstate', () => (current = -1));
    addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', () => document.hidden && keep());
  }

  /* Browsers may refuse storage and history. */
  function attempt(action) {
    try {
      return action();
    } catch {
      return null;
    }
  }

  /* A list page's title, languages, neighbours and last number. Its links must be absolute. */
  function describe(page, url) {
    const links = (selector) => [...page.querySelectorAll(selector)];
    return {
      url,
      title: page.title,
      editions: links('a[hreflang]').map((link) => [link.hreflang, link.href]),
      previous: links('.pager [rel="prev"]')[0]?.href,
      next: links('.pager [rel="next"]')[0]?.href,
      last: Math.max(...links('.pager ol a').map((link) => numberOf(link.href))),
      start: 0,
    };
  }

  function numberOf(url) {
    return Number(/(\d+)\.html$/.exec(url)?.[1] ?? 0);
  }

  /* Filters hide the list. Then nothing is loaded, and the filters own the address. */
  function pauses() {
    return !foot.getClientRects().length;
  }

  // Fetching

  /* Observing again makes the observer report, even if nothing moved. */
  function watch() {
    observer.disconnect();
    if (next) observer.observe(foot);
    main.classList.toggle('all-read', !next);
  }

  /* The URLs of the next page and of up to two pages after it. */
  function wave() {
    const number = numberOf(next);
    const steps = [0, 1, 2].filter((step) => !step || number + step <= here.last);
    return steps.map((step) => next.replace(/\d+(?=\.html$)/, number + step));
  }

  async function more() {
    if (busy || !next || (pauses() && !place)) return;
    busy = true;
    say('loading');
    try {
      do {
        const urls = wave();
        const answers = urls.map(read);
        for (const answer of answers) answer.catch(() => {}); // the first failure is handled below
        for (let i = 0; next && next === urls[i]; i += 1) append(await answers[i]);
        arrive();
      } while (place && next);
      say('');
      watch();
    } catch {
      observer.disconnect();
      say('loadFailed');
    }
    busy = false;
  }

  async function read(url) {
    const response = await fetch(url, { signal: AbortSignal.timeout?.(30000) });
    const page = parse(await response.text());
    if (!response.ok || !page.querySelector('ul.cards > li')) throw new Error(url);
    makeAbsolute(page, url);
    return { ...describe(page, url), cards: page.querySelectorAll('ul.cards > li') };
  }

  function append({ cards, ...page }) {
    pages.push({ ...page, start: list.children.length });
    foot.remove(); // removed and inserted again, so that it does not count as moved
    list.append(...cards);
    list.after(foot);
    next = page.next;
  }

  function parse(html) {
    return new DOMParser().parseFromString(html, 'text/html');
  }

  function makeAbsolute(part, base) {
    for (const [tag, name] of [['a', 'href'], ['link:not([rel="stylesheet"])', 'href'], ['img', 'src'], ['form', 'action']]) {
      for (const element of part.querySelectorAll(`${tag}[${name}]:not([${name}^="#"])`)) {
        element.setAttribute(name, new URL(element.getAttribute(name), base));
      }
    }
  }

  // What the reader sees

  function say(name) {
    status.textContent = name && amber.text(name);
    foot.classList.toggle('is-loading', name === 'loading');
    again.hidden = name !== 'loadFailed';
  }

  /* The button disappears, so the focus moves to the last card before the new ones. */
  function tryAgain() {
    list.lastElementChild?.querySelector('a').focus({ preventScroll: true });
    more();
  }

  /* Keeps only the pager's link to the previous page, above the list. */
  function leadBack(url) {
    const pager = main.querySelector('.pager');
    const link = pager?.querySelector('[rel="prev"]');
    if (!link) return;
    pager.hidden = !url;
    if (!url) return;
    link.href = url;
    list.before(pager);
  }

  /* The index of the first visible card. */
  function topmost() {
    let low = 0;
    let high = list.children.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list.children[middle].getBoundingClientRect().bottom > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /* Sets address, title and language links to those of the page of the first visible card. Runs once a frame. */
  function keepUp() {
    if (place || pauses()) return;
    const card = topmost();
    let index = pages.length - 1;
    while (pages[index].start > card) index -= 1;
    if (index === current) return;
    current = index;
    if (!settled) makeAbsolute(document, document.baseURI); // relative links and lazy pictures would follow the new address
    settled = true;
    document.title = pages[index].title;
    for (const [language, url] of pages[index].editions) document.querySelector(`a[hreflang="${language}"]`).href = url;
    mark(pages[index].url + location.hash);
  }

  function mark(url) {
    attempt(() => history.replaceState({ ...history.state, amberReading: key }, '', url));
  }

  // Leaving and coming back

  /* For Back and reload, since the browser restores positions only in one page. A list that is too large is fetched again. */
  function keep() {
    if (place) return;
    const card = topmost();
    const at = pauses() ? null : { card, top: list.children[card].getBoundingClientRect().top };
    const record = { build: amber.build, pages, place: at, heading: heading?.innerHTML };
    const isKept = write({ ...record, list: list.innerHTML }) || write(record);
    if (history.state?.amberReading !== key) mark(location.href);
    history.scrollRestoration = isKept && at ? 'manual' : 'auto';
  }

  /* Each visit stores a record. The oldest are removed if there is no room. */
  function write(record) {
    const text = JSON.stringify(record);
    while (!attempt(() => [sessionStorage.setItem(key, text)])) if (!attempt(dropOldest)) return false;
    return true;
  }

  function dropOldest() {
    const oldest = Object.keys(sessionStorage).filter((name) => name.startsWith('amber.reading.') && name !== key).sort()[0];
    if (oldest) sessionStorage.removeItem(oldest);
    return oldest;
  }

  /* A record is used only if it is of this build and has cards or a position. */
  function recall() {
    const record = attempt(() => JSON.parse(sessionStorage.getItem(history.state.amberReading)));
    return record && record.build === amber.build && (record.list || record.place) ? record : null;
  }

  /* Parses only markup that `keep` took from this site. */
  function restore() {
    heading?.replaceChildren(...parse(kept.heading).body.childNodes);
    if (kept.list) {
      list.replaceChildren(...parse(kept.list).body.childNodes);
    } else if (place) {
      next = pages[0].url;
      pages = [];
      list.replaceChildren();
    }
  }

  /* Scrolls to the stored position, as soon as its card is loaded. */
  function arrive() {
    const card = place && (list.children[place.card] ?? (next ? null : list.lastElementChild));
    if (!card) return;
    window.scrollBy({ top: card.getBoundingClientRect().top - place.top, behavior: 'instant' });
    place = null;
  }
})();
