/* Reading on: near the end of a list the following pages are fetched, three at a time, and appended in order. */
(function () {
  'use strict';

  const main = document.querySelector('main');
  const list = document.querySelector('ul.cards');
  if (!list?.children.length || !document.documentElement.classList.contains('reads-on')) return;

  const heading = main.querySelector('.heading');
  const pager = main.querySelector('.pager');
  const foot = document.createElement('div');
  const status = document.createElement('span');
  const again = document.createElement('button');
  const observer = new IntersectionObserver((seen) => seen.pop().isIntersecting && more(), { rootMargin: '150% 0px' });
  const key = history.state?.amberReading ?? 'amber.reading.' + Date.now();
  const kept = recall();
  const here = describe(document, location.href.split('#')[0]);

  let { pages, previous, next, last } = kept ?? here;
  let place = kept?.place; // where to return to, until its card is in
  let current = pages.findIndex((page) => page.url === here.pages[0].url); // the page that is the address
  let busy = false;
  let settled = false;

  if (kept) restore();
  leadBack();
  if (kept || next) start();

  function start() {
    foot.className = 'reading-on';
    foot.append(status, again);
    status.setAttribute('role', 'status');
    again.type = 'button';
    again.textContent = amber.text('tryAgain');
    again.addEventListener('click', tryAgain);
    say('');
    list.after(foot);
    watch();
    arrive();
    if (place) more();
    else keep();
    addEventListener('scroll', keepUp, { passive: true });
    addEventListener('popstate', () => (current = -1));
    addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', () => document.hidden && keep());
  }

  /* What a list page says of itself and its neighbours, all addresses absolute. */
  function describe(page, base) {
    const absolute = (link) => link && new URL(link.getAttribute('href'), base).href;
    const links = (selector) => [...page.querySelectorAll(selector)];
    return {
      pages: [{ url: base, title: page.title, start: 0, editions: links('a[hreflang]').map((link) => [link.hreflang, absolute(link)]) }],
      previous: absolute(page.querySelector('.pager [rel="prev"]')),
      next: absolute(page.querySelector('.pager [rel="next"]')),
      last: Math.max(0, ...links('.pager ol a').map((link) => numberOf(absolute(link)))),
    };
  }

  function numberOf(url) {
    return Number(/(\d+)\.html$/.exec(url)?.[1] ?? 0);
  }

  /* Filters hide the list: meanwhile nothing is read on, and the address is theirs. */
  function pauses() {
    return main.classList.contains('is-filtered') || !list.getClientRects().length;
  }

  // Fetching

  /* Observing anew makes the observer answer even where nothing has moved. */
  function watch() {
    observer.disconnect();
    if (next) observer.observe(foot);
    main.classList.toggle('all-read', !next);
  }

  /* The next page, and up to two whose addresses follow from its number. */
  function wave() {
    const urls = [next];
    const number = numberOf(next);
    for (let i = 1; i < 3 && number && number + i <= last; i += 1) urls.push(next.replace(/\d+\.html$/, number + i + '.html'));
    return urls;
  }

  async function more() {
    if (busy || !next || (pauses() && !place)) return;
    busy = true;
    say('loading');
    try {
      do {
        const urls = wave();
        const answers = urls.map(read);
        for (const answer of answers) answer.catch(() => {}); // the first failure is met below
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
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const cards = [...page.querySelectorAll('ul.cards > li')];
    if (!response.ok || !cards.length) throw new Error(url);
    for (const card of cards) makeAbsolute(card, response.url || url);
    return { ...describe(page, response.url || url), cards, url };
  }

  function append(page) {
    pages.push({ ...page.pages[0], url: page.url, start: list.children.length });
    foot.remove(); // put back as new, it does not count as moved
    list.append(...page.cards);
    list.after(foot);
    ({ next, last } = page);
  }

  function makeAbsolute(part, base) {
    for (const name of ['href', 'src', 'action']) {
      for (const element of part.querySelectorAll(`a[${name}], img[${name}], form[${name}]`)) {
        const value = element.getAttribute(name);
        const absolute = new URL(value, base).href;
        if (absolute !== value && value[0] !== '#') element.setAttribute(name, absolute);
      }
    }
  }

  // What the reader sees

  function say(name) {
    status.textContent = name && amber.text(name);
    foot.classList.toggle('is-loading', name === 'loading');
    again.hidden = name !== 'loadFailed';
  }

  /* The button goes, so the focus moves before the cards to come. */
  function tryAgain() {
    list.lastElementChild?.querySelector('a').focus({ preventScroll: true });
    more();
  }

  /* Of the pager the link to the page before the list remains, above it. */
  function leadBack() {
    const link = pager?.querySelector('[rel="prev"]');
    if (!link) return;
    pager.hidden = !previous;
    if (!previous) return;
    link.href = previous;
    list.before(pager);
  }

  /* The index of the first card in view. */
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

  /* The page of the first card in view becomes the address, the title, and what the language switch leads to. */
  function keepUp() {
    if (place || pauses()) return;
    const card = topmost();
    let index = pages.length - 1;
    while (pages[index].start > card) index -= 1;
    if (index === current) return;
    current = index;
    settle();
    document.title = pages[index].title;
    for (const [language, url] of pages[index].editions) document.querySelector(`a[hreflang="${language}"]`).href = url;
    mark(pages[index].url);
  }

  /* Relative links and lazy pictures would follow the address: they are made absolute before it changes. */
  function settle() {
    if (!settled) makeAbsolute(document, document.baseURI);
    settled = true;
  }

  function mark(url) {
    try {
      history.replaceState({ ...history.state, amberReading: key }, '', url);
    } catch {
      // Too often for this browser: the next page tries again.
    }
  }

  // Leaving and coming back

  /* For Back and reload, since the browser would look for the place in a list of one page. Too large a list is kept without its cards. */
  function keep() {
    if (place) return;
    const card = topmost();
    const at = pauses() ? null : { card, top: list.children[card].getBoundingClientRect().top };
    const record = { pages, previous, next, last, place: at, heading: heading?.innerHTML };
    const isKept = write({ ...record, list: list.innerHTML }) || write(record);
    if (history.state?.amberReading !== key) mark(location.href);
    history.scrollRestoration = isKept && at ? 'manual' : 'auto';
  }

  function write(record) {
    try {
      sessionStorage.setItem(key, JSON.stringify(record));
      return true;
    } catch {
      return false;
    }
  }

  function recall() {
    try {
      return history.state?.amberReading ? JSON.parse(sessionStorage.getItem(key)) : null;
    } catch {
      return null;
    }
  }

  /* Where the cards were not kept, the pages are read again up to the place. */
  function restore() {
    heading?.replaceChildren(...parse(kept.heading));
    if (kept.list || !place) {
      list.replaceChildren(...parse(kept.list));
    } else {
      next = pages[0].url;
      pages = [];
      list.replaceChildren();
    }
  }

  /* Our own markup, as `keep` took it from this page, in a document that runs nothing. */
  function parse(html) {
    return new DOMParser().parseFromString(html, 'text/html').body.childNodes;
  }

  /* To the place, as soon as its card is in. */
  function arrive() {
    const card = place && (list.children[place.card] ?? (next ? null : list.lastElementChild));
    if (!card) return;
    window.scrollBy({ top: card.getBoundingClientRect().top - place.top, behavior: 'instant' });
    place = null;
  }
})();
