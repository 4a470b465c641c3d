'use strict';
// Combined filters and sorting: replaces the links to the lists by value with select controls.
(function () {
  const filters = document.querySelector('.filters[data-kinds]');
  const main = document.querySelector('main');
  const cards = main && main.querySelector('ul.cards');
  // sorting.js filters a table if it can read all pages.
  const table = amber.choose && main?.querySelector('.sortable');
  if (filters && !cards && !table) delete filters.dataset.kinds;
  if (!filters || !cards && !table) return;

  const step = 60;
  const links = filters.querySelector('nav');
  const { element, served } = amber;
  const controls = new Map();
  const found = element('ul', 'cards found');
  const end = element('div', 'end');
  // The list by one value leads to this list of all records, which can be filtered.
  const { list, kinds: names } = filters.dataset;
  const tones = new Map((filters.dataset.tones ?? '').split(' ').map(entry => entry.split('=')));
  const orders = (filters.dataset.sort ?? '').split(' ').filter(Boolean);
  const active = new Map(); // the slug of each active filter
  let order = ''; // one of `orders`, or empty for the list's own order
  let facets;
  let counted; // the text for a number of records of one kind
  let latest; // the column of the last choice, while the focus is in the controls
  let retry; // what the index was needed for when it could not be loaded
  let rows = [];
  let shown = 0;

  // Controls

  const toggle = element('button', 'toggle');
  const panel = element('div', 'facets');
  const count = element('p', 'count');
  const bar = element('div', 'active');
  const chips = element('ul');
  const clear = button('clear', 'clear');
  const failure = element('div', 'failure');
  const again = button('again', 'tryAgain');
  const sorting = element('label', 'sorting', amber.text('sort'));
  const sort = element('select');
  toggle.type = 'button';
  toggle.setAttribute('aria-controls', panel.id = 'filters');
  toggle.setAttribute('aria-expanded', 'false');
  toggle.addEventListener('click', () => open(toggle.getAttribute('aria-expanded') !== 'true'));
  // The panel is above the list on small screens, so it closes when the reader goes on.
  filters.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || toggle.getAttribute('aria-expanded') !== 'true') return;
    open(false);
    toggle.focus();
  });
  panel.addEventListener('focusout', () => { latest = undefined; });
  filters.addEventListener('focusout', ({ relatedTarget }) => relatedTarget && !filters.contains(relatedTarget) && open(false));
  addEventListener('pointerdown', ({ target }) => filters.contains(target) || open(false));
  count.setAttribute('role', 'status');
  filters.setAttribute('role', 'group');
  filters.setAttribute('aria-label', amber.text('filters'));
  chips.setAttribute('aria-label', amber.text('activeFilters'));
  failure.setAttribute('role', 'alert');
  links.querySelectorAll('[data-column] a').forEach(link => {
    const { column } = link.closest('[data-column]').dataset;
    // Without `data-value`, the value is the text before the count.
    const label = link.firstChild.data.slice(0, -1);
    const value = link.dataset.value ?? label;
    show(column, value, amber.slug(value), link.querySelector('.count').textContent, false, label);
    if (list && link.hasAttribute('aria-current')) active.set(column, amber.slug(value));
  });
  for (const key of ['', ...orders]) {
    const option = element('option', '', amber.text('sort.' + (key || 'none')));
    option.value = key;
    sort.append(option);
  }
  sort.addEventListener('change', () => go(address(active, sort.value)));
  sorting.append(sort);
  links.replaceWith(toggle, panel, ...(orders.length ? [sorting] : []), bar);
  filters.after(failure);
  (main.querySelector('.heading') ?? filters).append(count);
  bar.append(chips, clear);
  if (!list && cards) cards.after(found, end);

  function open(isOpen) {
    toggle.setAttribute('aria-expanded', isOpen);
  }

  function button(className, text) {
    const made = element('button', className, amber.text(text));
    made.type = 'button';
    return made;
  }

  function control(column) {
    if (controls.has(column)) return controls.get(column);
    const label = element('label', '', amber.text('filter.' + column));
    const select = element('select');
    select.append(element('option', '', amber.text('any')));
    select.firstChild.value = '';
    select.addEventListener('change', () => choose(column, select.value));
    label.append(select);
    panel.append(label);
    const made = { select, options: new Map() };
    controls.set(column, made);
    return made;
  }

  /** Adds or updates a value's option. `number` is the count of rows that it would leave. */
  function show(column, value, slug, number, isChosen, label) {
    const { select, options } = control(column);
    const known = label ?? options.get(value)?.dataset.label ?? (value.trim() ? amber.value(column, value, 'label') : amber.text('noValue'));
    if (!options.has(value)) {
      const option = element('option');
      if (known === value) served(option);
      options.set(value, option);
      select.append(option);
    }
    const option = options.get(value);
    const text = known + (number === '' ? '' : ' (' + number + ')');
    option.dataset.label = known;
    if (option.textContent !== text) option.textContent = text;
    option.value = slug;
    option.disabled = number === 0 && !isChosen;
  }

  /** Shows the active filters in the controls, in the number on the button, and as chips that remove them. */
  function showActive() {
    toggle.textContent = amber.text('filters') + (active.size ? ' (' + active.size + ')' : '');
    sort.value = order;
    for (const [column, { select }] of controls) {
      select.value = active.get(column) ?? '';
      if (select.selectedIndex < 0) select.value = '';
    }
    const made = [...controls.keys()].filter(column => active.has(column)).map(chip);
    // Equal chips stay, so that the focus does.
    if (made.length !== chips.children.length || made.some((item, place) => !item.isEqualNode(chips.children[place]))) chips.replaceChildren(...made);
    bar.hidden = !active.size;
    clear.hidden = active.size < 2;
  }

  function chip(column) {
    const option = [...controls.get(column).options.values()].find(option => option.value === active.get(column));
    const label = element('span', '', option ? option.dataset.label : active.get(column));
    const made = element('button');
    const item = element('li');
    if (option?.lang) label.lang = option.lang;
    made.type = 'button';
    made.append(amber.text('filter.' + column) + ': ', label);
    made.setAttribute('aria-label', amber.text('removeFilter', { filter: made.textContent }));
    made.addEventListener('click', () => {
      const place = [...chips.children].indexOf(item);
      choose(column, '');
      focus(place);
    });
    item.append(made);
    return item;
  }

  /** Moves the focus of a removed chip to the next one, or to the controls. */
  function focus(place) {
    const next = chips.children[Math.min(place, chips.children.length - 1)];
    const other = toggle.getClientRects().length ? toggle : panel.querySelector('select');
    (next ? next.firstChild : other)?.focus();
  }

  // The address

  let hash = location.hash.slice(1);

  /** Reads the active filters and the order from the address. Slugs without a value are removed when the index is loaded. */
  function read() {
    if (list) return;
    const parameters = new URLSearchParams(hash);
    active.clear();
    for (const column of controls.keys()) if (parameters.get(column)) active.set(column, parameters.get(column));
    order = orders.find(key => key === parameters.get('sort')) ?? '';
  }

  function address(active, order) {
    const chosen = [...controls.keys()].filter(column => active.get(column)).map(column => [column, active.get(column)]);
    if (order) chosen.push(['sort', order]);
    return chosen.map(([name, value]) => name + '=' + encodeURIComponent(value)).join('&');
  }

  function choose(column, slug) {
    go(address(new Map(active).set(column, slug), sorted()), column === latest);
    latest = panel.contains(document.activeElement) ? column : undefined;
  }

  function sorted() {
    return table ? new URLSearchParams(location.hash.slice(1)).get('sort') : order;
  }

  /** `isAgain`: whether to replace the last entry of the history. */
  function go(next, isAgain) {
    if (list) return load(() => location.assign(list + (next && '#' + next)));
    remember();
    hash = next;
    try {
      history[isAgain ? 'replaceState' : 'pushState'](null, '', location.href.split('#')[0] + (hash && '#' + hash));
    } catch (error) {
      location.hash = hash || 'all';
    }
    apply();
  }

  clear.addEventListener('click', () => {
    go(address(new Map(), sorted()));
    focus(0);
  });
  again.addEventListener('click', () => {
    focus(0);
    load(retry);
  });
  addEventListener('hashchange', () => {
    // A link within the page, such as the skip link, does not change the filters. Back does.
    if (list || !history.state?.filtered && document.getElementById(location.hash.slice(1))) return;
    hash = location.hash.slice(1);
    apply(history.state && history.state.filtered);
  });
  // Back shows the controls as they were left.
  addEventListener('pageshow', ({ persisted }) => persisted && showActive());

  function remember() {
    try {
      history.replaceState(Object.assign({}, history.state, { filtered: { shown, y: scrollY } }), '');
    } catch (error) {
      // Without history state, Back returns to the top.
    }
  }

  function keep() {
    if (!list && (active.size || order)) remember();
  }

  found.addEventListener('click', keep);
  addEventListener('pagehide', keep);
  // The records of a filtered table, and of a list by one value, lead back to the full list with these values.
  for (const name of list || table ? ['focusin', 'pointerdown', 'click'] : []) {
    (cards ?? table).addEventListener(name, ({ target }) => {
      const link = target.closest(cards ? 'a' : 'td:first-child a');
      if (link) link.hash = address(active, sorted());
    });
  }

  // The list

  /** Loads the index. A failure is only shown if the reader waits for it. */
  function load(then, isWaiting = true) {
    if (isWaiting && !facets) count.textContent = amber.text('loading');
    failure.replaceChildren();
    amber.whole(index => {
      if (!facets) count.textContent = '';
      main.classList.remove('is-waiting');
      const kinds = index.next === undefined ? index.kinds.filter(kind => names.split(' ').includes(kind.name)) : [];
      if (!kinds.length) return withdraw();
      facets = facets || amber.rows(kinds);
      counted = new Set(kinds.map(kind => kind.counted)).size === 1 && kinds[0].counted;
      then();
    }, () => {
      if (!isWaiting) return;
      count.textContent = '';
      main.classList.remove('is-waiting');
      retry = then;
      failure.replaceChildren(element('p', '', amber.text('filtersFailed')), again);
    });
  }

  /** Restores the links. A large index cannot be filtered. */
  function withdraw() {
    filters.replaceChildren(links);
    count.remove();
    delete filters.dataset.kinds;
  }

  function apply(place) {
    read();
    showActive();
    failure.replaceChildren();
    if (active.size || order || facets) load(() => filter(place));
  }

  function filter(place) {
    const wanted = facets.columns.map(column => ({
      column, place: column.slugs.indexOf(active.get(column.name)), counts: column.values.map(() => 0),
    }));
    rows = [];
    facets.all.forEach((found, row) => {
      const mismatches = wanted.filter(({ column, place }) => place >= 0 && !column.index[row].includes(place));
      if (!mismatches.length) rows.push(found);
      if (mismatches.length > 1) return;
      for (const { column, counts } of mismatches.length ? mismatches : wanted) for (const own of column.index[row]) counts[own] += 1;
    });
    for (const { column, place, counts } of wanted) {
      if (place < 0) active.delete(column.name);
      column.values.forEach((value, own) => show(column.name, value, column.slugs[own], counts[own], own === place));
    }
    showActive();
    if (list) return;
    if (order) rows = amber.sort(rows, order);
    const isFiltered = active.size > 0 || order !== '';
    main.classList.toggle('is-filtered', isFiltered);
    const matches = counted ? amber.counted(counted, rows.length) : amber.text('matches', { count: rows.length });
    count.textContent = !isFiltered ? '' : rows.length ? matches : amber.text('noResults');
    found.replaceChildren();
    shown = 0;
    if (table) amber.choose(isFiltered ? new Set(rows.map(({ kind, row }) => new URL(kind.href(row)).href)) : null);
    else if (isFiltered) extend(place ? place.shown : step);
    if (place) scrollTo(0, place.y);
    // Chosen far down in the list: shows the results from their beginning.
    else if ((table ?? found).getBoundingClientRect().top < 0) main.scrollIntoView();
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
   * with the value's slug. `data-tones` has the classes for the colours of values: `status.dead=bad`. `data-marks` lists the
   * columns that show a mark if the value equals the column's name.
   */
  function card({ kind, row }) {
    const column = name => kind.columns.find(column => column.name === name);
    const value = name => column(name)?.value(row) ?? '';
    const item = element('li', 'card');
    const link = element('a');
    const source = kind.picture(row) || amber.root + 'placeholder.svg';
    const name = served(element('span', 'name', kind.labels[row]));
    const facts = element('span', 'facts');
    for (const entry of (filters.dataset.card ?? '').split(' ')) {
      const [key, name] = entry.split('.');
      const own = value(key);
      if (!own) continue;
      const text = column(key).text(row);
      const slug = amber.slug(own);
      const tone = tones.get(key + '.' + slug);
      const fact = element('span', name ? name + ' ' + slug : tone ? 'mood ' + tone : key, text);
      if (text === own) served(fact);
      facts.append(facts.firstChild ? ' ' : '', fact);
    }
    for (const mark of (filters.dataset.marks || '').split(' ')) {
      if (mark && value(mark) === mark) facts.append(' ', element('span', mark, amber.text('mark.' + mark)));
    }
    link.href = kind.href(row) + '#' + address(active, order);
    const picture = Object.assign(element('img'), { alt: '', width: 300, height: 300, loading: 'lazy', src: source });
    link.append(picture, name, facts);
    item.append(link);
    return item;
  }

  // The index is loaded when the reader first uses the filters, or when the address has some.
  for (const name of ['focusin', 'pointerdown']) filters.addEventListener(name, () => facets || load(() => filter(), false), { once: true });
  read();
  showActive();
  if (list || !(active.size || order)) return;
  main.classList.add('is-waiting');
  apply(history.state && history.state.filtered);
})();
