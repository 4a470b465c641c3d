/* What the scripts share: addresses, texts, scripts on demand; the search key; the copy for times without network. */
(function () {
  'use strict';

  const { texts = {}, values = {}, plurals = 'en' } = amber.texts || {};
  const rules = new Intl.PluralRules(plurals);
  const loads = {};

  /* Made at once: reading on changes the page's address. */
  amber.root = address('root');
  amber.home = address('home');

  function address(name) {
    return new URL(document.documentElement.dataset[name] || './', document.baseURI).href;
  }

  /* Served values can have any name, "constructor" too. */
  function own(object, name) {
    return object && Object.prototype.hasOwnProperty.call(object, name) ? object[name] : undefined;
  }

  /* The text with its `{name}` placeholders filled; of a plural the form for `values.count`. */
  amber.text = function (key, values) {
    const entry = own(texts, key) ?? key;
    const text = entry.other ? own(entry, rules.select(own(values, 'count'))) ?? entry.other : entry;
    return text.replace(/\{(\w+)\}/g, (placeholder, name) => own(values, name) ?? placeholder);
  };

  /* A served value in the page's language, in the form that `by` asks for. An unlisted one stays as served. */
  amber.value = function (group, value, by) {
    const word = own(own(values, group), value) ?? value;
    return word.label ? own(word, by) ?? word.label : word;
  };

  /* Loads a script once, however often it is asked for; after a failure once more. */
  amber.load = function (path, then, failed) {
    loads[path] = loads[path] ?? new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = amber.root + path;
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
    loads[path].then(then, () => {
      delete loads[path];
      failed?.();
    });
  };

  /* "/" leads to the search, unless something is being typed. */
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, textarea, select, [contenteditable]')) return;
    const field = document.querySelector('input[type="search"]');
    if (field) field.focus();
    else searchLink()?.click();
    event.preventDefault();
  });

  function searchLink() {
    return document.querySelector('a[rel="search"]');
  }

  /* The search is kept before it is wanted; so is the first page, which came before the worker, with its files. */
  async function keepCopies() {
    const first = !navigator.serviceWorker.controller;
    await navigator.serviceWorker.register(amber.root + 'sw.js');
    const { active } = await navigator.serviceWorker.ready;
    const keep = [amber.root + 'search-index.js', searchLink()?.href ?? amber.home + 'search.html'];
    if (first) keep.push(location.href, ...performance.getEntriesByType('resource').map((file) => file.name));
    active.postMessage({ keep });
  }

  if (window.isSecureContext && location.protocol.startsWith('http') && navigator.serviceWorker) {
    addEventListener('load', () => keepCopies().catch(() => {})); // refused: the site works without
  }
})();
