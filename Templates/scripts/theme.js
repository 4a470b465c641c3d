/* What must be known before the page is painted: the theme, and whether lists read on. */
(function () {
  'use strict';

  const root = document.documentElement;

  /* A browser may refuse storage: the answer is null, and nothing fails. */
  function attempt(action, name, value) {
    try {
      return localStorage[action]('amber.' + name, value);
    } catch {
      return null;
    }
  }

  /* `set` and `remove` answer whether they could. */
  const store = {
    get: (name) => attempt('getItem', name),
    set: (name, value) => attempt('setItem', name, value) !== null,
    remove: (name) => attempt('removeItem', name) !== null,
  };

  /* Without the attribute the system's theme counts. */
  function useTheme(theme) {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  function useKeptTheme() {
    useTheme(store.get('theme'));
  }

  window.amber = { store, useTheme };
  root.classList.add('js');
  root.classList.toggle('reads-on', location.protocol.startsWith('http') && store.get('reading') !== 'pages');
  useKeptTheme();
  addEventListener('storage', useKeptTheme); // another tab chose
  addEventListener('pageshow', useKeptTheme); // back from the browser's page cache
})();
