// The section "Object states": what is shown, under which filter, and what is
// opened. All that changes it goes through here.

  const mostSteps = 120; // beyond that many columns a column is a stage at first

  const statesOf = (index) => {
    const m = modelOf(index);
    for (const found of m.findings.values()) found.sort(worstFirst(m));
    const at = (id) => document.getElementById(id);
    const s = {
      m, at, form: at('filter'), panel: at('shown'), view: { rows: 'objects', columns: '' }, cells: new Map(), pending: new Map(), unreadable: new Set(),
      filter: Object.fromEntries(filterNames.map((name) => [name, ''])), looked: undefined, order: findingOrder(m),
    };
    s.usual = index.steps.number.length > mostSteps ? 'stages' : 'steps';
    s.view.columns = s.usual;
    s.x = matrixOf(m, at('matrix'), (item, cell) => openItem(s, item, cell));
    fillFilter(m, s.form);
    at('states-app').hidden = false;
    at('states-omitted').hidden = !index.omitted;
    at('states-omitted').textContent = `${plural(index.omitted, 'body', 'bodies')} of copies without findings left out, to keep this page small; history.jsonl.zst has them.`;
    return s;
  };

  // worstFirst compares findings as the list above the states does: those not
  // expected first, then by state, and violations before impacts.
  const worstFirst = (m) => (one, other) => {
    const [a, b] = [one, other].map((f) => m.index.findings[f]);
    const rank = ({ state }) => (state < 0 ? m.index.states.length : state);
    const impact = (f) => m.text(f.class) !== 'violation';
    return a.expected - b.expected || rank(a) - rank(b) || impact(a) - impact(b) || a.step - b.step;
  };

  // findingOrder is the findings that a copy has, those not expected first,
  // then in the order of their creation; those of one cell as its evidence has them. One
  // of neither a step nor a path has no evidence to go to.
  const findingOrder = (m) => m.index.findings.map((_, i) => i)
    .filter((i) => m.index.findings[i].copy >= 0 && (m.index.findings[i].step > 0 || m.text(m.index.findings[i].path)))
    .sort((one, other) => {
      const [a, b] = [one, other].map((f) => m.index.findings[f]);
      return a.expected - b.expected || a.step - b.step || a.copy - b.copy || worstFirst(m)(one, other);
    });

  // cellsOf is an item's cells; those of a field represent the copy's steps
  // until the copy's rows are unpacked.
  const cellsOf = (s, { copy, path }) => {
    const key = `${s.filter.replica} ${copy} ${path ?? ''}`;
    if (!s.cells.has(key)) {
      const rows = ready(copy);
      if (rows) s.pending.delete(copy);
      const replica = s.m.index.replicas.indexOf(s.filter.replica);
      if (path === undefined) s.cells.set(key, rawCells(s.m, copy, replica));
      else if (!s.m.paths[copy].get(path).length) s.cells.set(key, foundCells(s.m, copy, path, replica));
      else if (rows) s.cells.set(key, fieldCells(s.m, copy, path, replica, rows));
      else return pendingCells(s, copy);
    }
    return s.cells.get(key);
  };

  // pendingCells are the same for all fields of a copy.
  const pendingCells = (s, copy) => {
    if (!s.pending.has(copy)) s.pending.set(copy, rawCells(s.m, copy, -1).map((cell) => ({ ...cell, state: -1, found: 0, pending: true })));
    return s.pending.get(copy);
  };

  // refresh draws the matrix anew, after the filter or the view has changed.
  const refresh = (s) => {
    showFilter(s.form, s.filter);
    s.form.elements.rows.value = s.view.rows;
    s.form.elements.columns.value = s.view.columns;
    const fits = fitsOf(s.m, s.filter);
    const cells = (item) => cellsOf(s, item);
    const items = listOf(s.m, { ...s.view, path: s.filter.path }, cells, fits);
    const columns = columnsOf(s.m, s.view, items, cells, fits);
    setMatrix(s.x, { items, columns, cells, fits, view: s.view });
    s.at('states-none').hidden = items.length > 0;
    s.at('states-count').value = countOf(s, items, columns);
    if (s.view.rows === 'fields') readRows(s);
  };

  const countOf = (s, items, columns) => {
    const rows = items.filter((item) => item.group === undefined).length;
    const all = s.view.rows === 'objects' ? s.m.copies : s.m.paths.reduce((n, paths) => n + paths.size, 0);
    const [one, many] = s.view.rows === 'objects' ? ['copy', 'copies'] : ['field', 'fields'];
    const kind = s.view.columns === 'steps' ? 'step' : 'stage';
    return `${rows} of ${plural(all, one, many)}, ${plural(columns.length, kind)}`;
  };

  // readRows unpacks the rows of all copies, which the states of fields need.
  const readRows = async (s) => {
    const wanting = s.m.index.copies.chunk.map((_, copy) => copy).filter((copy) => !ready(copy) && !s.unreadable.has(copy));
    if (wanting.length === 0 || s.reading) return;
    s.reading = true;
    for (const copy of wanting) {
      try {
        await rowsOf(s.m.index, copy);
      } catch (e) {
        s.unreadable.add(copy);
        tell(s, `The states of some fields cannot be read: ${visible(e.message)}`);
      }
    }
    s.reading = false;
    refresh(s);
  };

  const placeOf = (s) => {
    if (!s.looked) return { kind: '' };
    const { kind, copy, n, path } = s.looked;
    const { steps, copies } = s.m.index;
    return { kind, step: steps.number[copies.rows[copy][n]], copy: nameOf(s.m, copy), path };
  };
  const addressOf = (s) => writeAddress(placeOf(s), s.filter, {
    rows: s.view.rows === 'objects' ? '' : s.view.rows, columns: s.view.columns === s.usual ? '' : s.view.columns,
  });

  // openItem opens what was chosen in the matrix: a cell, or a row's name.
  const openItem = (s, { copy, path }, cell) => {
    const field = path === undefined ? '' : s.m.text(path);
    if (cell) look(s, { kind: 'step', copy, n: cell.n, path: field }, { visited: true });
    else if (field) look(s, { kind: 'ledger', copy, n: 0, path: field }, { visited: true });
    else look(s, { kind: 'step', copy, n: worstRow(s, copy), path: '' }, { visited: true });
  };
  const worstRow = (s, copy) => rawCells(s.m, copy, -1)
    .reduce((worst, cell) => (worst === undefined || (cell.state >= 0 && cell.state < worst.state) ? cell : worst), undefined)?.n ?? 0;

  // look shows the evidence of a row, or the ledger of a field. visited makes
  // it a place that the browser comes back to; the focus goes to its title,
  // unless it is to stay.
  const look = async (s, looked, { visited = false, stay = false } = {}) => {
    s.looked = looked;
    s.panel.hidden = false;
    s.at('states-view').classList.add('opened');
    if (looked.kind === 'step') s.row = looked.n;
    (visited ? visit : pass)(addressOf(s));
    markSelected(s);
    titleOf(s);
    if (!stay) {
      s.at('shown-title').focus({ preventScroll: true });
      s.panel.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    }
    const told = s.at('shown-told');
    let parts;
    try {
      parts = looked.kind === 'ledger'
        ? await drawLedger(s.m, looked.copy, looked.path, (step) => openStep(s, step))
        : await drawEvidence(s.m, looked.copy, looked.n, looked.path, (path) => openLedger(s, path));
    } catch (e) {
      parts = [make('p', 'warning', 'The evidence cannot be shown: ' + visible(e.message))];
    }
    if (s.looked !== looked) return; // something else is looked at by now
    if (told.contains(document.activeElement)) s.at('shown-title').focus({ preventScroll: true });
    told.replaceChildren(...parts);
    s.panel.scrollTop = 0;
    if (looked.finding !== undefined) markFinding(s, looked.finding);
  };

  // markFinding shows which finding of those in the evidence is meant.
  const markFinding = (s, f) => {
    const el = s.at('shown-told').querySelector(`[data-finding="${f}"]`);
    el?.setAttribute('aria-current', 'true');
    el?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  };
  const openStep = (s, step) => look(s, { kind: 'step', copy: s.looked.copy, n: rowAt(s.m, s.looked.copy, step).n, path: s.looked.path }, { visited: true });
  const openLedger = (s, path) => look(s, { kind: 'ledger', copy: s.looked.copy, n: s.looked.n, path }, { visited: true });

  // titleOf says what is looked at.
  const titleOf = (s) => {
    const { kind, copy, n, path } = s.looked;
    const { steps, copies } = s.m.index;
    const at = copies.rows[copy][n];
    const cell = rawCells(s.m, copy, -1).find((c) => c.at === at);
    const ledger = kind === 'ledger';
    s.at('shown-title').replaceChildren(...(ledger ? [make('small', '', 'Ledger of '), code(path)]
      : [chip(s.m, cell ? cell.state : -1), ' ', code(nameOf(s.m, copy)), ` · step ${steps.number[at]}`]));
    s.at('shown-what').textContent = visible(ledger ? `${nameOf(s.m, copy)}, ${s.m.text(copies.role[copy])} ${s.m.text(copies.kind[copy])}`
      : `${stageName(s.m, at)} · ${s.m.text(steps.title[at])}`);
    s.at('shown-place').textContent = ledger ? '' : `${n + 1} of ${copies.rows[copy].length}`;
    s.at('row-before').disabled = ledger || n === 0;
    s.at('row-next').disabled = ledger || n === copies.rows[copy].length - 1;
    s.at('shown-back').hidden = !ledger;
    s.at('shown-address').hidden = true;
    s.at('shown-link').textContent = 'Copy link';
  };

  // markSelected shows in the matrix what is looked at. Where the filter hides
  // its row, nothing is marked.
  const markSelected = (s) => {
    const { copy, n, path } = s.looked;
    const pathNumber = s.view.rows === 'fields' ? [...s.m.paths[copy].keys()].find((p) => s.m.text(p) === path) : undefined;
    const key = keyOfItem(s.view.rows === 'fields' && pathNumber !== undefined ? { copy, path: pathNumber } : { copy });
    s.x.selected = { key, at: s.m.index.copies.rows[copy][n] };
    const row = s.x.rowOf.get(key);
    if (row === undefined) return redraw(s.x, true);
    const column = s.x.columnAt[s.x.selected.at];
    s.x.active = { row, column: s.looked.kind === 'ledger' ? -1 : column };
    bringToSight(s.x, row, column);
    redraw(s.x, true);
  };

  const hideShown = (s) => {
    const held = s.panel.contains(document.activeElement);
    s.looked = s.x.selected = undefined;
    s.panel.hidden = true;
    s.at('states-view').classList.remove('opened');
    redraw(s.x, true);
    if (held) focusCell(s.x, s.x.active.row, s.x.active.column);
  };

  const closeShown = (s) => {
    hideShown(s);
    visit(addressOf(s));
    focusCell(s.x, s.x.active.row, s.x.active.column);
  };

  // stepRow goes to another row of the copy that is looked at.
  const stepRow = (s, by) => {
    if (!s.looked || s.looked.kind !== 'step') return;
    const n = s.looked.n + by;
    if (n >= 0 && n < s.m.index.copies.rows[s.looked.copy].length) look(s, { ...s.looked, n }, { stay: s.panel.contains(document.activeElement) });
  };

  // stepFinding goes to another finding, of those whose row the filter shows.
  const stepFinding = (s, by) => {
    const copies = new Set(s.x.items.map((item) => item.copy));
    const shownNow = s.order.filter((f) => copies.has(s.m.index.findings[f].copy));
    if (shownNow.length === 0) return tell(s, 'No finding fits the filter.');
    const at = shownNow.indexOf(s.finding);
    const next = at < 0 ? (by > 0 ? 0 : shownNow.length - 1) : at + by;
    if (next < 0 || next >= shownNow.length) return tell(s, by > 0 ? 'That was the last finding.' : 'That was the first finding.');
    tell(s, `Finding ${next + 1} of ${shownNow.length}: ${findingText(s.m, shownNow[next])}`);
    return lookAtFinding(s, shownNow[next]);
  };
  const findingText = (m, f) => {
    const { copy, state, check, path, step } = m.index.findings[f];
    return visible([m.state(state).word, m.text(check), `${nameOf(m, copy)} ${m.text(path)}`.trim(), `step ${step}`].filter(Boolean).join(' · '));
  };
  const tell = (s, text) => { s.at('states-told').textContent = text; };

  const lookAtFinding = (s, f) => {
    const finding = s.m.index.findings[f];
    s.finding = f;
    if (finding.step === 0) return look(s, { kind: 'ledger', copy: finding.copy, n: 0, path: s.m.text(finding.path), finding: f }, { visited: true });
    return look(s, { kind: 'step', copy: finding.copy, n: rowAt(s.m, finding.copy, finding.step).n, path: s.m.text(finding.path), finding: f }, { visited: true });
  };

  // firstLoss is the first finding of a loss that was not expected, else the
  // first of one that was.
  const firstLoss = ({ m, order }) => {
    const losses = order.filter((f) => m.loss.has(m.index.findings[f].state));
    return losses.sort((a, b) => m.index.findings[a].expected - m.index.findings[b].expected || m.index.findings[a].step - m.index.findings[b].step)[0];
  };
