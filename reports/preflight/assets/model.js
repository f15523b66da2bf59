// The causes of the preflight, which of them a filter selects, and in which order.

  const bytesOf = (base64) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  };
  const unpack = async (id) => {
    const packed = new Blob([bytesOf(document.getElementById(id).textContent.trim())]).stream();
    return JSON.parse(await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).text());
  };

  // The names of a filter, as the address has them.
  const filterNames = ['q', 'class', 'hop', 'where', 'kind', 'manager', 'fix'];

  const kindOf = (row) => row.about;
  const nobody = '-';

  // strings are all texts of a value, at any depth.
  const strings = (value, into = []) => {
    if (typeof value === 'string') into.push(value);
    else if (value && typeof value === 'object') for (const item of Object.values(value)) strings(item, into);
    return into;
  };

  const makeModel = (data) => {
    const classes = new Map(data.classes.map((c, rank) => [c.word, { ...c, rank }]));
    const classOf = (word) => classes.get(word) || { word: '', label: word, sign: '?', meaning: '', rank: classes.size };
    const items = data.rows.map((row, at) => ({ row, at, texts: '' }));

    // textsOf is what the search looks into: it is collected when something is searched first.
    const textsOf = (item) => {
      item.texts ||= [...strings(item.row), classOf(item.row.class).label].join('\n').toLowerCase();
      return item.texts;
    };

    const tests = {
      class: (row, want) => row.class === want,
      hop: (row, want) => row.hop === want,
      where: (row, want) => row.where === want,
      kind: (row, want) => kindOf(row) === want,
      manager: (row, want) => (want === nobody ? !row.managers : (row.managers || []).includes(want)),
      fix: (row, want) => String(!!row.fixes) === want,
    };
    const columns = {
      class: (row) => classOf(row.class).rank,
      where: (row) => row.where,
      place: (row) => row.place,
      objects: (row) => row.objects,
      message: (row) => row.message,
      remedy: (row) => row.remedy,
    };
    const collator = new Intl.Collator('en', { numeric: true });
    const compare = (a, b) => (a === b ? 0 : typeof a === 'number' ? a - b : collator.compare(a, b));

    const select = (filter, sort) => {
      const words = (filter.q || '').toLowerCase().split(/\s+/).filter((word) => word);
      const wanted = Object.entries(tests).filter(([name]) => filter[name]);
      const found = items.filter((item) => wanted.every(([name, test]) => test(item.row, filter[name])) && words.every((word) => textsOf(item).includes(word)));
      const [column, down] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
      if (!Object.hasOwn(columns, column)) return found;
      return found.sort((a, b) => down * compare(columns[column](a.row), columns[column](b.row)) || a.at - b.at);
    };

    // choices are what each select offers: the values that rows have.
    const valuesOf = (of) => [...new Set(items.flatMap((item) => of(item.row)))].filter((v) => v);
    const same = (v) => [v, v];
    const choices = {
      class: valuesOf((row) => [row.class]).map((v) => [v, classOf(v).label]),
      hop: valuesOf((row) => [row.hop]).map(same),
      where: valuesOf((row) => [row.where]).map(same),
      kind: valuesOf((row) => [kindOf(row)]).sort(collator.compare).map(same),
      manager: [...valuesOf((row) => row.managers || []).sort(collator.compare).map(same), [nobody, 'nothing known']],
      fix: [['true', 'known'], ['false', 'not known']],
    };
    return { items, classOf, select, choices };
  };
