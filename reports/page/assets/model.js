// What the matrix shows, from the index: its rows (copies, or acknowledged
// values), its columns (steps, or stages), and the cells where both meet.

  const none = '.';
  const letterOf = (state) => (state < 0 ? none : String.fromCharCode(97 + state));
  const stateOf = (letter) => (letter === none || letter === undefined ? -1 : letter.charCodeAt(0) - 97);
  const worse = (a, b) => (a < 0 ? b : b < 0 ? a : Math.min(a, b));

  // grouped is the positions of a list by what each says.
  const grouped = (list) => {
    const groups = new Map();
    list.forEach((key, i) => {
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(i);
    });
    return groups;
  };

  // modelOf prepares the index: what stands at which number, and of which copy.
  const modelOf = (index) => {
    for (const table of [index.steps, index.copies, index.fields]) {
      for (const [name, column] of Object.entries(table)) table[name] = column ?? []; // a column of nothing is null
    }
    const m = {
      index,
      text: (n) => index.strings[n] ?? '',
      at: new Map(index.steps.number.map((n, i) => [n, i])),
      copyAt: new Map(index.copies.name.map((n, i) => [index.strings[n], i])),
      fields: grouped(index.fields.copy),
      findings: grouped(index.findings.map((f) => f.copy)),
      state: (i) => index.states[i] ?? { word: '', name: '', shape: '', meaning: '' },
      copies: index.copies.name.length,
    };
    m.paths = pathsOf(m);
    m.loss = new Set(['lost', 'undecodable'].map((word) => index.states.findIndex((s) => s.word === word)));
    return m;
  };

  // pathsOf is each copy's paths with the positions of their acknowledged
  // values; a path that only findings name has none.
  const pathsOf = ({ index, fields, findings }) => Array.from(index.copies.name, (_, copy) => {
    const paths = new Map();
    for (const f of fields.get(copy) || []) {
      const path = index.fields.path[f];
      if (!paths.has(path)) paths.set(path, []);
      paths.get(path).push(f);
    }
    for (const f of findings.get(copy) || []) {
      const { path } = index.findings[f];
      if (index.strings[path] && !paths.has(path)) paths.set(path, []);
    }
    return paths;
  });

  const nameOf = (m, copy) => m.text(m.index.copies.name[copy]);
  const stageName = (m, position) => m.index.stages[m.index.steps.stage[position]]?.name ?? '';

  // findingsAt has the findings of a copy at a step: a finding of a step that
  // the copy has no row of stands at the row before it. One of no step at all,
  // as of a write that no step asked for, stands at none.
  const findingsAt = (m, copy, position) => (m.findings.get(copy) || [])
    .filter((f) => m.index.findings[f].step > 0 && rowAt(m, copy, m.index.findings[f].step).position === position);

  // rowAt is the copy's first row of a step, else the last one before it.
  const rowAt = (m, copy, step) => {
    const rows = m.index.copies.rows[copy];
    let n = rows.findIndex((position) => m.index.steps.number[position] >= step);
    if (n < 0) n = rows.length - 1;
    else if (n > 0 && m.index.steps.number[rows[n]] > step) n--;
    return { n, position: rows[n] };
  };

  // rawCells is a copy's cells, one for each of its steps: where (a position
  // in steps), the first row there, the worst state and the letters of all,
  // whether the row only looked, and 1 or 2 where a finding stands there that
  // was expected or not. otherStage are findings of another stage than the row's:
  // the copy has no row of theirs.
  const rawCells = (m, copy, replica) => {
    const cells = [];
    const { rows, states, views } = m.index.copies;
    const width = m.index.replicas.length;
    rows[copy].forEach((at, n) => {
      const each = views[copy].slice(n * width, (n + 1) * width);
      const letter = replica < 0 ? states[copy][n] : each[replica];
      addCell(m, cells, at, n, replica < 0 ? letter + each : letter, stateOf(letter));
    });
    for (const f of m.findings.get(copy) || []) markFound(m, cells, copy, m.index.findings[f], replica);
    return cells;
  };
  const addCell = (m, cells, at, n, letters, state) => {
    const last = cells.at(-1);
    if (last?.at === at) Object.assign(last, { state: worse(last.state, state), letters: last.letters + letters });
    else cells.push({ at, n, state, letters, edge: m.index.steps.edge[at], found: 0 });
  };
  const markFound = (m, cells, copy, finding, replica) => {
    if (finding.step === 0) return;
    const { position } = rowAt(m, copy, finding.step);
    const cell = cells.find((c) => c.at === position);
    if (!cell) return;
    cell.found = Math.max(cell.found, finding.expected ? 1 : 2);
    if (replica >= 0) return;
    cell.state = worse(cell.state, finding.state);
    if (m.text(finding.stage) === stageName(m, position)) cell.letters += letterOf(finding.state);
    else (cell.otherStage ??= []).push(finding);
  };

  // fieldCells is the same of one acknowledged value, from the copy's rows.
  const fieldCells = (m, copy, path, replica, rows) => {
    const since = Math.min(...m.paths[copy].get(path).map((f) => m.index.fields.step[f] || 0));
    const cells = [];
    for (const row of rows) {
      if (row.step < since) continue;
      const states = row.views.map((view, i) => (replica < 0 || replica === i ? fieldState(m, copy, row, view, i, path) : -1));
      addCell(m, cells, row.position, row.n, states.map(letterOf).join(''), states.reduce(worse, -1));
    }
    for (const finding of findingsOf(m, copy, path)) markFound(m, cells, copy, finding, replica);
    return cells;
  };
  // foundCells is the same of a path that no value was acknowledged of: only
  // findings report it.
  const foundCells = (m, copy, path, replica) => {
    const cells = [];
    const found = findingsOf(m, copy, path);
    const rows = [...new Set(found.filter((finding) => finding.step > 0).map((finding) => rowAt(m, copy, finding.step).n))].filter((n) => n >= 0).sort((a, b) => a - b);
    for (const n of rows) addCell(m, cells, m.index.copies.rows[copy][n], n, '', -1);
    for (const finding of found) markFound(m, cells, copy, finding, replica);
    return cells;
  };
  const findingsOf = (m, copy, path) => (m.findings.get(copy) || []).map((f) => m.index.findings[f]).filter((finding) => finding.path === path);
  // fieldState is what a replica served of one value: what its view says of
  // the path, what it says of the whole where nothing was served, else kept.
  const fieldState = (m, copy, row, view, replica, path) => {
    if (!view) return -1;
    const told = view.states?.[m.text(path)];
    if (told !== undefined) return told;
    const whole = stateOf(m.index.copies.views[copy][row.n * m.index.replicas.length + replica]);
    const served = view.code >= 200 && view.code < 300;
    return served && whole >= 0 ? m.index.states.findIndex((s) => s.word === 'kept') : whole;
  };

  // stateOfPath is the state of a path at the end: of its last value, else
  // the worst that a finding says.
  const stateOfPath = (m, copy, path) => {
    const values = m.paths[copy].get(path);
    return values.length ? m.index.fields.state[values.at(-1)] : findingsOf(m, copy, path).map((f) => f.state).reduce(worse, -1);
  };

  // listOf makes the items of the matrix, under the filter: groups, and in
  // each the rows that have a cell that fits. cells tells the cells of an item.
  const listOf = (m, view, cells, fits) => {
    const items = [];
    const byObject = grouped(m.index.copies.object);
    const add = (group, rows) => {
      const some = rows.filter((item) => fits.item(item) && cells(item).some((cell) => fits.cell(cell)));
      if (some.length) items.push({ group, kind: some[0].copy, count: some.length });
      for (const item of some) items.push(item);
    };
    for (const [object, copies] of byObject) {
      if (view.rows === 'objects') add(m.text(object), copies.map((copy) => ({ copy })));
      else if (view.path) add(m.text(object), copies.flatMap((copy) => fieldsOf(m, copy, view.path)));
      else for (const copy of copies) add(nameOf(m, copy), [...m.paths[copy].keys()].map((path) => ({ copy, path })));
    }
    return items;
  };

  // fieldsOf is a copy's one field of a path, named by the copy.
  const fieldsOf = (m, copy, path) => [...m.paths[copy].keys()].filter((p) => m.text(p) === path).map((p) => ({ copy, path: p, byCopy: true }));

  // columnsOf is the columns in which a shown row has a cell that fits.
  const columnsOf = (m, view, items, cells, fits) => {
    const { stage } = m.index.steps;
    const used = new Uint8Array(stage.length);
    for (const item of items) {
      if (item.group !== undefined) continue;
      for (const cell of cells(item)) if (fits.cell(cell)) used[cell.at] = 1;
    }
    if (view.columns === 'steps') return stage.flatMap((s, at) => (used[at] ? [{ first: at, last: at, stage: s }] : []));
    const columns = [];
    stage.forEach((s, at) => {
      if (columns.at(-1)?.stage !== s) columns.push({ first: at, last: at, stage: s, used: 0 });
      columns.at(-1).last = at;
      columns.at(-1).used ||= used[at];
    });
    return columns.filter((column) => column.used);
  };

  // placed is an item's cells by column, each the worst of what it holds, of
  // what fits first. A cell that fits shows the state that is wanted.
  const placed = (columnAt, cells, fit, wanted) => {
    const out = [];
    for (const cell of cells) {
      const column = columnAt[cell.at];
      if (column < 0) continue;
      const fits = fit(cell);
      const state = fits && wanted >= 0 && !cell.pending ? wanted : cell.state;
      const last = out.at(-1);
      if (last?.column !== column) out.push({ ...cell, state, column, fits, count: 1 });
      else {
        last.count++;
        last.found = Math.max(last.found, cell.found);
        if ((fits && !last.fits) || (fits === last.fits && worse(last.state, state) !== last.state)) {
          Object.assign(last, { at: cell.at, n: cell.n, state, fits });
        }
      }
    }
    return out;
  };
