// The table: it draws a chunk of rows at a time, as far as the reader scrolls, so that
// thousands of rows cost no more than the first ones.

  const chunk = 50;

  const makeTable = (model, body, more, changed) => {
    const shown = { items: [], drawn: 0 };
    const opened = new Set();

    const cell = (name, ...children) => {
      const td = make('td', name, ...children);
      td.dataset.label = name;
      return td;
    };
    const mark = (row) => [...(row.fails ? [make('span', 'mark fails', 'fails')] : []), ...(row.change ? [make('span', 'mark', row.change)] : [])];

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
      const td = make('td', '', detail(model, item.row));
      td.colSpan = model.columns.length;
      const below = make('tr', 'opened', td);
      below.id = switcher.getAttribute('aria-controls');
      tr.after(below);
    };

    // draw is one row. Its button is what a keyboard reaches; a click anywhere does the same.
    const draw = (item) => {
      const { row, outcome } = item;
      const fate = model.fate(outcome.verdict);
      const switcher = button('fate f-' + fate.word, '', () => toggle(item, tr, switcher));
      switcher.append(...signed(fate));
      switcher.title = visible(fate.meaning);
      switcher.setAttribute('aria-expanded', 'false');
      switcher.setAttribute('aria-controls', 'row-' + item.at);
      const because = outcome.cause ? outcome.cause.replaceAll('-', ' ') : outcome.reason || '';
      const why = because ? [make('small', 'because', visible(because))] : [];
      const tr = make('tr', 'row f-' + fate.word,
        cell('verdict', switcher, ...(outcome.count ? [make('small', '', outcome.count)] : []), ...mark(row)),
        cell('difference', row.difference.replaceAll('-', ' ')), cell('place', code(row.place)), cell('reachable', row.reachable ? 'by default' : 'with gates on'),
        cell('gates', ...lines(row.gateTexts)), cell('ruling', visible(outcome.ruling)),
        cell('writes', ...lines(outcome.writes.slice(0, 2)), ...(outcome.writes.length > 2 ? [make('small', '', `and ${outcome.writes.length - 2} more`)] : []), ...why));
      tr.dataset.row = row.id;
      tr.addEventListener('click', (e) => {
        if (!e.target.closest('a, button') && !String(getSelection())) toggle(item, tr, switcher);
      });
      return { tr, switcher };
    };

    const extend = (upTo = shown.drawn + chunk) => {
      const end = Math.min(upTo, shown.items.length);
      const added = document.createDocumentFragment();
      const open = [];
      for (; shown.drawn < end; shown.drawn++) {
        const item = shown.items[shown.drawn];
        const { tr, switcher } = draw(item);
        added.append(tr);
        if (opened.has(item.row.id)) open.push([item, tr, switcher]);
      }
      for (const [item, tr, switcher] of open) show(item, tr, switcher, true);
      body.append(added);
      more.hidden = shown.drawn >= shown.items.length;
      more.firstElementChild.textContent = `Show more: ${shown.items.length - shown.drawn} left`;
    };

    // reset draws other rows.
    const reset = (items) => {
      shown.items = items;
      shown.drawn = 0;
      body.replaceChildren();
      extend();
    };

    // reveal draws up to a row, opens it and goes there.
    const reveal = (id) => {
      const at = shown.items.findIndex((item) => item.row.id === id);
      if (at < 0) return false;
      opened.add(id);
      extend(Math.max(at + 1, shown.drawn));
      const tr = [...body.children].find((el) => el.dataset.row === id);
      const switcher = tr.querySelector('button');
      if (!tr.classList.contains('open')) show(shown.items[at], tr, switcher, true);
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
    return { reset, extend, reveal, step, close, all: () => extend(shown.items.length) };
  };
