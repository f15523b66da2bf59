// What the page begins with: it unpacks the index, draws the matrix, and
// follows the address.

  // typing reports whether keys belong to the field that has the focus.
  const typing = ({ target }) => target.closest?.('input, select, textarea') !== null && target.type !== 'radio';

  const changed = (s) => {
    const filter = readFilter(s.form);
    if (filter.path && filter.path !== s.filter.path) s.form.elements.rows.value = 'fields';
    s.filter = filter;
    s.view = { rows: s.form.elements.rows.value, columns: s.form.elements.columns.value };
    refresh(s);
    pass(addressOf(s));
  };

  const cleared = (s) => {
    s.filter = Object.fromEntries(filterNames.map((name) => [name, '']));
    refresh(s);
    pass(addressOf(s));
  };

  // toFirstLoss takes the filter away where it hides the loss.
  const toFirstLoss = (s) => {
    const f = firstLoss(s);
    if (!s.x.items.some((item) => item.copy === s.m.index.findings[f].copy)) cleared(s);
    return lookAtFinding(s, f);
  };

  const copyLink = async (s) => {
    const link = location.href.replace(/#.*/s, '') + addressOf(s);
    try {
      await navigator.clipboard.writeText(link);
      s.at('shown-link').textContent = 'Copied';
    } catch {
      const field = s.at('shown-address');
      field.value = link;
      field.hidden = false;
      field.focus();
      field.select();
      tell(s, 'The link is selected: copy it.');
    }
  };

  const bindControls = (s) => {
    const press = (id, act) => s.at(id).addEventListener('click', () => act());
    s.form.addEventListener('input', () => changed(s));
    s.form.addEventListener('submit', (event) => event.preventDefault());
    press('filter-clear', () => cleared(s));
    press('finding-next', () => stepFinding(s, 1));
    press('finding-before', () => stepFinding(s, -1));
    press('row-next', () => stepRow(s, 1));
    press('row-before', () => stepRow(s, -1));
    press('shown-close', () => closeShown(s));
    press('shown-link', () => copyLink(s));
    press('shown-back', () => look(s, { ...s.looked, kind: 'step' }, { visited: true }));
    press('first-loss', () => toFirstLoss(s));
    s.at('first-loss').disabled = firstLoss(s) === undefined;
    s.at('finding-next').disabled = s.at('finding-before').disabled = s.order.length === 0;
  };

  const pageKeys = {
    n: (s) => stepFinding(s, 1), p: (s) => stepFinding(s, -1), j: (s) => stepRow(s, 1), k: (s) => stepRow(s, -1),
    '/': (s) => s.form.elements.q.focus(),
  };

  // bindKeys: single letters act only in this section, or where nothing has
  // the focus.
  const bindKeys = (s) => {
    s.x.element.addEventListener('keydown', (event) => {
      if (event.altKey || event.metaKey) return;
      if (event.key === 'Enter' || event.key === ' ') chosen(s.x, (item, cell) => openItem(s, item, cell));
      else if (!moveIn(s.x, event)) return;
      event.preventDefault();
    });
    s.panel.addEventListener('keydown', (event) => {
      if (typing(event) || event.altKey || event.metaKey || event.ctrlKey) return;
      if (event.key === 'Escape') focusCell(s.x, s.x.active.row, s.x.active.column);
      else if (event.target.closest('pre, .scroll')) return;
      else if (event.key === 'ArrowRight') stepRow(s, 1);
      else if (event.key === 'ArrowLeft') stepRow(s, -1);
      else return;
      event.preventDefault();
    });
    document.addEventListener('keydown', (event) => {
      const here = event.target === document.body || s.at('states').contains(event.target);
      const act = pageKeys[event.key];
      if (!here || !act || typing(event) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      act(s);
    });
  };

  // filterBy takes over the filter of an address; words that this run does not
  // have leave the address too.
  const filterBy = (s, place) => {
    s.filter = known(s.form, place.filter);
    s.view = { rows: place.view.rows || (s.filter.path ? 'fields' : 'objects'), columns: place.view.columns || s.usual };
    refresh(s);
    if (filterNames.some((name) => s.filter[name] !== place.filter[name])) pass(addressOf(s));
  };

  // goTo restores what an address names. Where its filter hides the row, the
  // evidence is shown all the same. An anchor of the page leaves the filter as
  // it is.
  const goTo = (s, hash) => {
    clearTimeout(address.waiting);
    const place = readAddress(hash);
    const copy = s.m.copyAt.get(place.copy);
    const has = place.kind && s.m.index.copies.rows[copy]?.length > 0;
    if (!has) hideShown(s);
    if (has || place.query || hash.length <= 1) filterBy(s, place);
    if (place.kind && place.copy && !has) tell(s, `This run has no copy ${visible(place.copy)} with states.`);
    if (has) {
      const n = place.kind === 'step' ? rowAt(s.m, copy, place.step).n : 0;
      look(s, { kind: place.kind, copy, n, path: place.path });
      s.at('states-view').scrollIntoView({ block: 'start', behavior: 'instant' });
      return;
    }
    if (place.query && !place.kind) s.at('states').scrollIntoView({ block: 'start', behavior: 'instant' });
    else revealAnchor(place.kind === 'step' ? 'step-' + place.step : place.anchor);
  };

  const begin = async () => {
    const s = statesOf(await block('pack-index'));
    refresh(s);
    bindControls(s);
    bindKeys(s);
    // Back can come before an address that waits is written: it is that of the place left.
    addEventListener('popstate', () => clearTimeout(address.waiting));
    addEventListener('hashchange', () => goTo(s, location.hash));
    // A link that is followed twice does not change the address.
    document.addEventListener('click', (event) => {
      if (event.target.closest('a')?.getAttribute('href') === location.hash) goTo(s, location.hash);
    });
    if (location.hash.length > 1) goTo(s, location.hash);
    performance.mark('drawn');
    document.documentElement.classList.add('drawn');
  };

  document.documentElement.classList.add('js');
  begin().catch((e) => {
    const told = make('p', 'warning', 'This browser cannot show the states: ' + visible(e.message));
    document.getElementById('states').append(told);
  });
