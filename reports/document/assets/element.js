// Elements of the page. What an object holds only ever becomes text.

  const make = (tag, cls, ...children) => {
    const el = document.createElement(tag);
    if (cls) el.className = cls;
    el.append(...children);
    return el;
  };

  const button = (cls, text, act) => {
    const el = make('button', cls, text);
    el.type = 'button';
    el.addEventListener('click', act);
    return el;
  };

  // visible writes characters that act instead of being read as code points.
  const acting = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
  const visible = (text) => String(text).replace(acting, (c) => '\\u' + c.codePointAt(0).toString(16).padStart(4, '0'));

  // code is text of a server or an object.
  const code = (text) => make('code', '', visible(text));

  // shown is a value's JSON text as a reader sees it: cut where it is long.
  const longest = 160;
  const shown = (json) => {
    const text = visible(json);
    return text.length > longest ? text.slice(0, longest) + ' …' : text;
  };

  const plural = (n, one, many = one + 's') => `${n} ${n === 1 ? one : many}`;

  // facts is a list of names and what they say; those that say nothing are left out.
  const facts = (...pairs) => {
    const list = make('dl', 'facts');
    for (const [name, ...what] of pairs) {
      if (what[0] !== '' && what[0] !== undefined) list.append(make('div', '', make('dt', '', name), make('dd', '', ...what)));
    }
    return list;
  };

  // orWhy is what draw gives, or why that part of the evidence cannot be shown:
  // one body that is hostile does not take the others away.
  const orWhy = async (draw) => {
    try {
      return await draw();
    } catch (e) {
      return make('p', 'warning', 'This part of the evidence cannot be shown: ' + visible(e.message));
    }
  };

  // later is a disclosure whose content is made when it is first opened.
  const later = (title, fill) => {
    const el = make('details', 'body', make('summary', '', ...[title].flat()));
    el.addEventListener('toggle', async () => {
      const told = await orWhy(() => fill(el));
      if (told) el.append(told);
    }, { once: true });
    return el;
  };
