// The causes of the preflight: which of them a filter selects, and in which order.

  const nobody = '-';

  const makeModel = (data) => {
    const outcomeOf = wordsOf(data.outcomes);
    const items = data.rows.map((row, at) => ({ row, at }));
    const select = makeSelect(items, {
      labels: (item) => [outcomeOf(item.row.outcome).label],
      tests: {
        outcome: ({ row }, want) => row.outcome === want,
        hop: ({ row }, want) => row.hop === want,
        where: ({ row }, want) => row.where === want,
        kind: ({ row }, want) => row.about === want,
        manager: ({ row }, want) => (want === nobody ? !row.managers : (row.managers || []).includes(want)),
        fix: ({ row }, want) => String(!!row.fixes) === want,
      },
      columns: {
        outcome: ({ row }) => outcomeOf(row.outcome).rank,
        where: ({ row }) => row.where,
        place: ({ row }) => row.place,
        objects: ({ row }) => row.objects,
        message: ({ row }) => row.message,
        remedy: ({ row }) => row.remedy,
      },
    });

    // choices are what each select offers: the values that rows have.
    const valuesOf = (of) => [...new Set(items.flatMap((item) => of(item.row)))].filter((v) => v);
    const same = (v) => [v, v];
    const choices = {
      outcome: valuesOf((row) => [row.outcome]).map((v) => [v, outcomeOf(v).label]),
      hop: valuesOf((row) => [row.hop]).map(same),
      where: valuesOf((row) => [row.where]).map(same),
      kind: valuesOf((row) => [row.about]).sort(collator.compare).map(same),
      manager: [...valuesOf((row) => row.managers || []).sort(collator.compare).map(same), [nobody, 'nothing known']],
      fix: [['true', 'known'], ['false', 'not known']],
    };
    return { items, select, choices, prefix: 'c-', word: (item) => outcomeOf(item.row.outcome), beside: () => [], cells, detail };
  };
