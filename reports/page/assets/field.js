// The ledger of one field: who set it, who acknowledged it, what each reader
// was served over time, and who lost it and why.

  const drawLedger = async (m, copy, path, openStep) => {
    const values = [...(m.paths[copy].entries())].find(([p]) => m.text(p) === path)?.[1];
    const lost = (m.findings.get(copy) || []).map((f) => m.index.findings[f]).filter((f) => m.text(f.path) === path);
    const became = part('How it ended', ...(lost.length ? lost.map((f) => drawLoss(m, f, openStep))
      : [make('p', 'meta', 'No finding is about this field.')]));
    if (!values?.length) return [make('p', 'meta', 'No value of this path was acknowledged for this copy.'), became];
    const rows = await rowsOf(m.index, copy);
    return [
      part('Set', ...values.map((f) => drawValue(m, rows, f, openStep))),
      became,
      part('What each reader was served', await drawReaders(m, copy, path, values, rows, openStep)),
    ];
  };

  const stepButton = (m, step, openStep) => button('link', `step ${step}`, () => openStep(step));

  // drawValue tells who set a value and who acknowledged it.
  const drawValue = (m, rows, f, openStep) => {
    const { fields, steps } = m.index;
    const step = fields.step[f];
    const at = m.at.get(step);
    const value = make('p', '', make('code', 'value', shown(m.text(fields.value[f]))), ' ', chip(m, fields.state[f]), make('span', 'meta', ' at the end'));
    if (!step) return make('div', 'setting', value, make('p', 'meta', 'No answer acknowledged it.'));
    const row = rows.find((r) => r.step === step);
    const told = (name) => (at === undefined ? '' : visible(m.text(steps[name][at])));
    const through = told('via');
    return make('div', 'setting', value, facts(
      ['set in', stepButton(m, step, openStep)], ['by', told('title')],
      ['client', told('client')], ['verb', told('verb')],
      ['acknowledged by', through && `replica ${through}, ${told('viaRole')} ${row ? visible(versionIn(m, row, m.text(steps.via[at]))) : ''}`],
      ['stage', at === undefined ? '' : visible(stageName(m, at))],
    ));
  };

  const drawLoss = (m, finding, openStep) => {
    const el = drawFinding(m, finding);
    if (finding.step) el.firstChild.append(' · ', stepButton(m, finding.step, openStep));
    return el;
  };

  // drawReaders is a table of steps by replicas. Rows that say what the row
  // before them says are folded.
  const drawReaders = async (m, copy, path, values, rows, openStep) => {
    const { index } = m;
    const since = Math.min(...values.map((f) => index.fields.step[f] || 0));
    const pathNumber = index.fields.path[values[0]];
    const body = make('tbody');
    let before = '';
    let alike = 0;
    for (const row of rows.filter((r) => r.step >= since)) {
      const cells = await Promise.all(row.views.map((view, i) => served(m, copy, row, view, i, { path, pathNumber, values })));
      const says = JSON.stringify(cells);
      const line = readerRow(m, row, cells, openStep);
      line.classList.toggle('alike', says === before);
      alike += says === before;
      before = says;
      body.append(line);
    }
    const head = make('tr', '', ...['step', 'stage', 'what happened', ...index.replicas].map((name) =>
      Object.assign(make('th', '', visible(name)), { scope: 'col' })));
    const table = make('table', 'readers', make('thead', '', head), body);
    return scrolled(table, alike);
  };

  const scrolled = (table, alike) => {
    const region = make('div', 'scroll', table);
    region.tabIndex = 0;
    region.setAttribute('role', 'group');
    region.setAttribute('aria-label', 'What each reader was served');
    if (!alike) return region;
    const all = button('quiet', `show ${plural(alike, 'row')} that say the same`, () => {
      table.classList.add('all');
      all.remove();
    });
    return make('div', '', all, region);
  };

  // served is what a replica served of the field: its state and its value, as
  // JSON text. The acknowledged value stands where it was kept; where neither
  // the state nor the differences tell, the body does.
  const served = async (m, copy, row, view, i, { path, pathNumber, values }) => {
    const state = fieldState(m, copy, row, view, i, pathNumber);
    if (!view || state < 0) return { state: -1 };
    const told = { state, role: view.role };
    const difference = view.diff?.find((d) => d.path === path);
    if (difference) return { ...told, value: difference.hasAfter ? jsonText(difference.after ?? null) : undefined };
    if (m.state(state).word === 'kept') {
      const f = values.findLast((v) => m.index.fields.step[v] <= row.step) ?? values[0];
      return { ...told, value: m.text(m.index.fields.value[f]) };
    }
    const body = await bodyOf(m.index, view.answer);
    if (unseen(body) || body.j === undefined) return told;
    const { parent, key } = follow(parse(body.j), path);
    return { ...told, value: key === undefined ? undefined : jsonText(parent[key]) };
  };

  const readerRow = (m, row, cells, openStep) => {
    const at = row.position;
    const line = make('tr', '', Object.assign(make('th', '', stepButton(m, row.step, openStep)), { scope: 'row' }),
      make('td', 'meta', visible(stageName(m, at))), make('td', 'meta', visible(m.text(m.index.steps.title[at]))));
    for (const cell of cells) {
      const td = make('td');
      if (cell.state >= 0) {
        td.append(chip(m, cell.state), make('small', '', ' ' + visible(cell.role)), make('br'));
        td.append(cell.value === undefined ? make('span', 'meta', 'absent') : make('code', '', shown(cell.value)));
      }
      line.append(td);
    }
    return line;
  };
