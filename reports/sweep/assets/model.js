// The rows of the sweep, which of them a filter selects, and in which order.

  const bytesOf = (base64) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  };
  const unpack = async (id) => {
    const packed = new Blob([bytesOf(document.getElementById(id).textContent.trim())]).stream();
    return JSON.parse(await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).text());
  };

  // The names of a filter, as the address has them.
  const filterNames = ['q', 'verdict', 'difference', 'kind', 'gate', 'reachable', 'lap', 'ruling', 'change'];

  const kindOf = (row) => [row.kind, row.group].filter((part) => part).join('.');
  const headline = (row) => row.shown.find((o) => o.lap === row.lap) || row.shown[0];

  // rulingsOf are the words by which a ruling is selected.
  const rulingsOf = (o) => [
    o.class === 'impact' && 'sanctioned', (o.class === 'violation' || o.broken) && 'breaks a rule', o.known && 'known bug', o.accepted && 'accepted',
    !o.ruling && 'no ruling',
  ].filter((word) => word);

  // strings are all texts of a value, at any depth.
  const strings = (value, into = []) => {
    if (typeof value === 'string') into.push(value);
    else if (value && typeof value === 'object') for (const item of Object.values(value)) strings(item, into);
    return into;
  };

  const makeModel = (data) => {
    const fates = new Map(data.fates.map((f, rank) => [f.word, { ...f, rank }]));
    const fate = (name) => fates.get(name) || { word: name, label: name, sign: '?', meaning: '', rank: fates.size };
    const items = data.rows.map((row, at) => ({ row, at, outcome: headline(row), texts: '' }));

    // textsOf is what the search looks into: it is collected when something is searched first.
    const textsOf = (item) => {
      item.texts ||= [...new Set(strings(item.row)), ...item.row.shown.map((o) => fate(o.verdict).label)].join('\n').toLowerCase();
      return item.texts;
    };

    const tests = {
      verdict: (item, want) => item.outcome.verdict === want,
      difference: (item, want) => item.row.difference === want,
      kind: (item, want) => kindOf(item.row) === want,
      gate: (item, want) => (want === '-' ? item.row.gateNames.length === 0 : item.row.gateNames.includes(want)),
      reachable: (item, want) => String(item.row.reachable) === want,
      ruling: (item, want) => rulingsOf(item.outcome).includes(want),
      change: (item, want) => (want === 'fails' ? !!item.row.fails : item.row.change === want),
    };
    const columns = {
      verdict: (item) => fate(item.outcome.verdict).rank,
      difference: (item) => item.row.difference,
      place: (item) => item.row.place,
      reachable: (item) => (item.row.reachable ? 0 : 1),
      gate: (item) => item.row.gateTexts.join('\n') || '\uffff',
      ruling: (item) => item.outcome.ruling || '\uffff',
      writes: (item) => item.outcome.writes.join('\n') || '\uffff',
    };
    const collator = new Intl.Collator('en', { numeric: true });
    const compare = (a, b) => (a === b ? 0 : typeof a === 'number' ? a - b : collator.compare(a, b));

    // inLap gives each item the outcome of a lap, and leaves those out that it did not play. What
    // no lap played is in each.
    const inLap = (lap) => items.filter((item) => {
      item.outcome = lap ? item.row.shown.find((o) => !o.lap || o.lap === lap) : headline(item.row);
      return item.outcome;
    });

    const select = (filter, sort) => {
      const words = (filter.q || '').toLowerCase().split(/\s+/).filter((word) => word);
      const wanted = Object.entries(tests).filter(([name]) => filter[name]);
      const found = inLap(filter.lap).filter((item) => wanted.every(([name, test]) => test(item, filter[name])) && words.every((word) => textsOf(item).includes(word)));
      const [column, down] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
      if (!Object.hasOwn(columns, column)) return found;
      const keys = new Map(found.map((item) => [item, columns[column](item)]));
      return found.sort((a, b) => down * compare(keys.get(a), keys.get(b)) || a.at - b.at);
    };

    // choices are what each select offers: the values that rows have, most frequent kinds by name.
    const valuesOf = (of) => [...new Set(items.flatMap((item) => of(item.row)))].filter((v) => v).sort(collator.compare);
    const choices = {
      verdict: data.fates.filter((f) => items.some((item) => item.row.shown.some((o) => o.verdict === f.word))).map((f) => [f.word, f.label]),
      difference: valuesOf((row) => [row.difference]).map((v) => [v, v.replaceAll('-', ' ')]),
      kind: valuesOf((row) => [kindOf(row)]).map((v) => [v, v]),
      gate: [['-', 'no gate'], ...valuesOf((row) => row.gateNames).map((v) => [v, v])],
      reachable: [['true', 'by default'], ['false', 'with gates on']],
      lap: valuesOf((row) => row.shown.map((o) => o.lap)).map((v) => [v, v]),
      ruling: valuesOf((row) => row.shown.flatMap(rulingsOf)).map((v) => [v, v]),
      change: [...(items.some((item) => item.row.fails) ? [['fails', 'fails']] : []), ...valuesOf((row) => [row.change]).map((v) => [v, v])],
    };
    return { data, items, fate, select, choices, columns: Object.keys(columns), byID: new Map(items.map((item) => [item.row.id, item])) };
  };
