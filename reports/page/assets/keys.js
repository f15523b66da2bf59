// The matrix's header, and how the focus moves in it.

  const drawHeads = (x, from, to) => {
    const range = `${from} ${to}`;
    if (x.headRange === range) return;
    x.headRange = range;
    const steps = x.view.columns === 'steps';
    const rows = [headRow(x, 1, steps ? 'Stage' : x.view.rows === 'objects' ? 'Copy' : 'Field', stageHeads(x, steps, from, to))];
    if (steps) rows.push(headRow(x, 2, x.view.rows === 'objects' ? 'Copy' : 'Field', stepHeads(x, from, to)));
    x.heads.replaceChildren(...rows);
  };

  const headRow = (x, n, corner, heads) => {
    const name = make('div', 'name', corner);
    name.setAttribute('role', 'columnheader');
    name.ariaColIndex = 1;
    const row = make('div', 'row', name, make('div', 'cells', ...heads));
    row.setAttribute('role', 'row');
    row.ariaRowIndex = n;
    row.lastChild.setAttribute('role', 'presentation');
    return row;
  };

  const headCell = (x, cls, text, first, last) => {
    const head = make('div', 'head ' + cls, make('span', '', visible(text)));
    head.setAttribute('role', 'columnheader');
    head.ariaColIndex = first + 2;
    if (last > first) head.ariaColSpan = last - first + 1;
    head.style.left = x.lefts[first] + 'px';
    head.style.width = x.lefts[last] + x.width - x.lefts[first] + 'px';
    return head;
  };

  const stageHeads = (x, steps, from, to) => {
    const heads = [];
    for (let i = 0; i < x.columns.length;) {
      const first = i;
      do i++; while (steps && x.columns[i]?.stage === x.columns[first].stage);
      if (first > to || i - 1 < from) continue;
      const { name, replicas } = x.m.index.stages[x.columns[first].stage];
      const head = headCell(x, 'stage', name, first, i - 1);
      head.title = visible(`${name}: ${Object.entries(replicas).map(([r, role]) => `${r} runs ${role}`).join(', ')}`);
      heads.push(head);
    }
    return heads;
  };

  const stepHeads = (x, from, to) => {
    const heads = [];
    for (let i = from; i <= Math.min(to, x.columns.length - 1); i++) {
      const at = x.columns[i].first;
      const head = headCell(x, x.m.index.steps.edge[at] ? 'step edge' : 'step', String(x.m.index.steps.number[at]), i, i);
      head.title = visible(x.m.text(x.m.index.steps.title[at]));
      heads.push(head);
    }
    return heads;
  };

  // focusCell moves the focus to a cell, or to the item's name (column -1).
  const focusCell = (x, row, column) => {
    x.body.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    x.active = { row, column };
    bringToSight(x, row, column);
    x.drawn.get(row)?.element.remove();
    x.drawn.delete(row);
    drawNow(x);
    activeElement(x)?.focus({ preventScroll: true });
  };
  const activeElement = (x) => x.drawn.get(x.active.row)?.element.querySelector('[tabindex="0"]');

  const bringToSight = (x, row, column) => {
    const { element } = x;
    const top = row * rowHeight;
    const room = element.clientHeight - x.head - rowHeight;
    const far = top < element.scrollTop - room || top > element.scrollTop + 2 * room;
    if (far) element.scrollTop = Math.max(0, top - room / 2);
    else if (top < element.scrollTop) element.scrollTop = Math.max(0, top - rowHeight);
    else if (top > element.scrollTop + room) element.scrollTop = top - room;
    if (column < 0) return;
    const left = x.lefts[column];
    const width = element.clientWidth - x.names - x.width;
    if (left < element.scrollLeft) element.scrollLeft = Math.max(0, left - x.width);
    else if (left > element.scrollLeft + width) element.scrollLeft = left - width + x.width;
  };

  // nextItem is the next item that is a row, in a direction; else the one given.
  const nextItem = (x, from, by) => {
    const step = Math.sign(by);
    let found = x.active.row;
    for (let i = from + by, tries = 0; tries <= Math.abs(by) + 1; tries++, i += step) {
      const at = Math.min(x.items.length - 1, Math.max(0, i));
      if (x.items[at]?.group === undefined) return at;
      if (at !== i) break;
    }
    return found;
  };

  // nearest is the column of the cell next to where the focus was.
  const nearest = (cells, column) => {
    if (column < 0 || cells.length === 0) return -1;
    return cells.reduce((best, cell) => (Math.abs(cell.column - column) < Math.abs(best - column) ? cell.column : best), cells[0].column);
  };

  const vertical = { ArrowUp: () => -1, ArrowDown: () => 1, PageUp: (n) => -n, PageDown: (n) => n };

  // moveIn moves the focus by a key; it reports whether the key is one of these.
  const moveIn = (x, event) => {
    const { row, column } = x.active;
    const item = x.items[row];
    if (!item) return false;
    const page = Math.max(1, Math.floor((x.element.clientHeight - x.head) / rowHeight) - 1);
    const ends = { Home: 0, End: x.items.length - 1 }[event.key];
    const by = vertical[event.key]?.(page);
    if (by !== undefined || (ends !== undefined && event.ctrlKey)) {
      const to = by !== undefined ? nextItem(x, row, by) : nextItem(x, ends - (ends ? -1 : 1), ends ? -1 : 1);
      x.wanted ??= column;
      const wanted = x.wanted;
      focusCell(x, to, nearest(placedIn(x, x.items[to]), wanted));
      x.wanted = wanted;
      return true;
    }
    const to = sideways(x, placedIn(x, item), column, event);
    if (to === undefined) return false;
    x.wanted = undefined;
    focusCell(x, row, to);
    return true;
  };

  // sideways is the column that a key leads to: the next cell of the row, with
  // Ctrl the next one of another stage.
  const sideways = (x, cells, column, { key, ctrlKey }) => {
    const stage = (c) => x.columns[c]?.stage;
    const other = (cell) => !ctrlKey || stage(cell.column) !== stage(column);
    const last = cells.at(-1)?.column ?? -1;
    switch (key) {
      case 'ArrowRight': return cells.find((c) => c.column > column && other(c))?.column ?? last;
      case 'ArrowLeft': return cells.findLast((c) => c.column < column && other(c))?.column ?? -1;
      case 'Home': return -1;
      case 'End': return last;
    }
    return undefined;
  };
