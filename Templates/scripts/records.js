'use strict';
// Loads and decodes the search index. SearchEncoder.swift describes the format. Folding.swift has the same folding rule.
(function () {
  const parts = new Map();
  const waiting = new Map();

  const dates = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'long', timeZone: 'UTC' });
  const others = /[\u0000-\u0009\u000b-\u002f:-@[-`{-\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u303f]+/g;

  const spelled = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ŋ: 'ng', ı: 'i' };

  amber.fold = text => text
    .replace(/[\u0000-\u052f\u1e00-\u1fff]+/g, run => run.normalize('NFD').replace(/[\u0300-\u036f\u0483-\u0489]/g, '').toLowerCase())
    .replace(/[ßæœøđðþłħŋı]/g, letter => spelled[letter])
    .replace(/\u03c2/g, '\u03c3').replace(/['\u2019\u02bc]/g, '').replace(others, ' ');

  amber.element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  };

  /** Marks an element's text with the language of the served data, if the page has another one. */
  amber.served = made => {
    const { lang, dataset } = document.documentElement;
    const own = dataset.served ?? '';
    if (lang !== own) made.lang = own;
    return made;
  };

  amber.receive = data => parts.set(data.prefix || '', decode(data));

  /** Passes the index. A split index has letters in `next`, and only a few rows. */
  amber.index = (then, failed) => amber.part('', then, failed);

  /** Passes the index with all rows, which filters need. If there is none, it passes an index without rows. */
  amber.whole = (then, failed) => amber.index(index => index.next?.includes('*') ? amber.part('*', then, failed) : then(index), failed);

  /** Passes the part of a split index that has this prefix. */
  amber.part = (prefix, then, failed) => {
    if (parts.has(prefix)) return then(parts.get(prefix));
    if (waiting.has(prefix)) return waiting.get(prefix).push([then, failed]);
    waiting.set(prefix, [[then, failed]]);
    const name = Array.from(new TextEncoder().encode(prefix), byte => (byte + 256).toString(16).slice(1)).join('');
    const script = document.createElement('script');
    script.onload = script.onerror = () => {
      const calls = waiting.get(prefix);
      waiting.delete(prefix);
      script.remove();
      calls.forEach(([then, failed]) => parts.has(prefix) ? then(parts.get(prefix)) : failed && failed());
    };
    script.src = amber.root + (prefix ? 'search/' + name + '.js' : 'search-index.js');
    document.head.append(script);
  };

  // Decoding

  const listed = list => typeof list === 'string' ? list.split('\n') : list || [];

  function decode(data) {
    const kinds = data.kinds.map(kind => {
      const ids = numbered(kind.ids);
      const files = kind.files ? listed(kind.files) : ids;
      const endings = listed(kind.endings);
      const images = listed(kind.images);
      const ending = row => kind.folder && endings[kind.pictures.charCodeAt(row) - 49];
      const picture = row => images[row] || ending(row) && kind.folder + files[row] + '.' + ending(row);
      return {
        name: kind.name, ids, labels: listed(kind.labels), count: ids.length,
        href: row => amber.home + kind.path + files[row] + '.html',
        picture: row => picture(row) ? amber.root + picture(row) : '',
        columns: kind.columns, counted: kind.counted,
      };
    });
    for (const kind of kinds) {
      // Kinds that are counted by the same text are one group, which has the name of its first kind.
      kind.group = kinds.find(other => other.counted === kind.counted && kind.counted || other === kind).name;
      kind.columns = kind.columns.map(({ name, uses, of, by, values, rows }) => {
        const texts = of ? kinds.find(kind => kind.name === of).labels : listed(values);
        const index = row => rows.charCodeAt(row) - 49;
        const elements = value => uses & 16 ? value.split('\t') : [value];
        const own = row => elements(texts[index(row)] || '');
        const value = row => own(row).join(', ');
        // As pages show it: in the form for the value of the column `by`, or as a date.
        const form = row => kind.columns.find(column => column.name === by)?.value(row);
        const text = row => uses & 8 ? date(value(row)) : own(row).map(value => amber.value(name, value, form(row))).join(', ');
        return {
          name, values: texts, elements, index, value, text, isFacet: uses & 1, isSearched: uses & 2, isTold: uses & 4, isOrder: !uses,
          isTranslated: uses & 8 || amber.texts?.values?.[name],
        };
      });
    }
    return { total: data.total, next: data.next, kinds };
  }

  function date(text) {
    const isWritten = /^[A-Z][a-z]+ \d{1,2}, \d+$/.test(text);
    if (!isWritten && !/^\d{4}-\d\d-\d\d/.test(text)) return text;
    const day = new Date(isWritten ? text + ' UTC' : text.slice(0, 10));
    return isNaN(day) ? text : dates.format(day);
  }

  function numbered(steps) {
    const ids = [];
    let id = 0;
    for (const step of steps) {
      if (typeof step === 'number') ids.push(id += step);
      else for (let n = step[0]; n > 0; n -= 1) ids.push(id += 1);
    }
    return ids;
  }
})();
