// Bodies as they were sent, answered and stored.

  // Num keeps a number as it was written: JavaScript's cannot hold every int64.
  class Num { constructor(text) { this.text = text; } }
  const parse = (text) => JSON.parse(shallow(text), (_, v, context) =>
    typeof v === 'number' && context && context.source ? new Num(context.source) : v);
  // shallow is JSON text without what is nested deeper than a browser's stack
  // surely takes; a text says how much was there.
  const deepest = 200;
  const shallow = (text) => {
    let [out, from, depth, quoted] = ['', 0, 0, false];
    for (let i = 0; i < text.length; i++) {
      const c = text[i];
      if (quoted && c === '\\') i++;
      else if (c === '"') quoted = !quoted;
      else if (quoted) continue;
      else if (c === '{' || c === '[') {
        if (depth++ === deepest) [out, from] = [out + text.slice(from, i), i];
      } else if ((c === '}' || c === ']') && --depth === deepest) {
        out += JSON.stringify(`… nested deeper than ${deepest} levels: ${i + 1 - from} characters, in history.jsonl.zst`);
        from = i + 1;
      }
    }
    return out + text.slice(from);
  };
  // parseExact is quicker, and keeps only those that JavaScript cannot hold.
  const parseExact = (text) => (/[:,[]-?\d{16}/.test(text)
    ? JSON.parse(text, (_, v, context) => (Number.isInteger(v) && !Number.isSafeInteger(v) && context?.source ? new Num(context.source) : v))
    : JSON.parse(text));
  const leafText = (node) => (node instanceof Num ? node.text : JSON.stringify(node));

  // jsonText is a value's JSON with its numbers as they were written, as deep
  // as is shown.
  const jsonText = (node, depth = 0) => {
    if (isLeaf(node)) return leafText(node);
    if (depth > deepest) return '…';
    if (Array.isArray(node)) return '[' + node.map((item) => jsonText(item, depth + 1)).join() + ']';
    return '{' + Object.entries(node).map(([k, v]) => JSON.stringify(k) + ':' + jsonText(v, depth + 1)).join() + '}';
  };

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
    ': ' + (diff.hadBefore ? shown(jsonText(diff.before ?? null)) : 'absent');

  const mostDrawn = 20000; // lines of one body
  const moreLines = (n) => make('span', 'ln', `… ${plural(n, 'more line')}, in history.jsonl.zst`);

  // draw adds a line for each line of the body's JSON, up to the most that are drawn.
  const draw = (pre, root, marks) => {
    let count = 0;
    const line = (text, cls) => { if (++count <= mostDrawn) pre.append(make('span', 'ln ' + (cls || ''), text)); };
    const visit = (node, depth, lead, tail, inherited, note) => {
      const indent = '  '.repeat(depth);
      if (isLeaf(node)) {
        line(indent + lead + visible(leafText(node)) + tail + note, inherited);
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
    if (count > mostDrawn) pre.append(moreLines(count - mostDrawn));
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
    if (size > bytes.length) lines.push(`… ${size - bytes.length} more bytes, in history.jsonl.zst`);
    return lines.join('\n');
  };

  // unseen says why a body cannot be shown; '' where it can.
  const unseen = (body) => {
    if (!body) return 'The history does not hold this body.';
    if (body.o) return 'Left out, to keep this page small; history.jsonl.zst has it.';
    return body.w || '';
  };

  // pane is a region of text that scrolls, for the keyboard too.
  const pane = (name, ...children) => {
    const pre = make('pre', '', ...children);
    pre.tabIndex = 0;
    pre.setAttribute('role', 'group');
    pre.setAttribute('aria-label', name);
    return pre;
  };

  // whole is a body in full, with the differences marked in it.
  const whole = (name, body, diffs = []) => {
    if (unseen(body)) return make('p', 'meta', unseen(body));
    if (body.j === undefined) return pane(name, dump(bytesOf(body.h || ''), body.n || 0));
    const pre = pane(name);
    const root = parse(body.j);
    draw(pre, root, marksOf(root, diffs));
    return pre;
  };

  // opened is a body that is drawn when it is first opened.
  const opened = (index, title, number, diffs) =>
    later(title, async (el) => el.append(whole(title, await bodyOf(index, number), diffs)));
