// The matrix as it is drawn: only the visible rows and columns are elements,
// and they are drawn once a frame.

  const rowHeight = 28;
  const beyond = 6; // rows drawn beyond the visible ones
  const columnsAtOnce = 8; // columns are drawn by this many

  // matrixOf makes the matrix in its element. show is called with an item and
  // a cell (undefined for the item's name) when one is chosen.
  const matrixOf = (m, element, show) => {
    const x = {
      m, element, items: [], columns: [], columnAt: [], lefts: [0], drawn: new Map(), frame: 0,
      active: { row: 0, column: -1 }, selected: undefined, cells: () => [], fits: undefined,
      sizer: element.querySelector('.sizer'), heads: element.querySelector('.heads'), body: element.querySelector('.rows'),
    };
    element.addEventListener('scroll', () => redraw(x), { passive: true });
    new ResizeObserver(() => { measure(x); drawNow(x); }).observe(element); // in this frame: the next would be one too late
    element.addEventListener('click', (event) => {
      const place = event.target.closest('[data-row]');
      if (!place) return;
      focusCell(x, Number(place.dataset.row), Number(place.dataset.column));
      chosen(x, show);
    });
    return x;
  };

  const chosen = (x, show) => {
    const item = x.items[x.active.row];
    if (item && item.group === undefined) show(item, placedIn(x, item).find((cell) => cell.column === x.active.column));
  };

  // setMatrix gives the matrix what it shows.
  const setMatrix = (x, { items, columns, cells, fits, view }) => {
    const kept = x.items[x.active.row];
    Object.assign(x, { items, columns, cells, fits, view, placed: new Map() });
    x.columnAt = new Int32Array(x.m.index.steps.number.length).fill(-1);
    columns.forEach((column, i) => x.columnAt.fill(i, column.first, column.last + 1));
    x.rowOf = new Map(items.map((item, i) => [keyOfItem(item), i]));
    x.active.row = x.rowOf.get(kept && keyOfItem(kept)) ?? items.findIndex((item) => item.group === undefined);
    x.active.column = Math.min(x.active.column, columns.length - 1);
    measure(x);
    redraw(x, true);
  };
  const keyOfItem = ({ group, copy, path }) => (group !== undefined ? 'group ' + group : path === undefined ? copy : copy + ' ' + path);

  const placedIn = (x, item) => {
    if (!x.placed.has(item)) x.placed.set(item, placed(x.columnAt, x.cells(item), x.fits.cell, x.fits.wanted));
    return x.placed.get(item);
  };

  // measure says how wide everything is.
  const gap = 6; // between stages
  const measure = (x) => {
    const { element, columns } = x;
    const steps = x.view?.columns === 'steps';
    x.names = element.clientWidth < 640 ? 150 : element.clientWidth < 900 ? 200 : 240;
    const digits = String(x.m.index.steps.number.at(-1) ?? 0).length;
    const room = (element.clientWidth - x.names - 2) / Math.max(1, columns.length);
    const least = steps ? Math.max(24, 7 * digits + 5) : 40;
    x.width = Math.floor(Math.max(least, Math.min(steps ? room - gap : room, steps ? (columns.length < 8 ? 110 : 60) : 190)));
    x.worded = x.width >= 96;
    x.lefts = [0];
    columns.forEach((column, i) => {
      const ends = steps && columns[i + 1] && columns[i + 1].stage !== column.stage;
      x.lefts.push(x.lefts[i] + x.width + (ends ? gap : 0));
    });
    x.head = steps ? 50 : 44;
    x.sizer.style.width = x.names + x.lefts.at(-1) + 'px';
    x.sizer.style.height = x.head + x.items.length * rowHeight + 'px';
    x.heads.style.height = x.head + 'px';
    element.style.setProperty('--names', x.names + 'px');
    element.style.setProperty('--cell', x.width + 'px');
    element.classList.toggle('worded', x.worded);
    element.classList.toggle('by-stage', !steps);
    element.setAttribute('aria-rowcount', x.items.length + 2);
    element.setAttribute('aria-colcount', columns.length + 1);
    clearDrawn(x);
  };

  const clearDrawn = (x) => {
    for (const { element } of x.drawn.values()) element.remove();
    x.drawn.clear();
    x.headRange = '';
  };

  const redraw = (x, whole) => {
    if (whole) clearDrawn(x);
    x.frame ||= requestAnimationFrame(() => drawNow(x));
  };

  // drawNow draws the visible part, and the active cell, which has the focus.
  const drawNow = (x) => {
    cancelAnimationFrame(x.frame);
    x.frame = 0;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = x.element;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - beyond);
    const last = Math.min(x.items.length - 1, Math.ceil((scrollTop + clientHeight) / rowHeight) + beyond);
    const from = Math.floor(columnLeftOf(x, scrollLeft) / columnsAtOnce) * columnsAtOnce;
    const to = (Math.floor(columnLeftOf(x, scrollLeft + clientWidth - x.names) / columnsAtOnce) + 1) * columnsAtOnce;
    for (const [i, row] of x.drawn) {
      if ((i < first || i > last) && i !== x.active.row) {
        row.element.remove();
        x.drawn.delete(i);
      }
    }
    for (let i = first; i <= last; i++) drawRow(x, i, from, to);
    if (x.items[x.active.row]) drawRow(x, x.active.row, from, to);
    drawHeads(x, from, to);
  };

  // columnLeftOf is the column at a distance from the left.
  const columnLeftOf = (x, left) => {
    let [low, high] = [0, Math.max(0, x.columns.length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (x.lefts[middle] <= left) low = middle; else high = middle - 1;
    }
    return low;
  };

  const drawRow = (x, i, from, to) => {
    const range = `${from} ${to}`;
    let row = x.drawn.get(i);
    if (row?.range === range) return;
    if (!row) {
      row = { element: rowElement(x, i) };
      x.drawn.set(i, row);
      x.body.append(row.element);
    }
    row.range = range;
    if (x.items[i].group === undefined) drawCells(x, i, row.element, from, to);
  };

  const rowElement = (x, i) => {
    const item = x.items[i];
    const row = make('div', item.group === undefined ? 'row' : 'row group');
    row.setAttribute('role', 'row');
    row.ariaRowIndex = i + 3;
    row.style.top = i * rowHeight + 'px';
    const name = make('div', 'name', ...(item.group === undefined ? itemName(x, item) : groupName(x, item)));
    name.setAttribute('role', 'rowheader');
    name.ariaColIndex = 1;
    if (item.group === undefined) {
      place(x, name, i, -1);
      name.title = visible(nameOf(x.m, item.copy) + (item.path === undefined ? '' : ' ' + x.m.text(item.path)));
    }
    row.append(name, make('div', 'cells'));
    row.lastChild.setAttribute('role', 'presentation');
    return row;
  };

  const groupName = (x, item) => [make('b', '', visible(item.group)),
    make('span', 'meta', ` ${visible(x.m.text(x.m.index.copies.kind[item.kind]))}`), make('span', 'count', String(item.count))];

  // headState is the worst that an item's cells show. A field's are not known
  // before the copy's rows are unpacked.
  const headState = (x, item) => {
    const cells = placedIn(x, item);
    return cells.some((cell) => cell.pending) ? stateOfPath(x.m, item.copy, item.path) : cells.map((cell) => cell.state).reduce(worse, -1);
  };

  const itemName = (x, item) => {
    const { copy, path, byCopy } = item;
    const { copies, fields } = x.m.index;
    const values = path === undefined ? [] : x.m.paths[copy].get(path);
    const state = x.m.state(headState(x, item));
    const sign = make('span', 'sign ' + state.word, state.shape);
    sign.title = state.name;
    const name = visible(path === undefined || byCopy ? nameOf(x.m, copy) : x.m.text(path));
    const role = x.m.text(copies.role[copy]);
    const aside = path === undefined ? (name.includes(role) ? '' : role) : values.length ? shown(x.m.text(fields.value[values.at(-1)])) : '';
    const text = [sign, make('span', 'what', name), make('span', 'aside', aside)];
    if (path === undefined && copies.frozen[copy]) text.push(frozenTag(x.m));
    return text;
  };

  const frozenTag = ({ index }) => {
    const { word, shape, meaning } = index.states.find((s) => s.word === 'frozen');
    const tag = make('span', 'frozen tag', shape);
    tag.title = `${word}: ${meaning}`;
    return tag;
  };

  // place makes an element one that the focus can be on.
  const place = (x, element, row, column) => {
    element.dataset.row = row;
    element.dataset.column = column;
    element.tabIndex = x.active.row === row && x.active.column === column ? 0 : -1;
  };

  const drawCells = (x, i, row, from, to) => {
    const cells = placedIn(x, x.items[i]);
    const focused = row.lastChild.contains(document.activeElement);
    const parts = [];
    cells.forEach((cell, k) => {
      const next = cells[k + 1];
      const active = i === x.active.row && cell.column === x.active.column;
      if ((cell.column >= from && cell.column <= to) || active) parts.push(cellElement(x, i, cell));
      if (next && cell.column <= to && next.column >= from) parts.push(carry(x, cell, next));
    });
    row.lastChild.replaceChildren(...parts);
    if (focused) row.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  };

  const cellElement = (x, i, cell) => {
    const state = x.m.state(cell.state);
    const cls = ['cell', state.word, cell.edge && 'edge', !cell.fits && 'apart', ['', 'found', 'unexpected'][cell.found], cell.pending && 'pending'];
    const element = make('div', cls.filter(Boolean).join(' '), state.shape || '·');
    if (x.worded) element.append(make('span', 'word', state.name || 'not read'));
    element.setAttribute('role', 'gridcell');
    element.ariaColIndex = cell.column + 2;
    element.ariaLabel = element.title = cellLabel(x, cell, state);
    element.ariaSelected = String(isSelected(x, i, cell));
    element.style.left = x.lefts[cell.column] + 'px';
    place(x, element, i, cell.column);
    return element;
  };

  const isSelected = (x, i, cell) => !!x.selected && x.rowOf.get(x.selected.key) === i && x.columnAt[x.selected.at] === cell.column;

  const cellLabel = (x, cell, state) => {
    const { steps } = x.m.index;
    const many = cell.count > 1 ? `, the worst of ${cell.count} steps` : '';
    return visible(`step ${steps.number[cell.at]}, ${stageName(x.m, cell.at)}: ${state.name || 'nothing read'}${many}; ` +
      `${x.m.text(steps.title[cell.at])}${['', '; a finding, expected', '; a finding, not expected'][cell.found]}`);
  };

  // carry is the line from a cell to the next: the state lasts between them.
  const carry = (x, cell, next) => {
    const line = make('div', 'carry ' + x.m.state(cell.state).word);
    line.setAttribute('role', 'presentation');
    line.style.left = x.lefts[cell.column] + x.width - 2 + 'px';
    line.style.width = Math.max(0, x.lefts[next.column] - x.lefts[cell.column] - x.width + 4) + 'px';
    return line;
  };
