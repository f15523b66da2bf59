// The evidence of one row of a copy: what was asked, what each replica served
// before and after, and what etcd held.

  const chip = (m, state) => {
    const { word, name, shape } = m.state(state);
    const el = make('b', 'chip ' + word, make('span', 'sign', shape), ' ' + (name || 'nothing read'));
    el.title = m.state(state).meaning;
    return el;
  };

  // drawEvidence gives the parts of the evidence; path is the field that is
  // looked at, openField is called with one whose ledger is asked for.
  const drawEvidence = async (m, copy, n, path, openField) => {
    const rows = await rowsOf(m.index, copy);
    const row = rows[n];
    const at = row.position;
    const views = await Promise.all(row.views.map((view, i) => view && orWhy(() => drawView(m, copy, row, i, path))));
    return [
      doneBy(m, row),
      ...findingsAt(m, copy, at).map((f) => drawFinding(m, m.index.findings[f])),
      part('Requests', ...(row.requests.length ? [make('ol', 'requests', ...row.requests.map((q) => drawRequest(m, q)))]
        : [make('p', 'meta', 'No request of this copy: replicas and etcd were only looked at.')])),
      part('Served', ...views.filter(Boolean)),
      part('In etcd', ...[await orWhy(() => drawStored(m, row))].flat()),
      part('Acknowledged values', fieldButtons(m, copy, path, openField)),
    ];
  };

  const part = (title, ...children) => make('section', 'part', make('h4', '', title), ...children);

  // versionIn is the release that a replica ran in a row, as it told itself.
  const versionIn = (m, row, replica) => row.requests.find((q) => q.replica === replica)?.version ??
    row.views[m.index.replicas.indexOf(replica)]?.version ?? '';

  const doneBy = (m, row) => {
    const { position } = row;
    const { steps, stages } = m.index;
    const text = (name) => m.text(steps[name][position]);
    const through = (replica, role) => (replica && `${replica} (${role} ${versionIn(m, row, replica)})`);
    const runs = Object.entries(stages[steps.stage[position]]?.replicas ?? {}).map(([r, role]) => `${r} ${role}`).join(', ');
    return facts(
      ['stage', visible(stageName(m, position))],
      ['client', visible(text('client'))], ['verb', visible(text('verb'))],
      ['read', visible(through(text('read'), text('readRole')))], ['via', visible(through(text('via'), text('viaRole')))],
      ['replicas', visible(runs)],
    );
  };

  // drawFinding is a finding with the rule it is held against, why it came to
  // be, and what the guide advises.
  const drawFinding = (m, finding) => {
    const rule = m.text(finding.rule);
    const cause = m.text(finding.cause);
    const told = [[rule, m.index.rules[rule]], [cause, m.index.causes[cause]]].filter(([name]) => name);
    const el = make('div', finding.expected ? 'finding' : 'finding unexpected',
      make('p', '', chip(m, finding.state), ` ${finding.expected ? 'expected' : 'not expected'} · ${visible(m.text(finding.class))} · ${visible(m.text(finding.check))}`),
      make('p', '', visible(m.text(finding.message))),
      facts(...told.map(([name, what]) => [visible(name), visible(what?.meaning ?? '')])),
      ...told.filter(([, what]) => what?.advice).map(([, what]) => make('p', 'advice', make('b', '', 'Advice: '), visible(what.advice))));
    el.dataset.finding = m.index.findings.indexOf(finding);
    return el;
  };

  const drawRequest = (m, q) => {
    const item = make('li', '', code(`${q.method} ${q.path}`), ' ',
      make('span', 'meta', `through ${visible(q.replica)} (${visible(q.version)}) `),
      make('b', q.code >= 200 && q.code < 300 ? 'answered' : 'answered bad', String(q.code)));
    if (q.message) item.append(make('div', '', visible(q.message)));
    for (const warning of q.warnings || []) item.append(make('div', 'warning', 'warning: ' + visible(warning)));
    if (q.sent >= 0) item.append(opened(m.index, 'body sent', q.sent));
    if (q.answer >= 0) item.append(opened(m.index, 'answer', q.answer));
    return item;
  };

  // drawView is what one replica served, and how that differs from before.
  const drawView = async (m, copy, row, i, path) => {
    const [view, before] = [row.views[i], row.before.views[i]];
    const letter = m.index.copies.views[copy][row.n * m.index.replicas.length + i];
    const served = view.code >= 200 && view.code < 300;
    const el = make('div', 'view', make('h5', '', chip(m, stateOf(letter)), ` ${visible(m.index.replicas[i])} `,
      make('span', 'meta', `${visible(view.role)} ${visible(view.version)}, ${view.code}`)));
    if (view.message) el.append(make('p', served ? '' : 'warning', visible(view.message)));
    const differences = (view.diff || []).slice(0, mostDrawn).map((d) => drawDifference(m, view, d, path));
    if (differences.length) el.append(make('ul', 'differences', ...differences));
    el.append(await orWhy(() => drawChange(m, copy, row, view, before)));
    if (view.answer >= 0) el.append(opened(m.index, 'the answer in full', view.answer, view.diff));
    return el;
  };

  const sideText = (has, value) => (has ? shown(jsonText(value ?? null)) : 'absent');
  const drawDifference = (m, view, d, path) => {
    const state = view.states?.[d.path];
    const el = make('li', d.path === path ? 'looked-at' : '', code(d.path), ' ',
      make('span', 'meta', d.acknowledged ? 'acknowledged ' : 'before '), make('del', '', sideText(d.hadBefore, d.before)),
      make('span', 'meta', ' → served '), make('ins', '', sideText(d.hasAfter, d.after)));
    if (state !== undefined) el.prepend(chip(m, state), ' ');
    return el;
  };

  // drawChange is one diff of what the replica served before, and now.
  const drawChange = async (m, copy, row, view, before) => {
    if (view === before) return make('p', 'meta', `The same as since step ${view.since}.`);
    if (!before) return make('p', 'meta', 'The first that this replica served of it.');
    if (before.answer === view.answer) return make('p', 'meta', `The same body as in step ${before.since}.`);
    const [a, b] = await Promise.all([bodyOf(m.index, before.answer), bodyOf(m.index, view.answer)]);
    const [first, second] = [a, b].map((body) => (body?.j === undefined || unseen(body) ? undefined : body.j));
    if (first === undefined || second === undefined) return make('p', 'meta', unseen(b) || unseen(a) || 'There is no body to compare.');
    const { apiVersion, kind } = m.index.copies;
    const lists = m.index.lists?.[`${m.text(apiVersion[copy])}/${m.text(kind[copy])}`];
    const acknowledged = new Map((view.diff || []).filter((d) => d.acknowledged).map((d) => [d.path, d]));
    const moved = before.role === view.role ? '' : ` (then ${before.role} ${before.version})`;
    const cut = shallow(first) === first && shallow(second) === second ? '' : `, as deep as ${deepest} levels`;
    return comparison(`from step ${before.since}${visible(moved)} to step ${row.step}${cut}`,
      diffBodies(parse(first), parse(second), lists), acknowledged);
  };

  // comparison is a diff with a button that shows every line of it.
  const comparison = (title, lines, acknowledged) => {
    const count = lines.filter((line) => line.mark !== ' ').length;
    if (count === 0) return make('p', 'meta', `Alike ${title}.`);
    const pre = drawDiff('What differs ' + title, lines, acknowledged);
    const all = button('quiet', 'all lines', () => {
      for (const folded of pre.querySelectorAll('.fold')) folded.click();
      all.remove();
    });
    const head = make('div', 'compared', make('span', 'meta', `${plural(count, 'line')} differ${count === 1 ? 's' : ''} ${title}`));
    if (pre.querySelector('.fold')) head.append(all);
    return make('div', '', head, pre);
  };

  // drawStored is what etcd held before and after, by what is known of it
  // without a schema.
  const drawStored = async (m, row) => {
    const [now, before] = [row.stored, row.before.stored];
    if (!now) return [make('p', 'meta', 'Nothing of this copy was stored yet.')];
    const parts = [storedTable(now, now === before ? null : before)];
    if (now === before) parts.push(make('p', 'meta', `The same as since step ${now.since}.`));
    const [body, was] = await Promise.all([bodyOf(m.index, now.body), before && bodyOf(m.index, before.body)]);
    if (unseen(body)) return now.deleted ? parts : [...parts, make('p', 'meta', unseen(body))];
    const lines = linesOf(body);
    if (now !== before && was && linesOf(was).length) parts.push(comparison('as decoded without a schema', diffLines(linesOf(was), lines)));
    if (lines.length) parts.push(later('decoded without a schema', (el) => el.append(pane('decoded without a schema', visibleLines(lines)))));
    if (body.h !== undefined) parts.push(opened(m.index, 'stored bytes in hex', now.body));
    return parts;
  };
  const linesOf = (body) => (body && !unseen(body) && body.d) || [];
  const visibleLines = (lines) => lines.map(visible).join('\n');

  const storedTable = (now, before) => {
    const columns = before ? [['before', before], ['after', now]] : [['', now]];
    const line = (name, tell) => make('tr', '', Object.assign(make('th', '', name), { scope: 'row' }),
      ...columns.map(([, stored]) => make('td', before && tell(before) !== tell(now) ? 'moved' : '', visible(tell(stored)))));
    const table = make('table', 'stored');
    if (before) table.append(make('thead', '', make('tr', '', make('td'), ...columns.map(([name]) => Object.assign(make('th', '', name), { scope: 'col' })))));
    table.append(make('tbody', '', line('revision', (s) => (s.deleted ? `${s.revision}, deleted` : String(s.revision))),
      line('group/version', (s) => s.apiVersion || ''), line('kind', (s) => s.kind || ''), line('encoding', (s) => s.encoding || ''),
      line('size', (s) => (s.deleted ? '' : `${s.size} bytes`))));
    return table;
  };

  // fieldButtons has each value with the worst that any replica served of it,
  // in the whole life of the copy, whose rows are unpacked by then.
  const fieldButtons = (m, copy, path, openField) => {
    const buttons = [...m.paths[copy].entries()].filter(([, values]) => values.length).map(([p, values]) => {
      const open = button(m.text(p) === path ? 'field looked-at' : 'field', '', () => openField(m.text(p)));
      open.append(chip(m, fieldCells(m, copy, p, -1, ready(copy)).map((cell) => cell.state).reduce(worse, -1)), ' ', code(m.text(p)));
      open.title = 'the worst that became of this field; opens its ledger';
      return open;
    });
    return buttons.length ? make('div', 'fields', ...buttons) : make('p', 'meta', 'None.');
  };
