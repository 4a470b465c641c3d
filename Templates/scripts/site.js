/* Functions that the scripts share, the language links, and the service worker for offline use. */
(function () {
  'use strict';

  const { texts = {}, counts = {}, values = {}, plurals = 'en' } = amber.texts || {};
  const rules = new Intl.PluralRules(plurals);
  const numbers = new Intl.NumberFormat(document.documentElement.lang);
  const searchLink = document.querySelector('a[rel="search"]');

  /* Resolved at once, because infinite scroll changes the page's address. */
  amber.root = address('root');
  amber.home = address('home');

  /* The storage key of the search history. Sites of one origin have different keys. */
  amber.historyName = 'history ' + new URL(amber.root).pathname;
  /* The storage key of the last sorted table: the number of its order, then the addresses of its records. */
  amber.orderName = 'order ' + new URL(amber.root).pathname;

  function address(name) {
    return new URL(document.documentElement.dataset[name] || './', document.baseURI).href;
  }

  /* Fills a text's `{name}` placeholders. A plural takes the form for `values.count`. */
  amber.text = function (key, values) {
    const entry = own(texts, key) ?? key;
    const text = typeof entry === 'string' ? entry : entry[rules.select(values.count)] ?? entry.other;
    return text.replace(/\{(\w+)\}/g, (placeholder, name) => {
      const value = values?.[name] ?? placeholder;
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  };

  /* The number of results of a kind, such as "12 songs". `sign` follows the number. */
  amber.counted = function (name, count, sign = '') {
    const forms = own(counts, name) ?? {};
    return (forms[rules.select(count)] ?? forms.other ?? '{count}').replace('{count}', () => numbers.format(count) + sign);
  };

  /* The served values that have a translation with a word that begins with this folded text. */
  amber.translated = function (start) {
    const begins = word => typeof word === 'string' ? (' ' + amber.fold(word)).includes(' ' + start) : Object.values(word).some(begins);
    return Object.values(values).flatMap(group => Object.keys(group).filter(value => begins(group[value])));
  };

  /* Translates a served value, in the form for `by`. A value that is not listed, and no Boolean, is returned unchanged. */
  amber.value = function (group, value, by) {
    const word = own(values[group], value) ?? own(texts, { true: 'yes', false: 'no' }[value]) ?? value;
    return typeof word === 'string' ? word : own(word, by) ?? word.other;
  };

  /* Served values can have any name, such as "constructor". */
  function own(words, name) {
    return Object.hasOwn(words ?? {}, name) ? words[name] : undefined;
  }

  /* Shows the pager again if the script for infinite scroll was not loaded. */
  addEventListener('load', () => amber.readsOn || document.documentElement.classList.remove('reads-on'));

  /* Scrolls the row of sections to the current one. */
  const section = document.querySelector('.sections [aria-current]');
  if (section) {
    const row = section.closest('ul');
    // Its right end fades.
    row.scrollLeft = Math.max(0, section.getBoundingClientRect().right + 48 - row.getBoundingClientRect().right);
  }

  /* A record opened from a filtered or sorted list has the choice in its address, and leads back to the same list. */
  const back = document.querySelector('.back a');
  const neighbours = document.querySelector('.neighbours');
  if (back && location.hash.includes('=')) {
    back.hash = location.hash;
    back.textContent = '← ' + amber.text('backToList');
    if (neighbours) for (const name of ['records', 'rows', 'neighbours']) load(name);
  }

  function load(name) {
    const script = document.createElement('script');
    script.async = false; // in the order of the calls
    script.src = amber.root + 'scripts/' + name + '.js';
    document.head.append(script);
  }

  /* Language links keep the filters or the query of the address. The home page opens in the chosen language from then on. */
  for (const name of ['focusin', 'pointerdown', 'click', 'auxclick']) {
    document.addEventListener(name, ({ target, type }) => {
      const link = target.closest?.('a[hreflang]');
      if (!link) return;
      link.hash = location.hash;
      if (type.endsWith('click')) amber.store.set('language', link.hreflang);
    });
  }

  /* A picture that cannot be loaded is replaced, also one that failed before this script ran. */
  const placeholder = amber.root + 'placeholder.svg';

  function replace(image) {
    if (image.src !== placeholder) image.src = placeholder;
  }

  addEventListener('error', ({ target }) => target.localName === 'img' && replace(target), true);
  for (const image of document.images) if (image.complete && !image.naturalWidth) replace(image);

  /* Stores the home page and the search, and the first page with its files, which was loaded before the worker existed. */
  async function keepCopies({ serviceWorker }) {
    const first = !serviceWorker.controller;
    await serviceWorker.register(amber.root + 'sw.js');
    const { active } = await serviceWorker.ready;
    const keep = [amber.root + 'search-index.js', searchLink?.href ?? amber.home + 'search.html', amber.home + 'index.html', amber.root + 'style.css', placeholder];
    if (first) keep.push(location.href, ...performance.getEntriesByType('resource').map((file) => file.name));
    const offline = {
      language: document.documentElement.lang, site: document.querySelector('.brand')?.textContent ?? '',
      title: amber.text('offlineTitle'), text: amber.text('offline'), toHome: amber.text('toHome'),
    };
    active.postMessage({ keep, home: amber.home, build: amber.build, offline });
  }

  if (isSecureContext && location.protocol.startsWith('http') && navigator.serviceWorker) {
    addEventListener('load', () => keepCopies(navigator).catch(() => {})); // the site works without a service worker
  }
})();
