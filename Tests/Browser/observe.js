// Functions with which tests read a page. They are added to every page before its own scripts and are not part of the site.
'use strict';
(() => {
  if (window.observe) return;

  const shifts = [];
  const violations = [];
  const mark = (element) => {
    if (!element || element.nodeType !== 1) return '';
    const words = `${element.localName}${element.id && `#${element.id}`}${element.className && `.${String(element.className).trim().replace(/\s+/g, '.')}`}`;
    const text = (element.textContent || element.getAttribute('aria-label') || '').trim().replace(/\s+/g, ' ').slice(0, 40);
    return `${words} "${text}"`;
  };
  const take = (entries) => {
    for (const entry of entries) shifts.push({ value: entry.value, what: entry.sources.map((source) => mark(source.node)) });
  };
  let watcher = null;
  try {
    watcher = new PerformanceObserver((list) => take(list.getEntries()));
    watcher.observe({ type: 'layout-shift', buffered: true });
  } catch { /* layout shifts are not supported */ }
  document.addEventListener('securitypolicyviolation', (event) => {
    violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
  });

  const shown = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
  const endless = (animation) => animation.effect.getComputedTiming().endTime === Infinity;

  window.observe = {
    mark,
    shown,

    shifts() {
      take(watcher.takeRecords());
      return shifts;
    },

    violations: () => violations,

    // Waits for two frames, visible pictures and finite animations. Fails if one of them takes 10 seconds.
    async settled(pause = 100) {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const within = (promise, what) => Promise.race([
        promise.catch(() => {}),
        new Promise((_, fail) => setTimeout(() => fail(new Error(`not settled: ${what}`)), 10_000))]);
      await frame();
      await frame();
      // Lazy pictures outside the window, also at its sides, are not loaded, and decode() would wait for them without end.
      const view = [...document.images].filter((image) => {
        const box = image.getBoundingClientRect();
        return box.top < innerHeight && box.bottom > 0 && box.left < innerWidth && box.right > 0 && shown(image);
      });
      await Promise.all(view.map((image) => within(image.decode(), image.src)));
      const finite = document.getAnimations().filter((animation) => !endless(animation));
      await Promise.all(finite.map((animation) => within(animation.finished, animation.animationName ?? 'an animation')));
      await new Promise((done) => setTimeout(done, pause));
      await frame();
    },

    // How much wider the page is than the window, and which elements extend beyond it.
    overflow() {
      const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      if (wide <= 0) return [];
      return [`${wide} px`, ...[...document.body.querySelectorAll('*')]
        .filter((element) => shown(element) && element.getBoundingClientRect().right > innerWidth + 0.5).slice(0, 5).map(mark)];
    },

    // All elements that Tab has to reach, in document order. Of radio buttons with the same name it is only one.
    stops() {
      const names = new Set();
      return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex], area[href]')].filter((element) => {
        if (element.disabled || element.tabIndex < 0 || !shown(element) || element.closest('[inert]')) return false;
        if (element.type !== 'radio') return true;
        const group = [...document.getElementsByName(element.name)];
        if (group.some((other) => other.checked) ? !element.checked : names.has(element.name)) return false;
        names.add(element.name);
        return true;
      });
    },

    // Records each element that gets the focus, and whether the focus is visible.
    followFocus() {
      const stops = observe.stops();
      const seen = [];
      document.addEventListener('focusin', (event) => {
        const element = event.target;
        const style = getComputedStyle(element);
        const box = element.getBoundingClientRect();
        seen.push({
          place: stops.indexOf(element), what: mark(element),
          outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
          inView: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth && box.width > 0,
          scrolls: element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth,
        });
      });
      observe.focused = seen;
      return stops.map(mark);
    },

    // The served facts on a page, without the controls that scripts add.
    facts() {
      const plain = (element) => element.textContent.trim().replace(/\s+/g, ' ');
      const picked = document.querySelectorAll('h1, main h2, main .card, main dl div, main ol > li, main table tr');
      return [...picked].filter((element) => !element.closest('nav, form')).map(plain);
    },

    cards: () => [...document.querySelectorAll('main .cards > .card')].filter(shown).map((card) => {
      const link = card.querySelector('a[href]');
      return { href: link.href, name: card.querySelector('.name').textContent, top: card.getBoundingClientRect().top };
    }),

    // Records in each frame the place of each visible card in the document. Scrolling does not change it.
    followCards() {
      const first = new Map();
      observe.moves = [];
      observe.frames = 0;
      const look = () => {
        observe.frames += 1;
        for (const card of document.querySelectorAll('main .cards > .card')) {
          const box = card.getBoundingClientRect();
          if (box.bottom <= 0) continue;
          if (box.top >= innerHeight) break;
          const place = { left: box.left + scrollX, top: box.top + scrollY, width: box.width, height: box.height };
          const before = first.get(card);
          if (!before) first.set(card, place);
          else if (Object.keys(place).some((side) => Math.abs(place[side] - before[side]) > 0.1)) {
            observe.moves.push(`${mark(card)}: ${JSON.stringify(before)} -> ${JSON.stringify(place)}`);
            first.set(card, place);
          }
        }
        observe.following = requestAnimationFrame(look);
      };
      look();
    },

    running: () => document.getAnimations().map((animation) => `${mark(animation.effect.target)} ${animation.animationName || animation.transitionProperty || ''}`),

    // Elements with animations or transitions.
    movable: () => [...document.querySelectorAll('*')].filter((element) => {
      const style = getComputedStyle(element);
      const lasts = (times) => times.split(',').some((time) => parseFloat(time) > 0.011);
      return (style.animationName !== 'none' && lasts(style.animationDuration)) || lasts(style.transitionDuration) || style.scrollBehavior === 'smooth';
    }).map(mark),

    // The names of all elements, and all pairs of element and attribute.
    shapes() {
      const pairs = new Set();
      for (const element of document.querySelectorAll('*')) {
        pairs.add(element.localName);
        for (const attribute of element.attributes) pairs.add(`${element.localName}[${attribute.name}]`);
      }
      return [...pairs];
    },

    scripts: () => [...document.scripts].map((script) => script.src ? new URL(script.src).pathname : script.type),
  };
})();
