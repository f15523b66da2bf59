// What a row shows when it is opened: its facts, and for each lap the cells.

  const outcomeWord = (outcome) => {
    const el = make('span', 'word f-' + outcome.word, ...signed(outcome));
    el.title = visible(outcome.meaning);
    return el;
  };
  const link = (href, text) => {
    const el = make('a', '', text);
    el.href = href;
    return el;
  };
  const lines = (texts) => texts.flatMap((text, i) => (i ? [make('br'), visible(text)] : [visible(text)]));

  // stepLink is the address of a copy's state at a step, in the lap's report.
  const stepLink = (report, cell) => {
    const parts = ['step-' + cell.step, cell.copy, cell.path];
    const end = parts.findIndex((part) => !part);
    return report + '#' + parts.slice(0, end < 0 ? parts.length : end).map((part) => encodeURIComponent(part.toWellFormed())).join('/');
  };

  const head = (...names) => make('thead', '', make('tr', '', ...names.map((name) => {
    const th = make('th', '', name);
    th.scope = 'col';
    return th;
  })));

  const cellRow = (model, report, cell) => {
    const step = cell.step && report ? link(stepLink(report, cell), 'step ' + cell.step) : cell.step ? 'step ' + cell.step : '';
    const why = [cell.class && [cell.class, cell.rule].filter((w) => w).join(' of '), cell.cause].filter((w) => w).join(', ');
    return make('tr', 'f-' + effectOf(cell),
      make('td', '', outcomeWord(model.known(effectOf(cell)))), make('td', '', visible(cell.write)), make('td', '', visible(cell.stage || '')),
      make('td', '', step), make('td', '', ...(cell.message ? [make('span', '', visible(cell.message))] : []), ...(why ? [make('small', 'why', visible(why))] : [])));
  };

  const cellTable = (model, o) => {
    const table = make('table', 'cells', head('outcome', 'write', 'stage', 'step', 'what was found'),
      make('tbody', '', ...o.cells.map((cell) => cellRow(model, (o.history || '').split('#')[0], cell))));
    const scroll = make('div', 'scroll', table);
    scroll.tabIndex = 0;
    scroll.setAttribute('role', 'group');
    scroll.setAttribute('aria-label', 'Cells of the lap ' + (o.lap || ''));
    return scroll;
  };

  const lapDetail = (model, o) => {
    const origin = model.data.origins[o.origin] || o.origin || '';
    const title = make('h3', '', o.lap ? `Lap ${visible(o.lap)}: ` : '', outcomeWord(model.known(effectOf(o))), o.count ? ` in ${o.count}` : '');
    const said = facts(
      ['exercised', o.exercised ? 'yes' : 'no'], ['reason', visible(o.reason || '')], ['ruling', visible(o.ruling)], ['known bug', visible(o.known || '')],
      ['cause', visible(model.data.causes[o.cause] || o.cause || '')], ['object', visible([o.object, origin].filter((w) => w).join(': '))],
      ['history', o.history ? link(o.history, 'the object’s whole history') : '']);
    const unplayed = o.unplayed ? [make('p', 'more', `${o.unplayed} further changes are answered differently, and were not played`)] : [];
    const more = Object.entries(o.cellsLeftOut || {}).map(([word, n]) => `${n} ${model.known(word.replace(':', '-')).label || word}`);
    const side = (o.notes || []).length ? [make('ul', 'side', ...o.notes.map((note) => make('li', '', visible(note))))] : [];
    return make('div', 'lap', title, said, ...side, ...(o.cells && o.cells.length ? [cellTable(model, o)] : []), ...unplayed,
      ...(more.length ? [make('p', 'more', 'and more cells that are not listed: ' + more.join(', '))] : []));
  };

  const placesOf = (row) => (row.places || []).slice(1).map((p) => [p.apiVersion, p.kind, p.path].filter((w) => w).join(' '));
  const mostPlaces = 200;

  // ofOthers are the further rows of a change, each of which opens.
  const ofOthers = (model, others) => (others.length ? [later(plural(others.length, 'more row') + ' of this change',
    () => make('div', '', ...others.map((item) => later(code(item.row.place), () => detail(model, item.row, [])))))] : []);

  const detail = (model, row, rest) => {
    const others = placesOf(row);
    const about = facts(
      ['what differs', visible(model.data.differences[row.difference] || '')],
      ['old release', row.old ? code(row.old) : ''], ['new release', row.new ? code(row.new) : ''],
      ['declared by', row.type ? code(row.type) : ''], ['gates', ...lines(row.gateTexts)], ['row', code(row.id)]);
    const more = others.length ? [later(plural(others.length, 'more place') + ' with this difference',
      () => make('ul', 'places', ...others.slice(0, mostPlaces).map((p) => make('li', '', code(p))),
        ...(others.length > mostPlaces ? [make('li', '', `and ${others.length - mostPlaces} more`)] : [])))] : [];
    return make('div', 'detail', about, ...row.shown.map((o) => lapDetail(model, o)), ...more, ...ofOthers(model, rest));
  };
