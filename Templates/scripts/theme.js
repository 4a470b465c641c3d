/* Runs before the page is painted: sets the theme and infinite scroll. */
(function () {
  'use strict';

  const root = document.documentElement;

  /* Returns null if the browser refuses storage. */
  function attempt(action, name, value) {
    try {
      return localStorage[action]('amber.' + name, value);
    } catch {
      return null;
    }
  }

  /* `set` and `remove` return whether they succeeded. */
  const store = {
    get: (name) => attempt('getItem', name),
    set: (name, value) => attempt('setItem', name, value) !== null,
    remove: (name) => attempt('removeItem', name) !== null,
  };

  /* Without the attribute the page follows the system's theme. */
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
  addEventListener('storage', useKeptTheme); // changed in another tab
  addEventListener('pageshow', useKeptTheme); // back from the browser's page cache
})();
