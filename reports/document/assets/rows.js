// The rows of a page, which of them a filter selects, and in which order.

  const bytesOf = (base64) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  };
  const unpack = async (id) => {
    const packed = new Blob([bytesOf(document.getElementById(id).textContent.trim())]).stream();
    return JSON.parse(await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).text());
  };

  // strings are all texts of a value, at any depth.
  const strings = (value, into = []) => {
    if (typeof value === 'string') into.push(value);
    else if (value && typeof value === 'object') for (const item of Object.values(value)) strings(item, into);
    return into;
  };

  const collator = new Intl.Collator('en', { numeric: true });
  const compare = (a, b) => (a === b ? 0 : typeof a === 'number' ? a - b : collator.compare(a, b));

  // wordsOf are words with what they mean, worst first, and one for each word that is not among them.
  const wordsOf = (all) => {
    const known = new Map(all.map((w, rank) => [w.word, { ...w, rank }]));
    return (word) => known.get(word) || { word, label: word, sign: '?', meaning: '', rank: known.size };
  };

  // makeSelect returns the items that a filter selects, in an order. An item is a row, with its place among
  // all. Of a page's rows, tests say which a filter means, columns by what they are ordered, labels what the
  // search finds beside their texts, and among, if it is there, which of all a filter selects from.
  const makeSelect = (items, { tests, columns, labels, among = () => items }) => {
    // textsOf is what the search looks into: it is collected when something is searched first.
    const texts = new Map();
    const textsOf = (item) => {
      if (!texts.has(item)) texts.set(item, [...new Set(strings(item.row)), ...labels(item)].join('\n').toLowerCase());
      return texts.get(item);
    };
    return (filter, sort) => {
      const words = (filter.q || '').toLowerCase().split(/\s+/).filter((word) => word);
      const wanted = Object.entries(tests).filter(([name]) => filter[name]);
      const found = among(filter).filter((item) => wanted.every(([name, test]) => test(item, filter[name])) && words.every((word) => textsOf(item).includes(word)));
      const [column, down] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
      if (!Object.hasOwn(columns, column)) return found;
      const keys = new Map(found.map((item) => [item, columns[column](item)]));
      return found.sort((a, b) => down * compare(keys.get(a), keys.get(b)) || a.at - b.at);
    };
  };
