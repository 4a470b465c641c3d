'use strict';
// The search page: results while typing, and suggestions from recent queries and from names.
(function () {
  const field = document.getElementById('query');
  const form = document.querySelector('form.search');
  const results = document.querySelector('ul.results');
  const count = document.querySelector('p.count');
  const without = document.querySelector('[data-without-scripts]');
  if (!field || !form || !results || !count) return;

  const step = 60;
  // Results that fill the screen. The others follow after it is painted.
  const view = 16;
  const { element, served } = amber;
  const sameNames = new WeakMap();
  const folds = new Map();
  let shown = step;
  let lastUpdate = 0;
  let saving = 0;

  // Results

  const more = element('button', 'more', amber.text('more'));
  more.type = 'button';
  more.hidden = true;
  results.after(more);
  more.addEventListener('click', () => {
    const first = shown;
    shown += step;
    update(() => results.children[first].firstChild.focus({ preventScroll: true }));
  });

  function update(then) {
    const query = field.value;
    const own = lastUpdate += 1;
    clearTimeout(saving);
    saving = setTimeout(save, 250);
    if (!query.trim()) {
      results.replaceChildren();
      count.textContent = '';
      more.hidden = true;
      if (without) without.hidden = false;
      suggest([]);
      return;
    }
    amber.find(query, shown, found => {
      if (own !== lastUpdate) return;
      results.classList.add('is-ready');
      const words = amber.words(amber.phrase(query));
      const items = rows => rows.map(({ kind, row }) => result(kind, row, words));
      results.replaceChildren(...items(found.rows.slice(0, then ? shown : view)));
      if (!then) requestAnimationFrame(() => setTimeout(() => own === lastUpdate && results.append(...items(found.rows.slice(view)))));
      const status = [];
      if (found.total || !found.isCut) status.push(found.total ? amber.text('results', { count: found.total }) : amber.text('noResults'));
      if (found.isCut) status.push(amber.text('resultsCut'));
      count.textContent = status.join('. ');
      more.hidden = !found.isMore;
      if (without) without.hidden = found.total > 0;
      suggest(found.rows);
      if (then) then();
    }, () => {
      results.classList.add('is-ready');
      if (own === lastUpdate) count.textContent = amber.text('searchFailed');
    });
  }

  function result(kind, row, words) {
    const item = element('li', 'result');
    const link = element('a');
    link.href = kind.href(row);
    const source = kind.picture(row);
    const picture = element(source ? 'img' : 'span', 'picture', source ? '' : Array.from(kind.labels[row])[0]);
    if (source) Object.assign(picture, { alt: '', width: 64, height: 64, loading: 'lazy', decoding: 'async', src: source });
    else picture.setAttribute('aria-hidden', 'true');
    const name = served(element('span', 'name'));
    mark(name, kind.labels[row], words);
    const about = element('span', 'about');
    for (const { text, isServed, isSearched } of facts(kind, row)) {
      if (about.firstChild) about.append(' · ');
      const part = element('span');
      if (isServed) served(part);
      mark(part, text, isSearched ? words : []);
      about.append(part);
    }
    if (isAmbiguous(kind, row)) about.append(about.firstChild ? ' · ' : '', '\u2116\u00a0' + kind.ids[row]);
    link.append(picture, name, about);
    item.append(link);
    return item;
  }

  /** The facts in a result's second line. */
  function facts(kind, row) {
    const gender = kind.columns.find(column => column.name === 'gender');
    return kind.columns.filter(column => column.isTold && column.value(row)).map(column => {
      const value = column.value(row);
      const text = amber.value(column.name, value, gender ? gender.value(row) : undefined);
      return { text, isServed: text === value, isSearched: column.isSearched };
    });
  }

  /** Whether another row of the kind has the same name and the same second line. */
  function isAmbiguous(kind, row) {
    if (!sameNames.has(kind)) {
      const rows = new Map();
      kind.labels.forEach((label, row) => rows.has(label) ? rows.get(label).push(row) : rows.set(label, [row]));
      sameNames.set(kind, { rows, lines: new Map() });
    }
    const { rows, lines } = sameNames.get(kind);
    const label = kind.labels[row];
    if (rows.get(label).length < 2) return false;
    const line = row => facts(kind, row).map(part => part.text).join('\n');
    // Counted once for each name, because all rows can have the same name.
    if (!lines.has(label)) {
      const counts = new Map();
      for (const own of rows.get(label).map(line)) counts.set(own, (counts.get(own) ?? 0) + 1);
      lines.set(label, counts);
    }
    return lines.get(label).get(line(row)) > 1;
  }

  /** Puts a text into an element, with <mark> around the matches of the query's words. */
  function mark(target, text, words) {
    const letters = Array.from(text);
    let folded = '';
    const letterAt = [];
    if (words.length) letters.forEach((letter, place) => {
      if (!folds.has(letter)) folds.set(letter, amber.fold(letter));
      folded += folds.get(letter);
      while (letterAt.length < folded.length) letterAt.push(place);
    });
    const isMarked = letters.map(() => false);
    for (const word of words) {
      let start = (' ' + folded).indexOf(' ' + word);
      if (start < 0) start = folded.indexOf(word);
      if (start < 0) continue;
      const next = start + word.length;
      isMarked.fill(true, letterAt[start], next < letterAt.length ? letterAt[next] : letters.length);
    }
    let start = 0;
    letters.forEach((_, place) => {
      if (place + 1 < letters.length && isMarked[place + 1] === isMarked[place]) return;
      const part = letters.slice(start, place + 1).join('');
      target.append(isMarked[place] ? element('mark', '', part) : part);
      start = place + 1;
    });
  }

  // Recent queries

  function past() {
    try {
      const list = JSON.parse(amber.store.get(amber.historyName));
      return Array.isArray(list) ? list.filter(query => typeof query === 'string').slice(0, 5) : [];
    } catch (error) {
      return [];
    }
  }

  function remember(query) {
    const own = amber.phrase(query);
    if (!own) return;
    const others = past().filter(other => amber.phrase(other) !== own);
    amber.store.set(amber.historyName, JSON.stringify([query.trim(), ...others].slice(0, 5)));
  }

  // Suggestions

  const popup = element('ul', 'suggestions');
  let options = [];
  let active = -1;
  popup.id = 'suggestions';
  popup.hidden = true;
  popup.setAttribute('role', 'listbox');
  popup.setAttribute('aria-label', amber.text('suggestions'));
  field.after(popup);
  const roles = { role: 'combobox', 'aria-expanded': 'false', 'aria-controls': popup.id, 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox' };
  Object.entries(roles).forEach(([name, value]) => field.setAttribute(name, value));

  function suggest(rows) {
    const query = amber.phrase(field.value);
    const seen = new Set([query]);
    options = [];
    const add = (text, isPast) => {
      const own = amber.phrase(text);
      if (seen.has(own)) return;
      seen.add(own);
      options.push({ text, isPast });
    };
    const queries = past().filter(text => (' ' + amber.fold(text)).includes(' ' + query));
    queries.slice(0, query ? 2 : 5).forEach(text => add(text, true));
    for (const { kind, row } of rows) {
      if (options.length > 4) break;
      const name = ' ' + amber.fold(kind.labels[row]);
      if (query.split(' ').every(word => name.includes(' ' + word))) add(kind.labels[row], false);
    }
    popup.replaceChildren(...options.map(({ text, isPast }, place) => {
      const option = element('li', isPast ? 'past' : '', text);
      if (!isPast) served(option);
      option.id = 'suggestion-' + place;
      option.setAttribute('role', 'option');
      option.addEventListener('click', () => choose(place));
      return option;
    }));
    activate(-1);
    open(options.length > 0 && isTyping);
  }

  let isTyping = false;

  function open(isOpen) {
    popup.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) activate(-1);
  }

  function activate(place) {
    active = place;
    Array.from(popup.children).forEach((option, own) => option.setAttribute('aria-selected', String(own === place)));
    if (place < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', 'suggestion-' + place);
  }

  function choose(place) {
    field.value = options[place].text;
    finish();
    shown = step;
    update();
  }

  /** Adds the query to the history and closes the suggestions. */
  function finish() {
    isTyping = false;
    remember(field.value);
    open(false);
  }

  popup.addEventListener('mousedown', event => event.preventDefault());
  field.addEventListener('blur', () => {
    save();
    isTyping = false;
    open(false);
  });
  for (const name of ['focus', 'click']) {
    field.addEventListener(name, () => {
      if (field.value.trim() || !popup.hidden) return;
      isTyping = true;
      suggest([]);
    });
  }

  field.addEventListener('input', () => {
    isTyping = true;
    shown = step;
    update();
  });

  field.addEventListener('keydown', event => {
    if (event.isComposing) return;
    const isOpen = !popup.hidden;
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && options.length) {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (!isOpen) open(true);
      const positions = options.length + 1;
      activate((active + 1 + step + positions) % positions - 1);
    } else if (event.key === 'Escape' && isOpen) {
      isTyping = false;
      open(false);
    } else if (event.key === 'Escape' && field.value) {
      field.value = '';
      update();
    } else if (event.key === 'Enter' && isOpen && active >= 0) {
      choose(active);
    } else {
      return;
    }
    event.preventDefault();
  });

  form.addEventListener('submit', event => {
    event.preventDefault();
    finish();
    update();
  });

  results.addEventListener('click', event => {
    if (!event.target.closest('a')) return;
    remember(field.value);
    save();
  });

  // The address keeps the query, and the history state the scroll position.

  const asked = () => new URLSearchParams(location.hash.slice(1)).get('q');

  function save() {
    clearTimeout(saving);
    if (!field.value && asked() === null && !location.search) return;
    try {
      history.replaceState({ shown, y: scrollY }, '', '#q=' + encodeURIComponent(field.value));
    } catch (error) {
      // Browsers refuse this for some file URLs and for frequent calls. The address is then out of date.
    }
  }

  addEventListener('pagehide', save);
  addEventListener('hashchange', () => {
    if (asked() === null || asked() === field.value) return;
    field.value = asked();
    update();
  });

  const state = history.state;
  field.value = asked() ?? new URLSearchParams(location.search).get('q') ?? field.value;
  if (field.value.trim()) {
    if (state && state.shown) shown = state.shown;
    if (without) without.hidden = true;
    update(() => state && state.y && scrollTo(0, state.y));
  } else {
    results.classList.add('is-ready');
  }
  // Prepares the folded texts before the first letter is typed.
  amber.index(index => index.next === undefined && amber.find('a', 0, () => {}));
})();
