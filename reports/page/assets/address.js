// The page's address names what is looked at: #step-17/COPY/PATH is the state
// of a copy, or of one field of it, at a step; #ledger/COPY/PATH the ledger of
// a field; what stands after a ? is the filter.

  const filterNames = ['q', 'object', 'role', 'path', 'client', 'verb', 'via', 'replica', 'stage', 'outcome'];
  const viewNames = { rows: ['objects', 'fields'], columns: ['steps', 'stages'] };

  // readAddress is what an address names; a part that cannot be read is left out.
  const readAddress = (hash) => {
    const [place, query = ''] = hash.slice(1).split(/\?(.*)/s);
    let parts;
    try { parts = place.split('/').map(decodeURIComponent); } catch { parts = ['']; }
    const [head, copy = '', path = ''] = parts;
    const step = /^step-(\d+)$/.exec(head);
    const given = new URLSearchParams(query);
    return {
      kind: step ? 'step' : head === 'ledger' ? 'ledger' : '',
      step: step ? Number(step[1]) : 0, copy, path,
      anchor: parts.length === 1 ? head : '',
      query: query !== '',
      filter: Object.fromEntries(filterNames.map((name) => [name, given.get(name) || ''])),
      view: Object.fromEntries(Object.entries(viewNames).map(([name, words]) => [name, words.find((w) => w === given.get(name))])),
    };
  };

  // writeAddress is the address of a place under a filter.
  const writeAddress = ({ kind, step, copy, path }, filter, view) => {
    const parts = kind ? [kind === 'ledger' ? 'ledger' : 'step-' + step, copy, path].filter((part) => part) : [];
    const given = new URLSearchParams(Object.entries({ ...filter, ...view }).filter(([, word]) => word));
    const query = given.toString();
    return '#' + parts.map(encodeURIComponent).join('/') + (query && '?' + query);
  };

  // Browsers refuse addresses that are written faster than this, in milliseconds.
  const pause = 300;

  // address writes the page's own: at once as a place to come back to, or after
  // a pause in place of the one before, as when an arrow key is held.
  const address = { waiting: 0 };
  const visit = (hash) => {
    clearTimeout(address.waiting);
    if (hash !== location.hash) history.pushState(null, '', hash || '#');
  };
  const pass = (hash) => {
    clearTimeout(address.waiting);
    address.waiting = setTimeout(() => {
      if (hash !== location.hash) history.replaceState(null, '', hash || '#');
    }, pause);
  };

  // revealAnchor opens what an element of the page stands in, and goes there.
  const revealAnchor = (id) => {
    const target = id && document.getElementById(id);
    if (!target) return false;
    for (let el = target; el; el = el.parentElement) if (el.tagName === 'DETAILS') el.open = true;
    target.scrollIntoView({ block: 'start' });
    return true;
  };
