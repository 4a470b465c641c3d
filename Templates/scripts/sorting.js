/* Sortable tables: adds a button to each heading with `data-sort="text"` or `data-sort="number"`. */
(function () {
  'use strict';

  const collator = new Intl.Collator(document.documentElement.lang, { sensitivity: 'base', numeric: true });

  /* The sort value of a cell: `data-value`, or else its text. Null for an empty cell. */
  function valueOf(cell, kind) {
    const text = cell?.dataset.value ?? cell?.textContent.trim();
    if (!text) return null;
    return kind === 'text' ? text : Number(text);
  }

  /* Empty cells come last in both directions. Equal rows keep their order. */
  function sort(body, column, kind, sign) {
    const rows = [...body.rows].map((row) => ({ row, value: valueOf(row.cells[column], kind) }));
    const compare = kind === 'text' ? collator.compare : (a, b) => a - b;
    rows.sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
      return sign * compare(a.value, b.value);
    });
    body.append(...rows.map(({ row }) => row));
  }

  function enhance(table, heading) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => {
      const direction = heading.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending';
      for (const other of table.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort');
      heading.setAttribute('aria-sort', direction);
      for (const body of table.tBodies) sort(body, heading.cellIndex, heading.dataset.sort, direction === 'ascending' ? 1 : -1);
    });
  }

  for (const table of document.querySelectorAll('table.sortable')) {
    for (const heading of table.querySelectorAll('th[data-sort]')) enhance(table, heading);
  }
})();
