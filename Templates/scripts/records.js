'use strict';
// The search index: loads, decodes and searches it. SearchEncoder.swift describes the format, Folding.swift the same folding.
(function () {
  const parts = new Map();
  const waiting = new Map();
  const wordLimit = 16;

  const others = /[\u0000-\u0009\u000b-\u002f:-@[-`{-\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u303f]+/g;

  amber.fold = text => text
    .replace(/[\u0000-\u052f\u1e00-\u1fff]+/g, run => run.normalize('NFD').replace(/[\u0300-\u036f\u0483-\u0489]/g, '').toLowerCase())
    .replace(/\u03c2/g, '\u03c3').replace(/['\u2019\u02bc]/g, '').replace(others, ' ');

  const phraseOf = query => amber.fold(query.replace(/\n/g, ' ')).trim();

  amber.receive = data => parts.set(data.prefix || '', decode(data));

  /** Hands over the index; where it is split, it has letters in `next` and no rows. */
  amber.index = (then, failed) => part('', then, failed);

  function part(prefix, then, failed) {
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
  }

  // Decoding

  const listed = list => typeof list === 'string' ? list.split('\n') : list || [];

  function decode(data) {
    const kinds = data.kinds.map(kind => {
      const ids = numbered(kind.ids);
      const endings = listed(kind.endings);
      const picture = row => endings[kind.pictures.charCodeAt(row) - 49];
      return {
        name: kind.name, ids, labels: listed(kind.labels), count: ids.length,
        href: row => amber.home + kind.path + ids[row] + '.html',
        picture: row => kind.folder && picture(row) ? amber.root + kind.folder + ids[row] + '.' + picture(row) : '',
        columns: kind.columns,
      };
    });
    for (const kind of kinds) {
      kind.columns = kind.columns.map(({ name, uses, of, values, rows }) => {
        const texts = of ? kinds.find(kind => kind.name === of).labels : listed(values);
        const index = row => rows.charCodeAt(row) - 49;
        return { name, values: texts, index, value: row => texts[index(row)] || '', isFacet: uses & 1, isSearched: uses & 2, isTold: uses & 4 };
      });
    }
    const index = { total: data.total, next: data.next, kinds };
    index.texts = () => index.folded || (index.folded = folded(kinds));
    return index;
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

  /** Each row's name and values, folded at one go; a space stands before every word. */
  function folded(kinds) {
    const texts = { kinds: [], rows: [], names: [], values: [] };
    for (const kind of kinds) {
      const names = spaced(kind.labels);
      const columns = kind.columns.filter(column => column.isSearched).map(column => [column.index, spaced(column.values)]);
      for (let row = 0; row < kind.count; row += 1) {
        texts.kinds.push(kind);
        texts.rows.push(row);
        texts.names.push(names[row]);
        let values = '';
        for (const [index, words] of columns) values += words[index(row)] || '';
        texts.values.push(values);
      }
    }
    return texts;
  }

  function spaced(list) {
    const text = list.map(line => line.includes('\n') ? line.replace(/\n/g, ' ') : line).join('\n');
    return amber.fold('\n' + text).replace(/ *\n */g, '\n ').slice(1).split('\n').map(line => line.trimEnd());
  }

  // Finding

  /**
   * Finds the rows that have every word of a query, the best first: the name itself, names that begin so, words of names that do,
   * words of other fields, insides of words. `then` gets { rows: [{ kind, row }], total, isMore, isCut }: whether a higher limit
   * would give more rows, and whether there are rows that only a longer query reaches.
   */
  amber.find = (query, limit, then, failed) => amber.index(index => {
    const phrase = phraseOf(query);
    if (!phrase) return then({ rows: [], total: 0 });
    if (index.next === undefined) return then(search(index, phrase, limit));
    const words = [...new Set(phrase.split(' '))];
    const found = [];
    words.forEach(word => walk(index, Array.from(word).slice(0, wordLimit), 0, part => {
      if (found.push(part) < words.length) return;
      if (found.includes(null)) return then({ rows: [], total: 0 });
      const best = found.reduce((best, part) => part.total < best.total ? part : best);
      const result = search(best, phrase, limit);
      result.isCut = best.next !== undefined;
      if (result.isCut && words.length === 1) result.total = best.total;
      then(result);
    }, failed));
  }, failed);

  /** Goes from part to part by a word's letters, as far as they lead; null where nothing begins so. */
  function walk(at, letters, depth, then, failed) {
    if (at.next === undefined || depth === letters.length) return then(at);
    if (!at.next.includes(letters[depth])) return then(null);
    part(letters.slice(0, depth + 1).join(''), next => walk(next, letters, depth + 1, then, failed), failed);
  }

  function search(index, phrase, limit) {
    const texts = index.texts();
    const words = phrase.split(' ');
    const starts = words.map(word => ' ' + word);
    const whole = ' ' + phrase;
    const ranks = [[], [], [], [], []];
    for (let row = 0; row < texts.names.length; row += 1) {
      const name = texts.names[row];
      const values = texts.values[row];
      let rank = 2;
      for (let at = 0; at < words.length && rank < 5; at += 1) {
        if (name.includes(starts[at])) continue;
        if (values.includes(starts[at])) rank = Math.max(rank, 3);
        else rank = name.includes(words[at]) || values.includes(words[at]) ? 4 : 5;
      }
      if (rank === 2 && name.startsWith(whole)) rank = name === whole ? 0 : 1;
      if (rank < 5) ranks[rank].push(row);
    }
    const rows = [].concat(...ranks);
    return {
      rows: rows.slice(0, limit).map(row => ({ kind: texts.kinds[row], row: texts.rows[row] })),
      total: rows.length, isMore: rows.length > limit, isCut: false,
    };
  }
})();
