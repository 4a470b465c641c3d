/* Links a record to its neighbours in the filtered or sorted list that its address chooses. Needs records.js and rows.js. */
(function () {
  'use strict';

  const neighbours = document.querySelector('.neighbours');
  const chosen = new URLSearchParams(location.hash.slice(1));
  const here = location.href.split('#')[0];
  amber.whole(index => {
    // The kinds of one list have the same facets.
    const own = index.kinds.find(kind => kind.ids.some((_, row) => kind.href(row) === here));
    if (!own || index.next !== undefined) return;
    const kinds = index.kinds.filter(kind => amber.facetNames([kind]).join() === amber.facetNames([own]).join());
    const { all, columns } = amber.rows(kinds);
    const wanted = columns.map(({ name, slugs, index }) => ({ place: slugs.indexOf(chosen.get(name)), index })).filter(({ place }) => place >= 0);
    const found = all.filter((_, row) => wanted.every(({ place, index }) => index[row].includes(place)));
    const sort = chosen.get('sort') || '';
    const rows = Number(sort) ? inOrder(found, Number(sort), here) : amber.sort(found, sort);
    const place = rows.findIndex(({ kind, row }) => kind.href(row) === here);
    if (place >= 0) neighbours.replaceChildren(...link('prev', rows[place - 1]), ...link('next', rows[place + 1]));
  });

  /** Rows in the order of the last sorted table. If the record at `here` is not in it, they keep their order. */
  function inOrder(rows, sort, here) {
    let kept;
    try {
      kept = JSON.parse(amber.store.get(amber.orderName));
    } catch (error) {
      return rows; // another script wrote the entry
    }
    const places = new Map(Array.isArray(kept) && kept[0] === sort ? kept.map((address, place) => [address, place]) : []);
    const place = ({ kind, row }) => places.get(kind.href(row)) ?? Infinity;
    return places.has(here) ? [...rows].sort((a, b) => place(a) - place(b) || 0) : rows;
  }

  function link(rel, found) {
    if (!found) return [];
    const made = amber.element('a', rel === 'next' ? 'next' : '');
    const name = amber.served(amber.element('span', '', found.kind.labels[found.row]));
    made.rel = rel;
    made.href = found.kind.href(found.row) + location.hash;
    made.append(...(rel === 'next' ? [name, ' →'] : ['← ', name]));
    return [made];
  }
})();
