// The page is whole without this script, but for bodies: it opens rows, unpacks
// and draws bodies, follows links into evidence, and filters copies. What an
// object holds only ever becomes text nodes.
  document.documentElement.classList.add('js');

  const make = (tag, cls, ...children) => {
    const el = document.createElement(tag);
    if (cls) el.className = cls;
    el.append(...children);
    return el;
  };

  // visible writes characters that act instead of being read as code points.
  const visible = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (c) => '\\u' + c.codePointAt(0).toString(16).padStart(4, '0'));

  // ---- evidence: unpacked once, when the first body is opened

  let unpacked;
  const evidence = () => {
    unpacked ??= (async () => {
      const packed = document.getElementById('evidence').textContent.trim();
      const bytes = bytesOf(packed);
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
      return JSON.parse(await new Response(stream).text());
    })();
    return unpacked;
  };
  const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

  // ---- paths: .spec.containers[name="c"].env[0]["odd name"], see package path

  // tokens splits a path into names and selectors.
  const tokens = (path) => {
    const part = /\.([^.[\]]+)|\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]/g;
    return [...path.matchAll(part)].map((m) => (m[1] !== undefined ? { name: m[1] } : selector(m[2])));
  };
  const selector = (text) => {
    if (/^\d+$/.test(text)) return { index: Number(text) };
    if (text.startsWith('=')) return { equals: value(text.slice(1)) };
    const quoted = '"(?:[^"\\\\]|\\\\.)*"';
    if (new RegExp(`^${quoted}$`).test(text)) return { name: value(text) };
    const keys = text.matchAll(new RegExp(`(${quoted}|[^=,"]+)=(${quoted}|[^,]*)`, 'g'));
    return { keys: [...keys].map((m) => [String(value(m[1])), value(m[2])]) };
  };
  // value reads a scalar. Go quotes some characters in ways that JSON does not know.
  const value = (text) => {
    const json = text.replace(/\\(x[0-9a-f]{2}|U[0-9a-f]{8}|.)/g, (escape, what) => {
      if (what === 'a' || what === 'v') return what === 'a' ? '\\u0007' : '\\u000b';
      if (what.length === 3) return '\\u00' + what.slice(1);
      return what.length === 9 ? String.fromCodePoint(parseInt(what.slice(1), 16)) : escape;
    });
    try { return JSON.parse(json); } catch { return text; }
  };

  // follow walks a body along a path and says where the path ends: at a value,
  // which its parent holds under a key, or at the parent that lacks the rest.
  const follow = (root, path) => {
    let [parent, key, node] = [root, undefined, root];
    for (const step of tokens(path)) {
      parent = node;
      key = keyOf(node, step);
      if (key === undefined) break;
      node = node[key];
    }
    return { parent, key };
  };
  const keyOf = (node, step) => {
    if (node === null || typeof node !== 'object' || node instanceof Num) return undefined;
    if (!Array.isArray(node)) return Object.hasOwn(node, step.name) ? step.name : undefined;
    const at = node.findIndex((item, n) => selects(step, item, n));
    return at < 0 ? undefined : at;
  };
  const same = (a, b) => String(a instanceof Num ? a.text : a) === String(b);
  const selects = (step, item, n) => {
    if (step.index !== undefined) return step.index === n;
    if (step.equals !== undefined) return same(item, step.equals);
    return !!step.keys && item !== null && typeof item === 'object' && step.keys.every(([k, v]) => same(item[k], v));
  };

  // ---- bodies

  // Num keeps a number as it was written: JavaScript's cannot hold every int64.
  class Num { constructor(text) { this.text = text; } }
  const parse = (text) => JSON.parse(text, (_, v, context) =>
    typeof v === 'number' && context && context.source ? new Num(context.source) : v);

  // marksOf finds which nodes of a body to mark, and which lines to add for
  // values that are not there.
  const marksOf = (root, diffs) => {
    const marks = { nodes: new Map(), gone: new Map() };
    for (const d of diffs) {
      const at = follow(root, d.path);
      const into = at.key === undefined ? marks.gone : marks.nodes;
      if (!into.has(at.parent)) into.set(at.parent, []);
      into.get(at.parent).push({ key: at.key, diff: d });
    }
    return marks;
  };
  const markOf = (marks, parent, key) => marks.nodes.get(parent)?.find((m) => m.key === key)?.diff;
  const classOf = (diff) => (diff.acknowledged ? 'ack' : 'then');
  const wasThere = (diff) => (diff.acknowledged ? 'acknowledged' : 'served before') +
    ': ' + (diff.hadBefore ? visible(JSON.stringify(diff.before ?? null)) : 'absent');

  // draw adds a line for each line of the body's JSON.
  const draw = (pre, root, marks) => {
    const line = (text, cls) => pre.append(make('span', 'ln ' + (cls || ''), text));
    const visit = (node, depth, lead, tail, inherited, note) => {
      const indent = '  '.repeat(depth);
      if (node === null || typeof node !== 'object' || node instanceof Num) {
        const text = node instanceof Num ? node.text : visible(JSON.stringify(node));
        line(indent + lead + text + tail + note, inherited);
        return;
      }
      const list = Array.isArray(node);
      const keys = list ? [...node.keys()] : Object.keys(node);
      if (keys.length === 0 && !marks.gone.has(node)) {
        line(indent + lead + (list ? '[]' : '{}') + tail + note, inherited);
        return;
      }
      line(indent + lead + (list ? '[' : '{') + note, inherited);
      for (const gone of marks.gone.get(node) || []) {
        line(indent + '  − ' + visible(gone.diff.path) + ' is not here; ' + wasThere(gone.diff), 'gone ' + classOf(gone.diff));
      }
      keys.forEach((key, i) => {
        const diff = markOf(marks, node, key);
        visit(node[key], depth + 1, list ? '' : visible(JSON.stringify(key)) + ': ', i + 1 < keys.length ? ',' : '',
          diff ? classOf(diff) : inherited, diff ? '   ← ' + wasThere(diff) : '');
      });
      line(indent + (list ? ']' : '}') + tail, inherited);
    };
    visit(root, 0, '', '', '', '');
  };

  // dump writes stored bytes as hex and ASCII.
  const dump = (bytes, size) => {
    const lines = [];
    for (let i = 0; i < bytes.length; i += 16) {
      const part = [...bytes.slice(i, i + 16)];
      const hex = part.map((b) => b.toString(16).padStart(2, '0'));
      const text = part.map((b) => (b >= 32 && b < 127 ? String.fromCharCode(b) : '.')).join('');
      lines.push(i.toString(16).padStart(8, '0') + '  ' + hex.slice(0, 8).join(' ').padEnd(23) + '  ' +
        hex.slice(8).join(' ').padEnd(23) + '  |' + text + '|');
    }
    if (size > bytes.length) lines.push(`… ${size - bytes.length} more bytes, in history.jsonl`);
    return lines.join('\n');
  };

  const fill = async (into, number, diffsOf) => {
    try {
      const all = await evidence();
      const body = all.bodies[number];
      const pre = make('pre');
      pre.tabIndex = 0;
      if (body.w) pre.textContent = body.w;
      else if (body.j !== undefined) {
        const root = parse(body.j);
        draw(pre, root, marksOf(root, diffsOf(all)));
      } else pre.textContent = dump(bytesOf(body.b || ''), body.n || 0);
      into.append(pre);
    } catch (e) {
      into.append(make('p', 'warning', 'This browser cannot unpack the evidence: ' + e.message));
    }
  };

  // disclosure is a body that is drawn when it is first opened.
  const disclosure = (title, number, diffsOf = () => []) => {
    const el = make('details', 'body', make('summary', '', title));
    el.addEventListener('toggle', () => fill(el, number, diffsOf), { once: true });
    return el;
  };

  // ---- rows

  // toldOf returns the row below a row, where its evidence stands.
  const toldOf = (row) => {
    if (row.nextElementSibling?.classList.contains('told')) return row.nextElementSibling;
    const cell = make('td');
    cell.colSpan = row.cells.length - 1;
    const told = make('tr', 'told', make('td'), cell);
    row.after(told);
    return told;
  };

  // complete adds to a row's evidence the bodies that can be opened.
  const complete = (row, told) => {
    told.dataset.complete = '1';
    for (const place of told.querySelectorAll('.bodies')) {
      if (place.dataset.sent) place.append(disclosure('body sent', place.dataset.sent));
      if (place.dataset.answer) place.append(disclosure('answer', place.dataset.answer));
    }
    const cell = told.lastElementChild;
    const heads = row.closest('table').tHead.rows[0].cells;
    for (const shown of row.querySelectorAll('td[data-b]')) {
      const name = heads[shown.cellIndex].textContent;
      const held = shown.classList.contains('etcd');
      const role = shown.querySelector('small')?.textContent || '';
      const title = held ? 'etcd held: ' + shown.textContent : `served by ${name} (${role}): full answer`;
      cell.append(disclosure(title, shown.dataset.b, (all) => (held ? [] : all.rows[row.id]?.[name] || [])));
    }
  };

  const toggle = (row, open) => {
    const button = row.querySelector('button');
    const told = toldOf(row);
    const on = open ?? !told.classList.contains('open');
    if (!told.dataset.complete) complete(row, told);
    told.classList.toggle('open', on);
    button.setAttribute('aria-expanded', String(on));
  };

  document.addEventListener('click', (event) => {
    const row = event.target.closest('.life button')?.closest('tr');
    if (row) toggle(row);
  });
  document.addEventListener('toggle', (event) => {
    if (!event.target.classList?.contains('copy')) return;
    for (const b of event.target.querySelectorAll('.life button:not([aria-expanded])')) b.setAttribute('aria-expanded', 'false');
  }, true);

  // ---- links into evidence

  const reveal = () => {
    let id;
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const state = /^#(step-\d+)\/([^/?]+)/.exec(location.hash);
    if (state) id = 'copy-' + visible(decodeURIComponent(state[2])) + '/' + state[1];
    const target = id && (document.getElementById(id) || document.getElementById(id.split('/')[0]));
    if (!target) return;
    for (let el = target; el; el = el.parentElement) {
      if (el.tagName === 'DETAILS') el.open = true;
      el.hidden = false; // a filter may have hidden it
    }
    for (const el of document.querySelectorAll('tr.linked')) el.classList.remove('linked');
    if (target.tagName === 'TR') {
      target.classList.add('linked');
      toggle(target, true);
      target.querySelector('button').focus({ preventScroll: true });
    }
    target.scrollIntoView({ block: 'start' });
  };
  addEventListener('hashchange', reveal);
  // A link that is followed twice does not change the hash.
  document.addEventListener('click', (event) => {
    if (event.target.closest('a')?.getAttribute('href') === location.hash) reveal();
  });

  // ---- filter

  const form = document.getElementById('filter');
  const copies = [...document.querySelectorAll('.copy')];
  const roles = new Set(copies.map((c) => c.dataset.role));
  for (const role of roles) form.elements.role.append(make('option', '', role));
  const filter = () => {
    const { text, state, role, object, shown } = form.elements;
    const wanted = text.value.trim().toLowerCase();
    let n = 0;
    for (const c of copies) {
      const fits = (!state.value || c.dataset.state === state.value) && (!role.value || c.dataset.role === role.value) &&
        (!object.value || c.dataset.object === object.value) &&
        (!wanted || c.firstElementChild.textContent.toLowerCase().includes(wanted));
      c.hidden = !fits;
      n += fits;
    }
    for (const o of document.querySelectorAll('.object')) o.hidden = !o.querySelector('.copy:not([hidden])');
    shown.value = `${n} of ${copies.length}`;
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  filter();
  reveal();
