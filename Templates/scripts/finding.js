'use strict';
// Finds rows of the search index, which is one file or split into parts.
(function () {
  const wordLimit = 16;
  const nameLimit = 64;
  const queryLimit = 200;

  /** The folded query. It is cut, because every row is compared with each of its words. */
  amber.phrase = query => amber.fold(Array.from(query.trim()).slice(0, queryLimit).join('')).trim();

  /** The distinct words of a phrase. */
  amber.words = phrase => [...new Set(phrase.split(' '))].filter(Boolean);

  /**
   * Finds the rows that match every word of a query. The best come first: equal names, names that begin with the query, words in
   * names, words in other fields, parts of words. `then` receives { groups, total, isCut }. A group is { name, counted, rows:
   * [{ kind, row }], total }, with at most `limit` rows. The group with the best row comes first. `isCut`: a longer query may
   * find other rows.
   */
  amber.find = (query, limit, then, failed) => amber.index(index => {
    const phrase = amber.phrase(query);
    if (!phrase) return then({ groups: [], total: 0 });
    if (index.next === undefined) return then(search(index, phrase, limit));
    const words = amber.words(phrase);
    // Long words are usually rare, so they are looked up first. If one part has all rows of a word, the other words are not looked up.
    const rest = [...words].sort((a, b) => b.length - a.length);
    const found = [];
    const next = () => {
      const word = rest.shift();
      if (word === undefined) return frequent(index, phrase, words, found, limit, then, failed);
      walk(index, Array.from(indexed(index, word)).slice(0, wordLimit), 0, (part, prefix) => {
        if (!part) return then({ groups: [], total: 0 });
        if (part.next === undefined) return then(search(part, phrase, limit));
        found.push({ part, prefix });
        next();
      }, failed);
    };
    next();
  }, failed);

  /**
   * Used if each word has too many rows for one part. Searches the best rows of the rarest word, and the rows whose name begins
   * with the phrase.
   */
  function frequent(index, phrase, words, found, limit, then, failed) {
    found.sort((a, b) => a.part.total - b.part.total);
    const isOne = phrase === words[0];
    const rarest = isOne ? undefined : found.find(({ part }) => part.next.includes(' '));
    const show = parts => {
      const result = search(parts.length > 1 ? merged(parts) : parts[0], phrase, limit);
      result.isCut = true;
      if (isOne) result.total = found[0].part.total;
      then(result);
    };
    named(index, phrase, parts => {
      if (!isOne || !parts.length) parts = parts.concat(found.map(({ part }) => part));
      if (!rarest) return show(parts);
      amber.part(rarest.prefix + ' ', best => show(parts.concat(best)), failed);
    }, failed);
  }

  /**
   * The index has served values. A word whose first letter begins no served word becomes the word of the first value whose
   * translation begins with it.
   */
  function indexed(index, word) {
    if (index.next.includes(Array.from(word)[0])) return word;
    const [value] = amber.translated(word);
    return value === undefined ? word : amber.words(amber.phrase(value))[0] ?? word;
  }

  /** Follows a word's letters from part to part. Returns null if no word begins with them. */
  function walk(at, letters, depth, then, failed) {
    if (at.next === undefined || depth === letters.length) return then(at, letters.slice(0, depth).join(''));
    if (!at.next.includes(letters[depth])) return then(null);
    amber.part(letters.slice(0, depth + 1).join(''), next => walk(next, letters, depth + 1, then, failed), failed);
  }

  /** The parts with the names that begin with a phrase. After the first word, the letters of the name lead to them. */
  function named(index, phrase, then, failed) {
    walk(index, Array.from(phrase).slice(0, nameLimit), 0, (part, prefix) => {
      if (!part) return then([]);
      // If every row of this part has the name itself, the part below may have more of them.
      const isFull = part.next !== undefined && part.next.includes(' ') && textsOf(part).names.every(name => name === ' ' + phrase);
      if (!isFull) return then([part]);
      amber.part(prefix + ' ', next => then([part, next]), failed);
    }, failed);
  }

  /** Merges parts. Each row occurs once. */
  function merged(parts) {
    parts.forEach(textsOf);
    const kinds = parts[0].kinds.map((first, number) => {
      const places = new Map();
      for (const part of parts) part.kinds[number].ids.forEach((id, row) => places.set(id, [part.kinds[number], row]));
      const ids = [...places.keys()].sort((a, b) => a - b);
      const rows = ids.map(id => places.get(id));
      const columns = first.columns.map((column, place) => {
        const own = row => rows[row][0].columns[place];
        return Object.assign({}, column, { value: row => own(row).value(rows[row][1]), text: row => own(row).text(rows[row][1]) });
      });
      return {
        name: first.name, group: first.group, counted: first.counted, ids, labels: rows.map(([kind, row]) => kind.labels[row]), count: ids.length,
        href: row => rows[row][0].href(rows[row][1]), picture: row => rows[row][0].picture(rows[row][1]), columns, rows,
      };
    });
    const texts = { kinds: [], rows: [], names: [], values: [], words: [] };
    for (const kind of kinds) {
      kind.rows.forEach(([own, place], row) => {
        texts.kinds.push(kind);
        texts.rows.push(row);
        texts.names.push(own.texts.names[place]);
        texts.values.push(own.texts.values[place]);
        texts.words.push(own.texts.words[place]);
      });
    }
    return { total: texts.rows.length, kinds, texts };
  }

  function search(index, phrase, limit) {
    const texts = textsOf(index);
    let rows = ranked(texts, phrase, sound);
    // Vowels differ more between the alphabets than consonants.
    if (!rows.length) rows = ranked(texts, phrase, consonants);
    const groups = new Map();
    for (const row of rows) {
      const kind = texts.kinds[row];
      if (!groups.has(kind.group)) groups.set(kind.group, { name: kind.group, counted: kind.counted, rows: [], total: 0 });
      const group = groups.get(kind.group);
      group.total += 1;
      if (group.rows.length < limit) group.rows.push({ kind, row: texts.rows[row] });
    }
    return { groups: [...groups.values()], total: rows.length, isCut: false };
  }

  /** The rows that match every word, the best first. */
  function ranked(texts, phrase, hear) {
    const words = amber.words(phrase);
    const starts = words.map(word => ' ' + word);
    const whole = ' ' + phrase;
    const alike = soundsOf(texts, words, hear);
    const ranks = [[], [], [], [], []];
    for (let row = 0; row < texts.names.length; row += 1) {
      const name = texts.names[row];
      const values = texts.values[row];
      let rank = 2;
      for (let at = 0; at < words.length && rank < 5; at += 1) {
        if (name.includes(starts[at])) continue;
        if (values.includes(starts[at]) || texts.words[row].includes(starts[at]) || alike(at, row)) rank = Math.max(rank, 3);
        else rank = name.includes(words[at]) || values.includes(words[at]) ? 4 : 5;
      }
      if (rank === 2 && name.startsWith(whole)) rank = name === whole ? 0 : 1;
      if (rank < 5) ranks[rank].push(row);
    }
    return [].concat(...ranks);
  }

  // A Cyrillic word also finds Latin texts that sound alike: "рик" finds "Rick". An index of several parts has no such words.
  const latin = { а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ж: 'j', з: 'z', и: 'i', к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r',
    с: 's', т: 't', у: 'u', ф: 'f', х: 'h', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'sh', ы: 'i', э: 'e', ю: 'u', я: 'a' };

  /** How a word sounds, roughly. The vowels a, o and u count as one letter, and e, i and y as another. Double letters count once. */
  const sound = text => text
    .replace(/дж/g, 'j').replace(/[а-я]/g, letter => latin[letter] ?? '')
    .replace(/ph/g, 'f').replace(/th/g, 't').replace(/ts/g, 's').replace(/ch/g, 'č').replace(/c(?=[eiy])/g, 's').replace(/[cq]/g, 'k').replace(/x/g, 'ks').replace(/w/g, 'v')
    .replace(/[aeiouy]+/g, run => 'aou'.includes(run[0]) ? 'a' : 'i').replace(/([^\s])\1+/g, '$1');

  /** The consonants of a sound: "майкл джексон" and "michael jackson" have the same ones. */
  const consonants = text => sound(text).replace(/č/g, 'k').replace(/g/g, 'j').replace(/(\S)[ai]+/g, '$1').replace(/([^\s])\1+/g, '$1');

  /** Tells whether a row's name or values have a word that `hear` turns into the same sound as one of these words. */
  function soundsOf(texts, words, hear) {
    const wanted = words.map(word => /[а-я]/.test(word) && hear(word)).map(heard => heard && ' ' + heard);
    if (wanted.some(Boolean)) texts[hear.name] ??= hear(texts.names.map((name, row) => name + texts.values[row]).join('\n')).split('\n');
    return (at, row) => wanted[at] && texts[hear.name][row].includes(wanted[at]);
  }

  /**
   * Each row's folded name and values, with a space before every word. Computed once. The words of translated values are not
   * found by their parts, because "male" is a part of "female".
   */
  function textsOf(index) {
    if (index.texts) return index.texts;
    const texts = index.texts = { kinds: [], rows: [], names: [], values: [], words: [] };
    const folds = new Map();
    const shown = text => folds.has(text) ? folds.get(text) : folds.set(text, ' ' + amber.phrase(text)).get(text);
    for (const kind of index.kinds) {
      const names = spaced(kind.labels);
      const columns = kind.columns.filter(column => column.isSearched).map(column => [column, spaced(column.values)]);
      kind.texts = { names, values: [], words: [] };
      for (let row = 0; row < kind.count; row += 1) {
        texts.kinds.push(kind);
        texts.rows.push(row);
        texts.names.push(names[row]);
        let values = '';
        let words = '';
        for (const [column, served] of columns) {
          const text = served[column.index(row)] || '';
          if (!column.isTranslated) values += text;
          else words += text + shown(column.text(row));
        }
        texts.words.push(words);
        kind.texts.words.push(words);
        texts.values.push(values);
        kind.texts.values.push(values);
      }
    }
    return texts;
  }

  function spaced(list) {
    const text = list.map(line => line.includes('\n') ? line.replace(/\n/g, ' ') : line).join('\n');
    return amber.fold('\n' + text).replace(/ *\n */g, '\n ').slice(1).split('\n').map(line => line.trimEnd());
  }
})();
