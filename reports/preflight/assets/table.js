// The table: it draws a chunk of rows at a time, as far as the reader scrolls, so that
// thousands of rows cost no more than the first ones.

  const chunk = 50;
  const mostOwners = 40;
  const mostNames = 30;

  const signed = (c) => {
    const sign = make('span', 'sign', c.sign);
    sign.setAttribute('aria-hidden', 'true');
    return [sign, ' ' + visible(c.label)];
  };
  const clipped = (text) => make('span', 'clip', shown(text));

  // grow lists items a part at a time: an object that everything is owned by has thousands.
  const grow = (into, items, most, draw) => {
    let drawn = 0;
    const next = () => {
      const end = Math.min(drawn + most, items.length);
      into.append(...items.slice(drawn, end).map(draw));
      drawn = end;
      more.hidden = drawn >= items.length;
      more.textContent = `Show more: ${items.length - drawn} left`;
    };
    const more = button('others', '', next);
    next();
    return [into, more];
  };

  const ownerBox = (owner) => {
    const title = make('h3', '', shown(owner.name), owner.namespace ? make('span', 'quiet', ' in ' + shown(owner.namespace)) : '', ' ', make('span', 'count', String(owner.objects.length)));
    const alone = owner.objects.length === 1 && owner.name.endsWith(' ' + owner.objects[0]);
    return make('div', 'owner', title, ...(alone ? [] : grow(make('ul', ''), owner.objects, mostNames, (name) => make('li', '', shown(name)))));
  };

  const detail = (row) => make('div', 'detail',
    facts(
      ['message', visible(row.message)], ['path', row.path ? code(row.path) : ''], ['release', visible(row.releases.join(', '))],
      ['write', visible((row.writes || []).join(', '))], ['seen in', visible(row.phases.join('; '))],
      ['managed by', (row.managers || []).length ? visible(row.managers.join(', ')) + ': fix it there' : ''],
      ['accepted', visible(row.accepted || '')],
      ['fix', row.fixes ? visible(row.fixes.join('; ')) : 'no fix known']),
    ...grow(make('div', ''), row.owners || [], mostOwners, ownerBox));

  const makeTable = (model, body, more, changed) => {
    const list = { items: [], drawn: 0 };
    const opened = new Set();

    const cell = (name, ...children) => {
      const td = make('td', name, ...children);
      td.dataset.label = name;
      return td;
    };
    const toggle = (item, tr, switcher) => {
      const open = !opened.has(item.row.id);
      if (open) opened.add(item.row.id);
      else opened.delete(item.row.id);
      show(item, tr, switcher, open);
      changed(open ? item.row.id : '');
    };
    const show = (item, tr, switcher, open) => {
      switcher.setAttribute('aria-expanded', String(open));
      tr.classList.toggle('open', open);
      if (!open) {
        tr.nextElementSibling?.classList.contains('opened') && tr.nextElementSibling.remove();
        return;
      }
      const td = make('td', '', detail(item.row));
      td.colSpan = 6;
      const below = make('tr', 'opened', td);
      below.id = switcher.getAttribute('aria-controls');
      tr.after(below);
    };

    // draw is one row. Its button is what a keyboard reaches; a click anywhere does the same.
    const draw = (item) => {
      const { row } = item;
      const c = model.classOf(row.class);
      const switcher = button('class', '', () => toggle(item, tr, switcher));
      switcher.append(...signed(c));
      switcher.title = visible(c.meaning);
      switcher.setAttribute('aria-expanded', 'false');
      switcher.setAttribute('aria-controls', 'row-' + item.at);
      const first = (row.owners || []).slice(0, 2).map((o) => make('small', '', shown(o.namespace ? `${o.name} in ${o.namespace}` : o.name)));
      const path = row.path ? [make('br'), code(row.path)] : [];
      const tr = make('tr', 'row c-' + c.word,
        cell('class-cell', switcher), cell('direction', visible(row.where)), cell('place', make('b', '', visible(kindOf(row))), ...path),
        cell('objects', row.count, ...first, ...((row.owners || []).length > 2 ? [make('small', '', `and ${row.owners.length - 2} more`)] : [])),
        cell('message', clipped(row.message)), cell('fix', clipped(row.remedy.replace(/^fix: /, ''))));
      tr.dataset.row = row.id;
      tr.addEventListener('click', (e) => {
        if (!e.target.closest('a, button') && !String(getSelection())) toggle(item, tr, switcher);
      });
      return { tr, switcher };
    };

    const extend = (upTo = list.drawn + chunk) => {
      const end = Math.min(upTo, list.items.length);
      const added = document.createDocumentFragment();
      const open = [];
      for (; list.drawn < end; list.drawn++) {
        const item = list.items[list.drawn];
        const { tr, switcher } = draw(item);
        added.append(tr);
        if (opened.has(item.row.id)) open.push([item, tr, switcher]);
      }
      for (const [item, tr, switcher] of open) show(item, tr, switcher, true);
      body.append(added);
      more.hidden = list.drawn >= list.items.length;
      more.firstElementChild.textContent = `Show more: ${list.items.length - list.drawn} left`;
    };

    // reset draws other rows.
    const reset = (items) => {
      list.items = items;
      list.drawn = 0;
      body.replaceChildren();
      extend();
    };

    // reveal draws up to a row, opens it and goes there.
    const reveal = (id) => {
      const at = list.items.findIndex((item) => item.row.id === id);
      if (at < 0) return false;
      opened.add(id);
      extend(Math.max(at + 1, list.drawn));
      const tr = [...body.children].find((el) => el.dataset.row === id);
      const switcher = tr.querySelector('button');
      if (!tr.classList.contains('open')) show(list.items[at], tr, switcher, true);
      tr.scrollIntoView({ block: 'center', behavior: 'instant' });
      switcher.focus({ preventScroll: true });
      return true;
    };

    const buttons = () => [...body.querySelectorAll('tr.row > td > button')];
    // step moves the focus by some rows from the row that has it.
    const step = (by) => {
      const all = buttons();
      const at = all.findIndex((b) => b.closest('tr').contains(document.activeElement) || b.closest('tr').nextElementSibling?.contains(document.activeElement));
      if (at < 0 && by < 0) return;
      if (at + by >= all.length && !more.hidden) extend();
      const to = buttons()[at < 0 ? 0 : Math.max(0, at + by)];
      to?.focus();
    };
    const close = () => {
      const tr = document.activeElement?.closest('tr.row, tr.opened');
      const row = tr?.classList.contains('opened') ? tr.previousElementSibling : tr;
      if (!row?.classList.contains('open')) return;
      const switcher = row.querySelector('button');
      switcher.click();
      switcher.focus();
    };
    return { reset, extend, reveal, step, close, all: () => extend(list.items.length) };
  };
