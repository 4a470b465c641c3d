'use strict';
// The search page: results of each kind while typing, with recent queries and some records before the first letter.
(function () {
  const field = document.getElementById('query');
  const form = document.querySelector('form.search');
  const answers = document.querySelector('.answers');
  const count = document.querySelector('p.count');
  const without = document.querySelector('[data-without-scripts]');
  if (!field || !form || !answers || !count) return;

  const step = 60;
  // The results of each kind if there are several kinds.
  const few = 6;
  // Results that fill the screen. The others follow after it is painted.
  const view = 16;
  const { element, served } = amber;
  const sameNames = new WeakMap();
  const folds = new Map();
  let shown = step;
  let kind = ''; // the group that the address chooses, or empty for all
  let lastUpdate = 0;
  let saving = 0;

  // Results

  const kinds = element('div', 'kinds');
  const failure = element('div', 'failure');
  kinds.setAttribute('role', 'group');
  kinds.setAttribute('aria-label', amber.text('filters'));
  failure.setAttribute('role', 'alert');
  count.before(kinds);
  count.after(failure);

  function button(className, text, act) {
    const made = element('button', className, text);
    made.type = 'button';
    made.addEventListener('click', act);
    return made;
  }

  function update(then) {
    const query = field.value;
    const own = lastUpdate += 1;
    clearTimeout(saving);
    saving = setTimeout(save, 250);
    failure.replaceChildren();
    if (!query.trim()) {
      kind = '';
      kinds.replaceChildren();
      count.textContent = '';
      if (without) without.hidden = false;
      suggest([]);
      begin(own);
      return;
    }
    amber.find(query, shown, found => {
      if (own !== lastUpdate) return;
      show(found, own, then);
      suggest(found.groups.flatMap(group => group.rows));
      if (then) then();
    }, () => own === lastUpdate && fail());
  }

  function fail() {
    kinds.replaceChildren();
    answers.replaceChildren();
    answers.classList.add('is-ready');
    if (without) without.hidden = false;
    count.textContent = '';
    failure.replaceChildren(element('p', '', amber.text('searchFailed')), button('again', amber.text('tryAgain'), () => {
      field.focus();
      update();
    }));
  }

  function show(found, own, then) {
    const words = amber.words(amber.phrase(field.value));
    const chosen = found.groups.filter(group => !kind || group.name === kind);
    const total = kind ? chosen.reduce((sum, group) => sum + group.total, 0) : found.total;
    const status = [];
    if (total || !found.isCut) status.push(total ? amber.text('results', { count: total }) : amber.text('noResults'));
    if (found.isCut) status.push(amber.text(total ? 'resultsCut' : 'resultsTooMany'));
    count.textContent = status.join('. ');
    if (without) without.hidden = found.total > 0;
    showKinds(found);
    const limit = chosen.length > 1 ? few : shown;
    answers.replaceChildren(...chosen.map(group => section(group, limit, found.isCut, words, own, then)));
    answers.classList.add('is-ready');
  }

  /** The results of one kind, with a button for the others. */
  function section(group, limit, isCut, words, own, then) {
    const made = element('section', 'group');
    const heading = element('h2', '', amber.counted(group.counted, group.total, isCut ? '+' : ''));
    const list = element('ul', 'results');
    const rows = group.rows.slice(0, limit);
    const isPictured = rows.some(({ kind, row }) => kind.picture(row));
    const items = rows => rows.map(({ kind, row }) => result(kind, row, words, isPictured));
    heading.id = 'kind-' + group.name;
    made.setAttribute('aria-labelledby', heading.id);
    list.append(...items(then ? rows : rows.slice(0, view)));
    if (!then) requestAnimationFrame(() => setTimeout(() => own === lastUpdate && list.append(...items(rows.slice(view)))));
    made.append(heading, list);
    if (group.total <= limit) return made;
    if (limit === few) {
      made.append(button('more', amber.text('showAll', { kind: heading.textContent }), () => choose(group.name)));
    } else if (group.rows.length === limit) {
      made.append(button('more', amber.text('more'), () => {
        shown += step;
        update(() => answers.querySelectorAll('.result')[limit]?.firstChild.focus({ preventScroll: true }));
      }));
    }
    return made;
  }

  /** The kinds of the results as chips, each with its count. */
  function showKinds(found) {
    const { groups, isCut } = found;
    const known = groups.some(group => group.name === kind);
    const focused = kinds.contains(document.activeElement) ? document.activeElement.value : undefined;
    const chips = groups.map(group => chip(group.name, amber.counted(group.counted, group.total, isCut ? '+' : '')));
    if (kind && !known) chips.push(chip(kind, amber.text('noResults')));
    kinds.replaceChildren(...(groups.length > 1 || kind ? [chip('', amber.text('allKinds')), ...chips] : []));
    if (focused !== undefined) [...kinds.children].find(chip => chip.value === focused)?.focus();
  }

  function chip(name, text) {
    const made = button('', text, () => choose(name));
    made.value = name;
    made.setAttribute('aria-pressed', String(name === kind));
    return made;
  }

  function choose(name) {
    if (name === kind) return;
    const isBelow = !kinds.contains(document.activeElement);
    remember(field.value);
    save();
    kind = name;
    shown = step;
    try {
      history.pushState(null, '', address());
    } catch (error) {
      // Browsers refuse this for some file URLs. The kind is then not in the address.
    }
    update(() => {
      if (!isBelow) return;
      kinds.querySelector('[aria-pressed="true"]')?.focus({ preventScroll: true });
      scrollTo(0, 0);
    });
  }

  // Before the first letter

  /** Shows the recent queries, and the first records of each kind. */
  function begin(own) {
    const recent = past();
    const sections = recent.length ? [recentQueries(recent)] : [];
    const finish = () => {
      if (own !== lastUpdate) return;
      answers.replaceChildren(...sections);
      answers.classList.add('is-ready');
    };
    amber.index(index => {
      const records = firstRecords(index);
      if (records.length) {
        const made = element('section', 'examples');
        const list = element('ul', 'results');
        list.append(...records.map(({ kind, row }) => result(kind, row, [])));
        made.append(element('h2', '', amber.text('examples')), list);
        sections.push(made);
      }
      finish();
    }, () => own === lastUpdate && (fail(), answers.replaceChildren(...sections)));
  }

  /** The first record of each group, then the second of each, and so on. Those with the largest numbers in the column for sorting come first. */
  function firstRecords(index) {
    const first = kind => {
      const order = kind.columns.find(column => column.isOrder);
      const rows = kind.ids.map((_, row) => row);
      return (order ? rows.sort((a, b) => order.value(b) - order.value(a)) : rows).slice(0, few).map(row => ({ kind, row }));
    };
    const groups = Object.values(Object.groupBy(index.kinds.flatMap(first), ({ kind }) => kind.group));
    const ranked = Array.from({ length: few }, (_, place) => groups.map(rows => rows[place]).filter(Boolean));
    return ranked.flat().slice(0, few);
  }

  function recentQueries(recent) {
    const made = element('section', 'recent');
    const heading = element('h2', '', amber.text('recentQueries'));
    const list = element('ul');
    list.append(...recent.map((query, place) => {
      const item = element('li');
      const removal = button('remove', '', () => forget(past().filter(other => other !== query), place));
      removal.setAttribute('aria-label', amber.text('removeQuery', { query }));
      item.append(button('', query, () => {
        field.value = query;
        remember(query);
        field.focus();
        update();
      }), removal);
      return item;
    }));
    made.append(heading, list, button('clear', amber.text('clearQueries'), () => forget([], 0)));
    return made;
  }

  /** Stores the queries that remain, and moves the focus to the next one. */
  function forget(queries, place) {
    amber.store.set(amber.historyName, JSON.stringify(queries));
    answers.querySelector('.recent')?.replaceWith(...(queries.length ? [recentQueries(queries)] : []));
    const removals = answers.querySelectorAll('.recent .remove');
    (removals[Math.min(place, removals.length - 1)] ?? field).focus();
  }

  /** `isPictured`: whether a result without a picture has a placeholder, because others beside it have pictures. */
  function result(kind, row, words, isPictured) {
    const item = element('li', 'result');
    const link = element('a');
    link.href = kind.href(row);
    const source = kind.picture(row) || isPictured && amber.root + 'placeholder.svg';
    if (source) link.append(Object.assign(element('img', 'picture'), { alt: '', width: 64, height: 64, loading: 'lazy', src: source }));
    const name = served(element('span', 'name'));
    mark(name, kind.labels[row], words);
    const about = element('span', 'about');
    for (const { text, isServed, isSearched } of facts(kind, row, words)) {
      if (about.firstChild) about.append(' · ');
      const part = element('span');
      if (isServed) served(part);
      mark(part, text, isSearched ? words : []);
      about.append(part);
    }
    if (isAmbiguous(kind, row)) about.append(about.firstChild ? ' · ' : '', '\u2116\u00a0' + kind.ids[row]);
    link.append(name, about);
    item.append(link);
    return item;
  }

  /** The facts in a result's second line. Others are shown if a word of the query begins one of their words. */
  function facts(kind, row, words) {
    const begins = column => words.some(word => (' ' + amber.fold(column.value(row) + ' ' + column.text(row))).includes(' ' + word));
    return kind.columns.filter(column => column.value(row) && (column.isTold || words.length && column.isSearched && begins(column))).map(column => {
      const value = column.value(row);
      // "yes" says nothing without the name of the filter.
      const isBare = column.isFacet && !column.isTranslated && ['true', 'false'].includes(value);
      const text = (isBare ? amber.text('filter.' + column.name) + ': ' : '') + column.text(row);
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
    const line = row => facts(kind, row, []).map(part => part.text).join('\n');
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
    if (query) past().filter(text => (' ' + amber.fold(text)).includes(' ' + query)).slice(0, 2).forEach(text => add(text, true));
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
      option.addEventListener('click', () => take(place));
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

  function take(place) {
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
      take(active);
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

  answers.addEventListener('click', event => {
    if (!event.target.closest('a') || !field.value.trim()) return;
    remember(field.value);
    save();
  });

  // The address keeps the query and the kind, and the history state the scroll position.

  const asked = () => new URLSearchParams(location.hash.slice(1));
  const address = () => '#q=' + encodeURIComponent(field.value) + (kind && '&kind=' + encodeURIComponent(kind));

  function save() {
    clearTimeout(saving);
    if (!field.value && !asked().has('q') && !location.search) return;
    try {
      history.replaceState({ shown, y: scrollY }, '', address());
    } catch (error) {
      // Browsers refuse this for some file URLs and for frequent calls. The address is then out of date.
    }
  }

  addEventListener('pagehide', save);
  addEventListener('hashchange', () => {
    const query = asked().get('q') ?? '';
    // A link within the page, such as the skip link, is no query.
    if (document.getElementById(location.hash.slice(1)) || query === field.value && (asked().get('kind') ?? '') === kind) return;
    field.value = query;
    kind = asked().get('kind') ?? '';
    shown = step;
    update();
  });

  const state = history.state;
  field.value = asked().get('q') ?? new URLSearchParams(location.search).get('q') ?? field.value;
  kind = asked().get('kind') ?? '';
  if (field.value.trim()) {
    if (state && state.shown) shown = state.shown;
    if (without) without.hidden = true;
    update(() => state && state.y && scrollTo(0, state.y));
  } else {
    update();
  }
  // Prepares the folded texts before the first letter is typed.
  amber.index(index => index.next === undefined && amber.find('a', 0, () => {}));
})();
