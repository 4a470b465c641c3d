/* Functions that the scripts share, the language links, and the service worker for offline use. */
(function () {
  'use strict';

  const { texts = {}, values = {}, plurals = 'en' } = amber.texts || {};
  const rules = new Intl.PluralRules(plurals);
  const searchLink = document.querySelector('a[rel="search"]');

  /* Resolved at once, because infinite scroll changes the page's address. */
  amber.root = address('root');
  amber.home = address('home');

  /* The storage key of the search history. Sites of one origin have different keys. */
  amber.historyName = 'history ' + new URL(amber.root).pathname;

  function address(name) {
    return new URL(document.documentElement.dataset[name] || './', document.baseURI).href;
  }

  /* Fills a text's `{name}` placeholders. A plural takes the form for `values.count`. */
  amber.text = function (key, values) {
    const entry = own(texts, key) ?? key;
    const text = typeof entry === 'string' ? entry : entry[rules.select(values.count)] ?? entry.other;
    return text.replace(/\{(\w+)\}/g, (placeholder, name) => values?.[name] ?? placeholder);
  };

  /* Translates a served value, in the form for `by`. A value that is not listed is returned unchanged. */
  amber.value = function (group, value, by) {
    const word = own(values[group], value) ?? value;
    return typeof word === 'string' ? word : own(word, by) ?? word.other;
  };

  /* Served values can have any name, such as "constructor". */
  function own(words, name) {
    return Object.keys(words ?? {}).includes(name) ? words[name] : undefined;
  }

  /* Shows the pager again if the script for infinite scroll was not loaded. */
  addEventListener('load', () => amber.readsOn || document.documentElement.classList.remove('reads-on'));

  /* Language links keep the filters or the query of the address. */
  for (const name of ['focusin', 'pointerdown', 'click', 'auxclick']) {
    document.addEventListener(name, ({ target }) => {
      const link = target.closest?.('a[hreflang]');
      if (link) link.hash = location.hash;
    });
  }

  /* Stores the search, and the first page with its files, which was loaded before the worker existed. */
  async function keepCopies({ serviceWorker }) {
    const first = !serviceWorker.controller;
    await serviceWorker.register(amber.root + 'sw.js');
    const { active } = await serviceWorker.ready;
    const keep = [amber.root + 'search-index.js', searchLink?.href ?? amber.home + 'search.html'];
    if (first) keep.push(location.href, ...performance.getEntriesByType('resource').map((file) => file.name));
    active.postMessage({ keep, home: amber.home, build: amber.build, offline: amber.text('offline') });
  }

  if (isSecureContext && location.protocol.startsWith('http') && navigator.serviceWorker) {
    addEventListener('load', () => keepCopies(navigator).catch(() => {})); // the site works without a service worker
  }
})();
