/* The sortable table of a page: adds a button to each heading with `data-sort="text"` or `data-sort="number"`. The order is in the address. */
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

  function enhance(heading) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => {
      const sign = heading.getAttribute('aria-sort') === 'ascending' ? '-' : '';
      const hash = '#sort=' + sign + (heading.cellIndex + 1);
      try {
        history.pushState(null, '', hash);
      } catch {
        location.hash = hash; // some browsers refuse it for files
      }
      show();
    });
  }

  /* Sorts the table as the address says: `sort=2` is ascending by the second column, `sort=-2` descending. */
  function show() {
    const wanted = Number(new URLSearchParams(location.hash.slice(1)).get('sort'));
    const heading = headings.find((heading) => heading.cellIndex + 1 === Math.abs(wanted));
    for (const other of headings) other.removeAttribute('aria-sort');
    heading?.setAttribute('aria-sort', wanted > 0 ? 'ascending' : 'descending');
    for (const [body, rows] of served) body.append(...rows);
    if (heading) for (const body of table.tBodies) sort(body, heading.cellIndex, heading.dataset.sort, Math.sign(wanted));
  }

  const table = document.querySelector('table.sortable');
  if (!table) return;
  const headings = [...table.querySelectorAll('th[data-sort]')];
  const served = [...table.tBodies].map((body) => [body, [...body.rows]]); // the order without a choice
  headings.forEach(enhance);
  if (location.hash) show();
  // A link within the page, such as the skip link, does not change the order.
  addEventListener('hashchange', () => document.getElementById(location.hash.slice(1)) || show());
})();
