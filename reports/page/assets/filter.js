// The filter: what it offers, and what fits it.

  // fillFilter offers what the run has.
  const fillFilter = (m, form) => {
    const { copies, steps, stages, states, replicas } = m.index;
    const texts = (list) => [...new Set(list)].map(m.text).filter((text) => text !== '');
    const offered = {
      object: texts(copies.object), role: texts(copies.role), path: texts(m.paths.flatMap((paths) => [...paths.keys()])).sort(),
      client: texts(steps.client).sort(), verb: texts(steps.verb).sort(), via: texts(steps.viaRole),
      replica: replicas, stage: [...new Set(stages.map((s) => s.name))], outcome: states.map((s) => s.word),
    };
    for (const [name, words] of Object.entries(offered)) {
      for (const word of words) {
        const option = make('option', '', visible(name === 'outcome' ? states.find((s) => s.word === word).name : word));
        option.value = word;
        form.elements[name].append(option);
      }
    }
  };

  // known is the filter without the words that this run does not have.
  const known = (form, filter) => Object.fromEntries(filterNames.map((name) => {
    const { options } = form.elements[name];
    return [name, !options || [...options].some((option) => option.value === filter[name]) ? filter[name] : ''];
  }));

  const readFilter = (form) => Object.fromEntries(filterNames.map((name) => [name, name === 'q' ? form.elements.q.value.trim() : form.elements[name].value]));
  const showFilter = (form, filter) => {
    for (const name of filterNames) {
      const control = form.elements[name];
      if (control.value.trim() !== filter[name]) control.value = filter[name]; // a space that is being typed stays
      control.classList.toggle('on', control.value !== '');
    }
  };

  // fitsOf returns the items that fit, and which of their cells.
  const fitsOf = (m, filter) => {
    const step = stepFits(m, filter);
    const otherStage = otherStageFits(m, filter, step);
    const wanted = m.index.states.findIndex((s) => s.word === filter.outcome);
    const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
    const is = (list, copy, word) => !word || m.text(list[copy]) === word;
    const { object, role } = m.index.copies;
    return {
      item: (item) => is(object, item.copy, filter.object) && is(role, item.copy, filter.role) &&
        hasPath(m, item, filter.path) && words.every((word) => textOf(m, item).includes(word)),
      cell: (cell) => cell.pending || (step[cell.at] && (!filter.replica || cell.state >= 0) &&
        (wanted < 0 || cell.letters.includes(letterOf(wanted)))) || !!cell.otherStage?.some(otherStage),
      wanted,
    };
  };

  const stepFits = (m, filter) => {
    const { client, verb, viaRole, stage } = m.index.steps;
    return Uint8Array.from(stage, (_, i) => (!filter.client || m.text(client[i]) === filter.client) &&
      (!filter.verb || m.text(verb[i]) === filter.verb) && (!filter.via || m.text(viaRole[i]) === filter.via) &&
      (!filter.stage || stageName(m, i) === filter.stage));
  };

  // otherStageFits reports whether a finding fits that stands at a row of another
  // stage: by its own step, or by its stage alone where no copy has a row of it.
  const otherStageFits = (m, filter, step) => (finding) => (!filter.outcome || m.state(finding.state).word === filter.outcome) &&
    (!filter.stage || m.text(finding.stage) === filter.stage) &&
    (m.at.has(finding.step) ? !!step[m.at.get(finding.step)] : !filter.client && !filter.verb && !filter.via);

  const hasPath = (m, item, path) => !path || (item.path === undefined
    ? [...m.paths[item.copy].keys()].some((p) => m.text(p) === path) : m.text(item.path) === path);

  // textOf is what a search looks at: names, titles, paths, values, states, and
  // what findings tell.
  const searched = new Map();
  const textOf = (m, item) => {
    const key = item.path === undefined ? item.copy : item.copy + ' ' + item.path;
    if (!searched.has(key)) searched.set(key, gather(m, item).join('\n').toLowerCase());
    return searched.get(key);
  };
  const gather = (m, { copy, path }) => {
    const { copies, fields, steps } = m.index;
    const names = [copies.name, copies.object, copies.kind, copies.role].map((list) => m.text(list[copy]));
    const titles = [...new Set(copies.rows[copy].map((at) => steps.title[at]))].map(m.text);
    const paths = [...m.paths[copy].keys()].filter((p) => path === undefined || p === path).map(m.text);
    const values = (m.fields.get(copy) || []).filter((f) => path === undefined || fields.path[f] === path)
      .map((f) => m.text(fields.value[f]));
    return [...names, ...titles, ...paths, ...values, ...toldOf(m, copy, path)];
  };

  // toldOf is the words of a copy's findings, or of those of one path, and of
  // the states it went through.
  const toldOf = (m, copy, path) => {
    const { copies, fields, findings } = m.index;
    const found = (m.findings.get(copy) || []).map((f) => findings[f]).filter((f) => path === undefined || f.path === path);
    const states = path === undefined ? [...copies.states[copy] + copies.views[copy]].map(stateOf) : (m.paths[copy].get(path) || []).map((f) => fields.state[f]);
    return [...found.flatMap((f) => [f.message, f.cause, f.rule, f.check, f.class].map(m.text)),
      ...new Set([...states, ...found.map((f) => f.state)].flatMap((state) => [m.state(state).word, m.state(state).name]))];
  };
