/* Runs before the page is painted: sets the theme and infinite scroll, and opens the home page in the reader's language. */
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

  /*
   * A visit that begins at the home page of the site's root goes on in the language that was chosen before, or in the
   * browser's. All other pages keep their language. Without storage this would repeat, so nothing happens.
   */
  function openLanguage() {
    const isHome = !root.dataset.root && /\/(index(\.html)?)?$/.test(location.pathname);
    try {
      if (sessionStorage.getItem('amber.visit')) return;
      sessionStorage.setItem('amber.visit', 'yes');
    } catch {
      return;
    }
    if (!isHome) return;
    const known = [...document.querySelectorAll('link[hreflang]')].map((link) => link.hreflang).filter((name) => name !== 'x-default');
    const wanted = [store.get('language'), ...navigator.languages].filter(Boolean);
    const part = (name) => name.toLowerCase().split('-')[0];
    const language = wanted.flatMap((name) => [known.find((own) => own === name), known.find((own) => part(own) === part(name))]).find(Boolean);
    if (language && language !== root.lang) location.replace(language + '/index.html' + location.search + location.hash);
  }

  /* The face of headings arrives before the page is painted, so that nothing moves. Browsers refuse this on a disk. */
  function preloadFace() {
    const face = document.querySelector('meta[name="face"]')?.content;
    if (!face || !location.protocol.startsWith('http')) return;
    const link = Object.assign(document.createElement('link'), { rel: 'preload', as: 'font', crossOrigin: 'anonymous', href: face });
    document.head.append(link);
  }

  window.amber = { store, useTheme };
  preloadFace();
  openLanguage();
  root.classList.add('js');
  root.classList.toggle('reads-on', location.protocol.startsWith('http') && store.get('reading') !== 'pages');
  useKeptTheme();
  addEventListener('storage', useKeptTheme); // changed in another tab
  addEventListener('pageshow', useKeptTheme); // back from the browser's page cache
})();
