/* The sortable table of a page: adds a button to each heading with `data-sort="text"` or `data-sort="number"`. The order is in the
   address. A sorted or filtered list of several pages is on one page. */
(function () {
  'use strict';

  const mostPages = 20;
  const collator = new Intl.Collator(document.documentElement.lang, { sensitivity: 'base', numeric: true });

  /* The sort value of a cell: `data-value`, or else its text. Null for an empty cell, and for a text among numbers. */
  function valueOf(cell, kind) {
    const text = cell?.dataset.value ?? cell?.textContent.trim();
    if (!text || kind !== 'text' && Number.isNaN(Number(text))) return null;
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
      // The filters are in the address, too.
      const parameters = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
      parameters.set('sort', sign + (heading.cellIndex + 1));
      const hash = '#' + parameters;
      try {
        history.pushState(null, '', hash);
      } catch {
        location.hash = hash; // some browsers refuse it for files
      }
      update();
    });
  }

  /* The rows of all pages, in the order of the list. */
  async function readPages() {
    const rows = [];
    for (let url = pager.querySelector('ol a').href; url;) {
      const response = await fetch(url);
      if (!response.ok) throw new Error(url);
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      for (const link of page.querySelectorAll('.sortable a, .pager a')) link.href = new URL(link.getAttribute('href'), url);
      rows.push(...(page.querySelector('.sortable')?.tBodies[0].rows ?? []));
      url = page.querySelector('.pager [rel="next"]')?.href;
    }
    return rows;
  }

  /* The other pages are read when the reader first sorts or filters the list. */
  function update() {
    failure.remove();
    if (!pager || all || !(wanted() || chosen)) return show();
    reading ??= readPages();
    reading.then((rows) => {
      all = rows;
      show();
    }, () => {
      reading = null;
      failure.textContent = amber.text('loadFailed');
      table.before(failure);
    });
  }

  /* `sort=2` in the address is ascending by the second column, `sort=-2` descending. */
  function wanted() {
    return Number(new URLSearchParams(location.hash.slice(1)).get('sort'));
  }

  function show() {
    const order = wanted();
    const heading = headings.find((heading) => heading.cellIndex + 1 === Math.abs(order));
    for (const other of headings) other.removeAttribute('aria-sort');
    heading?.setAttribute('aria-sort', order > 0 ? 'ascending' : 'descending');
    const isWhole = Boolean(heading || chosen);
    for (const [body, rows] of served) {
      const own = (isWhole && all) || rows;
      body.replaceChildren(...(chosen ? own.filter((row) => chosen.has(row.querySelector('a')?.href.split('#')[0])) : own));
    }
    for (const part of paging) part.hidden = isWhole;
    if (heading) for (const body of table.tBodies) sort(body, heading.cellIndex, heading.dataset.sort, Math.sign(order));
  }

  const table = document.querySelector('table.sortable');
  const pager = document.querySelector('.pager');
  const paging = pager ? [pager, ...document.querySelectorAll('.heading small')] : [];
  const pages = Number(pager?.querySelector('li:last-child').textContent ?? 1);
  if (!table) return;
  const headings = [...table.querySelectorAll('th[data-sort]')];
  // Scripts cannot read the pages of a site on a disk.
  if (pager && (pages > mostPages || location.protocol === 'file:' || table.tBodies.length > 1)) {
    for (const heading of headings) delete heading.dataset.sort; // the mark of a column to sort by
    return;
  }
  const failure = Object.assign(document.createElement('p'), { className: 'failure', role: 'alert' });
  const served = [...table.tBodies].map((body) => [body, [...body.rows]]); // the order without a choice
  let reading;
  let all;
  let chosen = null; // the addresses of the records that match the filters
  headings.forEach(enhance);
  // A record leads to its neighbours in the order of the table.
  table.addEventListener('click', ({ target }) => {
    const links = [...table.querySelectorAll('td:first-child a')];
    if (!wanted() || !links.includes(target.closest('a'))) return;
    amber.store.set(amber.orderName, JSON.stringify([wanted(), ...links.map((link) => link.href.split('#')[0])]));
  });
  amber.choose = (addresses) => {
    chosen = addresses;
    update();
  };
  if (location.hash) update();
  // A link within the page, such as the skip link, does not change the order.
  addEventListener('hashchange', () => document.getElementById(location.hash.slice(1)) || update());
})();
