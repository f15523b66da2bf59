// The table: it draws a chunk of rows at a time, as far as the reader scrolls, so that
// thousands of rows cost no more than the first ones.

  const chunk = 50;

  // signed is a word with its sign, which a reader of colours alone need not see.
  const signed = (word) => {
    const sign = make('span', 'sign', word.sign);
    sign.setAttribute('aria-hidden', 'true');
    return [sign, ' ' + visible(word.label)];
  };

  const cell = (name, ...children) => {
    const td = make('td', name, ...children);
    td.dataset.label = name;
    return td;
  };

  // makeTable draws the rows of a model, which says of an item its word, what its first cell has beside that,
  // and its other cells; of a row what it shows when it is opened; and with which prefix words are CSS classes.
  // An item may stand for others too, which are not drawn.
  // Changed is called with the row that opens, or with '' when one closes.
  const makeTable = (model, body, more, changed) => {
    const list = { items: [], drawn: 0 };
    const opened = new Set();

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
      const td = make('td', '', model.detail(item.row, item));
      td.colSpan = tr.cells.length;
      const below = make('tr', 'opened', td);
      below.id = switcher.getAttribute('aria-controls');
      tr.after(below);
    };

    // draw is one row. Its button is what a keyboard reaches; a click anywhere does the same.
    const draw = (item) => {
      const word = model.word(item);
      const switcher = button('word', '', () => toggle(item, tr, switcher));
      switcher.append(...signed(word));
      switcher.title = visible(word.meaning);
      switcher.setAttribute('aria-expanded', 'false');
      switcher.setAttribute('aria-controls', 'row-' + item.at);
      const tr = make('tr', 'row ' + model.prefix + word.word, cell('first', switcher, ...model.beside(item)), ...model.cells(item));
      tr.dataset.row = item.row.id;
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
      const at = list.items.findIndex((item) => [item, ...(item.others || [])].some((one) => one.row.id === id));
      if (at < 0) return false;
      const first = list.items[at].row.id; // of the rows that are drawn as one
      opened.add(first);
      extend(Math.max(at + 1, list.drawn));
      const tr = [...body.children].find((el) => el.dataset.row === first);
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
