/* Tables with class `sortable`: a button in each heading that names how its column is sorted, `data-sort="text"` or `"number"`. */
(function () {
  'use strict';

  const collator = new Intl.Collator(document.documentElement.lang || undefined, { sensitivity: 'base', numeric: true });

  /* What a cell counts as: `data-value` where it has one, else its text. Null, which comes last, where there is none. */
  function valueOf(row, column, kind) {
    const cell = row.cells[column];
    if (!cell) return null;
    const text = (cell.dataset.value === undefined ? cell.textContent : cell.dataset.value).trim();
    if (text === '') return null;
    if (kind !== 'number') return text;
    const number = Number(text);
    return Number.isNaN(number) ? null : number;
  }

  /* Stable either way: rows that are equal keep the order they had. */
  function sort(body, column, kind, sign) {
    const rows = Array.from(body.rows, (row) => ({ row, value: valueOf(row, column, kind) }));
    rows.sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
      return sign * (kind === 'number' ? a.value - b.value : collator.compare(a.value, b.value));
    });
    const sorted = document.createDocumentFragment();
    for (const { row } of rows) sorted.append(row);
    body.append(sorted);
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
