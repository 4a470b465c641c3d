'use strict';
// The rows of a list that its address chooses, in the order that it names.
(function () {
  const collator = new Intl.Collator(document.documentElement.lang, { sensitivity: 'base', numeric: true });

  amber.slug = value => amber.fold(value).trim().replace(/\s+/g, '-') || (value.trim() ? 'value' : 'none');

  /** The slugs of a facet's values. Equal slugs get a number, so that each is unique. */
  function slugs(values) {
    const taken = new Set();
    // For each slug the next number to try. All smaller numbers are taken.
    const numbers = new Map();
    return values.map(value => {
      const plain = amber.slug(value);
      let own = plain;
      let n = numbers.get(plain) ?? 2;
      for (; taken.has(own); n += 1) own = plain + '-' + n;
      numbers.set(plain, n);
      taken.add(own);
      return own;
    });
  }

  /** All rows of the kinds, and the facets with each value once. `index` has the places of each row's values: one, or those of a list. */
  amber.rows = kinds => {
    const all = kinds.flatMap(kind => Array.from(kind.labels, (_, row) => ({ kind, row })));
    return {
      all, columns: amber.facetNames(kinds).map(name => {
        const places = new Map();
        const place = value => {
          if (!places.has(value)) places.set(value, places.size);
          return places.get(value);
        };
        // The places of a kind's values are looked up once, not for each row.
        const own = new Map(kinds.map(kind => {
          const column = kind.columns.find(column => column.name === name);
          const known = column ? column.values.map(value => column.elements(value).map(place)) : [];
          return [kind, row => (column && known[column.index(row)]) ?? [place('')]];
        }));
        const index = all.map(({ kind, row }) => own.get(kind)(row));
        const values = [...places.keys()];
        return { name, values, slugs: slugs(values), index };
      }),
    };
  };

  /** The names of the facets of kinds. */
  amber.facetNames = kinds => [...new Set(kinds.flatMap(kind => kind.columns.filter(column => column.isFacet).map(column => column.name)))];

  /**
   * Sorts rows by `name` or by a column, or in the opposite order if the key starts with "-". Columns of numbers are sorted as
   * numbers. Rows without a value are last in both orders. Equal rows keep their order.
   */
  amber.sort = (rows, key) => {
    const name = key.replace(/^-/, '');
    const columns = new Map(rows.map(({ kind }) => [kind, kind.columns.find(column => column.name === name)]));
    if (name !== 'name' && ![...columns.values()].some(Boolean)) return rows;
    const keyed = rows.map(found => {
      const { kind, row } = found;
      return { found, value: name === 'name' ? kind.labels[row] : columns.get(kind)?.value(row) ?? '' };
    });
    const compare = keyed.every(({ value }) => !isNaN(value)) ? (a, b) => a - b : collator.compare;
    const sign = key === name ? 1 : -1;
    keyed.sort(({ value: a }, { value: b }) => a && b ? sign * compare(a, b) : !a - !b);
    return keyed.map(({ found }) => found);
  };
})();
