/* What the scripts share; the language switch; the copy for times without network. */
(function () {
  'use strict';

  const { texts = {}, values = {}, plurals = 'en' } = amber.texts || {};
  const rules = new Intl.PluralRules(plurals);
  const searchLink = document.querySelector('a[rel="search"]');

  /* Made at once: reading on changes the page's address. */
  amber.root = address('root');
  amber.home = address('home');

  /* What the search history is stored as: each site of an origin has its own. */
  amber.historyName = 'history ' + new URL(amber.root).pathname;

  function address(name) {
    return new URL(document.documentElement.dataset[name] || './', document.baseURI).href;
  }

  /* The text with its `{name}` placeholders filled; of a plural, the form for `values.count`. */
  amber.text = function (key, values) {
    const entry = own(texts, key) ?? key;
    const text = typeof entry === 'string' ? entry : entry[rules.select(values.count)] ?? entry.other;
    return text.replace(/\{(\w+)\}/g, (placeholder, name) => values?.[name] ?? placeholder);
  };

  /* A served value in the page's language, in the form for `by`. An unlisted one stays as served. */
  amber.value = function (group, value, by) {
    const word = own(values[group], value) ?? value;
    return typeof word === 'string' ? word : own(word, by) ?? word.other;
  };

  /* What is served can have any name, "constructor" too. */
  function own(words, name) {
    return Object.keys(words ?? {}).includes(name) ? words[name] : undefined;
  }

  /* Where nothing reads on, because its script did not come, the pager comes back. */
  addEventListener('load', () => amber.readsOn || document.documentElement.classList.remove('reads-on'));

  /* A switch of languages takes along what the address keeps: filters, a query. */
  for (const name of ['focusin', 'pointerdown', 'click', 'auxclick']) {
    document.addEventListener(name, ({ target }) => {
      const link = target.closest?.('a[hreflang]');
      if (link) link.hash = location.hash;
    });
  }

  /* Kept are the search, before it is wanted, and the first page, which came before the worker, with its files. */
  async function keepCopies({ serviceWorker }) {
    const first = !serviceWorker.controller;
    await serviceWorker.register(amber.root + 'sw.js');
    const { active } = await serviceWorker.ready;
    const keep = [amber.root + 'search-index.js', searchLink?.href ?? amber.home + 'search.html'];
    if (first) keep.push(location.href, ...performance.getEntriesByType('resource').map((file) => file.name));
    active.postMessage({ keep, home: amber.home, build: amber.build, offline: amber.text('offline') });
  }

  if (isSecureContext && location.protocol.startsWith('http') && navigator.serviceWorker) {
    addEventListener('load', () => keepCopies(navigator).catch(() => {})); // refused: the site works without
  }
})();
