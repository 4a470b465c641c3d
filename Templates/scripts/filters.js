'use strict';
// Combined filters: replaces the links to the lists by value with select controls.
(function () {
  const filters = document.querySelector('.filters[data-kinds]');
  const main = document.querySelector('main');
  const cards = main && main.querySelector('ul.cards');
  if (!filters || !cards) return;

  const step = 60;
  const links = filters.querySelector('nav');
  const { element, served } = amber;
  const controls = new Map();
  const found = element('ul', 'cards found');
  const end = element('div', 'end');
  let facets;
  let rows = [];
  let shown = 0;

  // Controls

  const panel = element('div', 'facets');
  const clear = element('button', 'clear', amber.text('clear'));
  const count = element('p', 'count');
  clear.type = 'button';
  count.setAttribute('role', 'status');
  filters.setAttribute('role', 'group');
  filters.setAttribute('aria-label', amber.text('filters'));
  links.querySelectorAll('[data-column][data-value]').forEach(link => {
    const number = link.querySelector('.count');
    show(link.dataset.column, link.dataset.value, slug(link.dataset.value), number ? number.textContent.trim() : '');
  });
  panel.append(clear);
  links.replaceWith(panel);
  panel.after(count);
  cards.after(found, end);

  function control(column) {
    if (controls.has(column)) return controls.get(column);
    const label = element('label', '', amber.text('filter.' + column));
    const select = element('select');
    select.append(element('option', '', amber.text('any')));
    select.firstChild.value = '';
    select.addEventListener('change', () => go(chosen()));
    label.append(select);
    panel.insertBefore(label, clear.parentNode ? clear : null);
    const made = { select, options: new Map() };
    controls.set(column, made);
    return made;
  }

  /** Adds or updates a value's option. `number` is the count of rows that it would leave. */
  function show(column, value, slug, number) {
    const { select, options } = control(column);
    const known = value.trim() ? amber.value(column, value, 'label') : amber.text('noValue');
    if (!options.has(value)) {
      const option = element('option');
      if (known === value) served(option);
      options.set(value, option);
      select.append(option);
    }
    const option = options.get(value);
    const text = known + (number === '' ? '' : ' (' + number + ')');
    if (option.textContent !== text) option.textContent = text;
    option.value = slug;
    option.disabled = number === 0 && !option.selected;
  }

  function slug(value) {
    return amber.fold(value).trim().replace(/\s+/g, '-') || (value.trim() ? 'value' : 'none');
  }

  /** The slugs of a facet's values. Equal slugs get a number, so that each is unique. */
  function slugs(values) {
    const taken = new Set();
    // For each slug the next number to try. All smaller numbers are taken.
    const numbers = new Map();
    return values.map(value => {
      const plain = slug(value);
      let own = plain;
      let n = numbers.get(plain) ?? 2;
      for (; taken.has(own); n += 1) own = plain + '-' + n;
      numbers.set(plain, n);
      taken.add(own);
      return own;
    });
  }

  // The address

  let hash = location.hash.slice(1);
  const parameters = () => new URLSearchParams(hash);
  const hasFilters = () => [...parameters().keys()].some(name => controls.has(name));

  function chosen() {
    return [...controls].filter(([, { select }]) => select.value)
      .map(([name, { select }]) => name + '=' + encodeURIComponent(select.value)).join('&');
  }

  function go(chosen) {
    hash = chosen;
    try {
      history.pushState(null, '', location.href.split('#')[0] + (hash && '#' + hash));
    } catch (error) {
      location.hash = hash || 'all';
    }
    apply();
  }

  clear.addEventListener('click', () => {
    controls.forEach(({ select }) => { select.value = ''; });
    go('');
    const first = panel.querySelector('select');
    if (first) first.focus();
  });
  addEventListener('hashchange', () => {
    // A link within the page, such as the skip link, does not change the filters.
    if (document.getElementById(location.hash.slice(1))) return;
    hash = location.hash.slice(1);
    apply();
  });

  function keep() {
    if (!hasFilters()) return;
    try {
      history.replaceState(Object.assign({}, history.state, { filtered: { shown, y: scrollY } }), '', '#' + hash);
    } catch (error) {
      // Without history state, Back returns to the top.
    }
  }

  found.addEventListener('click', keep);
  addEventListener('pagehide', keep);

  // The list

  function load(then) {
    amber.index(index => {
      const names = filters.dataset.kinds.split(' ');
      const kinds = index.next === undefined ? index.kinds.filter(kind => names.includes(kind.name)) : [];
      if (!kinds.length) return withdraw();
      facets = facets || facetsOf(kinds);
      then();
    }, () => { count.textContent = amber.text('searchFailed'); });
  }

  /** All rows of the kinds, and the facets with each value once, also if several kinds have it. */
  function facetsOf(kinds) {
    const names = [...new Set(kinds.flatMap(kind => kind.columns.filter(column => column.isFacet).map(column => column.name)))];
    const all = kinds.flatMap(kind => Array.from(kind.labels, (_, row) => ({ kind, row })));
    return {
      all, columns: names.map(name => {
        const places = new Map();
        const place = value => {
          if (!places.has(value)) places.set(value, places.size);
          return places.get(value);
        };
        // The places of a kind's values are looked up once, not for each row.
        const own = new Map(kinds.map(kind => {
          const column = kind.columns.find(column => column.name === name);
          const known = column ? column.values.map(place) : [];
          return [kind, row => (column && known[column.index(row)]) ?? place('')];
        }));
        const index = all.map(({ kind, row }) => own.get(kind)(row));
        const values = [...places.keys()];
        return { name, values, slugs: slugs(values), index };
      }),
    };
  }

  /** Restores the links. A split index cannot be filtered. */
  function withdraw() {
    panel.replaceWith(links);
    delete filters.dataset.kinds;
    main.classList.remove('is-filtered');
  }

  function apply(place) {
    const isFiltered = hasFilters();
    main.classList.toggle('is-filtered', isFiltered);
    if (!isFiltered) {
      count.textContent = '';
      found.replaceChildren();
    }
    if (isFiltered || facets) load(() => filter(isFiltered, place));
  }

  function filter(isFiltered, place) {
    const wanted = facets.columns.map(column => ({
      column, place: column.slugs.indexOf(parameters().get(column.name)), counts: column.values.map(() => 0),
    }));
    rows = [];
    facets.all.forEach((found, row) => {
      const mismatches = wanted.filter(({ column, place }) => place >= 0 && column.index[row] !== place);
      if (!mismatches.length) rows.push(found);
      if (mismatches.length > 1) return;
      for (const facet of mismatches.length ? mismatches : wanted) facet.counts[facet.column.index[row]] += 1;
    });
    for (const { column, place, counts } of wanted) {
      const { select } = control(column.name);
      column.values.forEach((value, own) => show(column.name, value, column.slugs[own], counts[own]));
      select.value = place < 0 ? '' : column.slugs[place];
    }
    if (!isFiltered) return;
    count.textContent = rows.length ? amber.text('results', { count: rows.length }) : amber.text('noResults');
    shown = 0;
    found.replaceChildren();
    extend(place ? place.shown : step);
    if (place) scrollTo(0, place.y);
  }

  function extend(limit) {
    found.append(...rows.slice(shown, limit).map(card));
    shown = Math.min(limit, rows.length);
    // Observed again, because the observer reports only changes.
    observer.unobserve(end);
    if (shown < rows.length) observer.observe(end);
  }

  const observer = new IntersectionObserver(entries => {
    if (main.classList.contains('is-filtered') && entries.some(entry => entry.isIntersecting)) extend(shown + step);
  }, { rootMargin: '800px' });

  /**
   * A card like those of the list. `data-card` lists its columns; a class after a dot, as in `status.mood`, is set together
   * with the value's slug. `data-marks` lists the columns that show a mark if the value equals the column's name.
   */
  function card({ kind, row }) {
    const value = name => {
      const column = kind.columns.find(column => column.name === name);
      return column ? column.value(row) : '';
    };
    const item = element('li', 'card');
    const link = element('a');
    const source = kind.picture(row) || amber.root + 'placeholder.svg';
    const name = served(element('span', 'name', kind.labels[row]));
    const facts = element('span', 'facts');
    for (const entry of filters.dataset.card.split(' ')) {
      const [column, name] = entry.split('.');
      const own = value(column);
      if (!own) continue;
      const text = amber.value(column, own, value('gender'));
      const fact = element('span', name ? name + ' ' + slug(own) : column, text);
      if (text === own) served(fact);
      facts.append(facts.firstChild ? ' ' : '', fact);
    }
    for (const column of (filters.dataset.marks || '').split(' ')) {
      if (column && value(column) === column) facts.append(' ', element('span', column, amber.text('mark.' + column)));
    }
    link.href = kind.href(row);
    const picture = Object.assign(element('img'), { alt: '', width: 300, height: 300, loading: 'lazy', decoding: 'async', src: source });
    link.append(picture, name, facts);
    item.append(link);
    return item;
  }

  // The index is loaded when the reader first uses the filters, or when the address has some.
  for (const name of ['focusin', 'pointerdown']) filters.addEventListener(name, () => load(() => filter(hasFilters())), { once: true });
  if (hasFilters()) apply(history.state && history.state.filtered);
})();
