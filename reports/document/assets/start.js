// The page: what a reader types and presses becomes a filter, and the page's address.

  // connect connects the page's filter, chips, headings and keys with the table of a model. Chosen is the
  // filter that a chip means, few are the filters that are left out unless they have two values.
  const connect = (model, { chosen, few, empty }) => {
    const at = (id) => document.getElementById(id);
    const form = at('filter');
    const filterNames = [...form.elements].map((el) => el.name).filter((name) => name);
    const chips = [...document.querySelectorAll('button.chip')];
    const state = { sort: '', row: '' };

    for (const [name, values] of Object.entries(model.choices)) {
      const select = form.elements[name];
      select.append(...values.map(([value, text]) => new Option(visible(text), value)));
      if (values.length === 0 || (few.includes(name) && values.length < 2)) select.closest('label').hidden = true;
    }

    // The address: #q=…&kind=…&sort=…&row=…
    let writing = 0;
    const writeAddress = () => {
      clearTimeout(writing);
      writing = setTimeout(() => { // browsers refuse addresses that are written with every key
        const given = new URLSearchParams(Object.entries({ ...filter(), ...state }).filter(([, value]) => value));
        if ('#' + given !== location.hash) history.replaceState(null, '', '#' + given);
      }, 300);
    };
    const filter = () => Object.fromEntries(filterNames.map((name) => [name, form.elements[name].value]));
    const readAddress = () => {
      const given = new URLSearchParams(location.hash.slice(1));
      for (const name of filterNames) {
        form.elements[name].value = given.get(name) || '';
        if (form.elements[name].selectedIndex === -1) form.elements[name].value = '';
      }
      state.sort = given.get('sort') || '';
      state.row = given.get('row') || '';
    };

    const table = makeTable(model, at('rows-body'), at('more'), (id) => { state.row = id; writeAddress(); });

    const headers = [...document.querySelectorAll('#rows th[data-sort]')];
    const drawHeaders = () => {
      for (const th of headers) {
        const order = state.sort === th.dataset.sort ? 'ascending' : state.sort === '-' + th.dataset.sort ? 'descending' : 'none';
        th.setAttribute('aria-sort', order);
      }
    };
    const update = () => {
      const now = filter();
      const found = model.select(now, state.sort);
      const rows = found.reduce((n, item) => n + 1 + (item.others || []).length, 0);
      at('count').textContent = rows === model.items.length ? plural(rows, 'row') : `${rows} of ${plural(model.items.length, 'row')}`;
      for (const name of filterNames) form.elements[name].classList.toggle('on', now[name] !== '');
      for (const chip of chips) {
        chip.setAttribute('aria-pressed', String(Object.entries(chosen(chip.dataset)).every(([name, value]) => now[name] === value)));
      }
      at('none').hidden = found.length > 0;
      if (model.items.length === 0) at('none').textContent = empty;
      drawHeaders();
      table.reset(found);
      writeAddress();
    };

    const set = (values) => {
      for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
      update();
    };
    const unset = (names) => set(Object.fromEntries(names.map((name) => [name, ''])));
    for (const th of headers) {
      th.querySelector('button').addEventListener('click', () => {
        const name = th.dataset.sort;
        state.sort = state.sort === name ? '-' + name : state.sort === '-' + name ? '' : name;
        update();
      });
    }
    for (const chip of chips) {
      chip.addEventListener('click', () => {
        const values = chosen(chip.dataset);
        if (chip.getAttribute('aria-pressed') === 'true') unset(Object.keys(values));
        else set(values);
        at('rows').scrollIntoView({ block: 'start' });
      });
    }
    form.addEventListener('input', update);
    form.addEventListener('submit', (e) => e.preventDefault());
    at('clear').addEventListener('click', () => { state.sort = ''; unset(filterNames); });
    at('more').firstElementChild.addEventListener('click', () => table.extend());
    const near = new IntersectionObserver((seen) => {
      if (!seen.at(-1).isIntersecting) return;
      table.extend();
      near.unobserve(at('more')); // it reports a change only: where rows are low, more is still near
      near.observe(at('more'));
    }, { rootMargin: '600px' });
    near.observe(at('more'));
    addEventListener('beforeprint', () => table.all());

    document.addEventListener('keydown', (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const typing = e.target.closest('input, select, textarea');
      if (e.key === 'Escape') {
        if (e.target === form.elements.q) set({ q: '' });
        else table.close();
      } else if (typing) return;
      else if (e.key === '/') { e.preventDefault(); form.elements.q.focus(); }
      else if (e.key === 'j' || (e.key === 'ArrowDown' && e.target.closest('#rows-body'))) { e.preventDefault(); table.step(1); }
      else if (e.key === 'k' || (e.key === 'ArrowUp' && e.target.closest('#rows-body'))) { e.preventDefault(); table.step(-1); }
    });

    const follow = () => {
      readAddress();
      const row = state.row;
      update();
      if (row && !table.reveal(row)) state.row = '';
    };
    addEventListener('hashchange', follow);
    follow();
    at('rows-app').hidden = false;
    if (state.row) table.reveal(state.row);
    document.documentElement.classList.add('drawn');
  };

  // startTable draws the rows of a block of data, or says in which files beside the page they are.
  const startTable = (block, makeModel, files, options) => {
    unpack(block).then((data) => connect(makeModel(data), options)).catch((e) => {
      const told = document.getElementById('broken');
      told.textContent = `The rows cannot be shown: ${visible(e.message)}. They are in ${files}, beside this page.`;
      told.hidden = false;
    });
  };
