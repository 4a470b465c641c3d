'use strict';
// Finds rows of the search index, be it whole or in parts.
(function () {
  const wordLimit = 16;

  /**
   * Finds the rows that have every word of a query, the best first: the name itself, names that begin so, words of names that do,
   * words of other fields, insides of words. `then` gets { rows: [{ kind, row }], total, isMore, isCut }: whether a higher limit
   * would give more rows, and whether there are rows that only a longer query reaches.
   */
  amber.find = (query, limit, then, failed) => amber.index(index => {
    const phrase = amber.fold(query).trim();
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
    amber.part(letters.slice(0, depth + 1).join(''), next => walk(next, letters, depth + 1, then, failed), failed);
  }

  function search(index, phrase, limit) {
    const texts = textsOf(index);
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

  /** Each row's name and values, folded at one go and kept; a space stands before every word. */
  function textsOf(index) {
    if (index.texts) return index.texts;
    const texts = index.texts = { kinds: [], rows: [], names: [], values: [] };
    for (const kind of index.kinds) {
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
})();
