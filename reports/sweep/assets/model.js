// The rows of the sweep: which of them a filter selects, and in which order.

  const kindOf = (row) => [row.kind, row.group].filter((part) => part).join('.');
  const headline = (row) => row.shown.find((o) => o.lap === row.lap) || row.shown[0];

  // rulingsOf are the words by which a ruling is selected.
  const rulingsOf = (o) => [
    o.class === 'impact' && 'sanctioned', (o.class === 'violation' || o.broken) && 'breaks a rule', o.known && 'known bug', o.accepted && 'accepted',
    !o.ruling && 'no ruling',
  ].filter((word) => word);

  // wordOf is the word that an outcome is counted by: its outcome with the actor, or that the old release alone does the same.
  const effectOf = (o) => (o.actor ? o.outcome + '-' + o.actor : o.outcome);
  const wordOf = (o) => (o.preExisting ? 'pre-existing' : effectOf(o));

  // gathered joins the rows of one change of which the same became: the first of them has the others.
  const gathered = (found) => {
    const heads = new Map();
    for (const item of found) {
      const key = item.row.line + wordOf(item.outcome);
      item.others = [];
      if (heads.has(key)) heads.get(key).others.push(item);
      else heads.set(key, item);
    }
    return [...heads.values()];
  };

  const makeModel = (data) => {
    const known = wordsOf(data.outcomes);
    const items = data.rows.map((row, at) => ({ row, at, outcome: headline(row) }));

    // inLap gives each item the outcome of a lap, and leaves those out that it did not play. What
    // no lap played is in each.
    const inLap = (lap) => items.filter((item) => {
      item.outcome = lap ? item.row.shown.find((o) => !o.lap || o.lap === lap) : headline(item.row);
      return item.outcome;
    });

    const selectRows = makeSelect(items, {
      among: (filter) => inLap(filter.lap),
      labels: (item) => item.row.shown.map((o) => known(wordOf(o)).label),
      tests: {
        outcome: (item, want) => wordOf(item.outcome) === want,
        difference: (item, want) => item.row.difference === want,
        kind: (item, want) => kindOf(item.row) === want,
        gate: (item, want) => (want === '-' ? item.row.gateNames.length === 0 : item.row.gateNames.includes(want)),
        reachable: (item, want) => String(item.row.reachable) === want,
        ruling: (item, want) => rulingsOf(item.outcome).includes(want),
        change: (item, want) => (want === 'fails' ? !!item.row.fails : item.row.change === want),
      },
      columns: {
        outcome: (item) => known(wordOf(item.outcome)).rank,
        difference: (item) => item.row.difference,
        place: (item) => item.row.place,
        reachable: (item) => (item.row.reachable ? 0 : 1),
        gate: (item) => item.row.gateTexts.join('\n') || '\uffff',
        ruling: (item) => item.outcome.ruling || '\uffff',
        writes: (item) => item.outcome.writes.join('\n') || '\uffff',
      },
    });

    // choices are what each select offers: the values that rows have, most frequent kinds by name.
    const valuesOf = (of) => [...new Set(items.flatMap((item) => of(item.row)))].filter((v) => v).sort(collator.compare);
    const choices = {
      outcome: data.outcomes.filter((f) => items.some((item) => item.row.shown.some((o) => wordOf(o) === f.word))).map((f) => [f.word, f.label]),
      difference: valuesOf((row) => [row.difference]).map((v) => [v, v.replaceAll('-', ' ')]),
      kind: valuesOf((row) => [kindOf(row)]).map((v) => [v, v]),
      gate: [['-', 'no gate'], ...valuesOf((row) => row.gateNames).map((v) => [v, v])],
      reachable: [['true', 'by default'], ['false', 'with gates on']],
      lap: valuesOf((row) => row.shown.map((o) => o.lap)).map((v) => [v, v]),
      ruling: valuesOf((row) => row.shown.flatMap(rulingsOf)).map((v) => [v, v]),
      change: [...(items.some((item) => item.row.fails) ? [['fails', 'fails']] : []), ...valuesOf((row) => [row.change]).map((v) => [v, v])],
    };
    const select = (filter, sort) => gathered(selectRows(filter, sort));
    return { items, select, choices, prefix: 'f-', word: (item) => known(wordOf(item.outcome)), beside, cells, detail: (row, item) => detail({ data, known }, row, item.others) };
  };
