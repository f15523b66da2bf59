// What differs between two bodies, line by line. Elements of a list that has
// keys are matched by them, as servers do, not by where they stand.

  const emptyOf = (node) => (Array.isArray(node) ? [] : {});

  // diffBodies gives the lines of both bodies in one: mark is '-' for what only
  // the first has, '+' for what only the second has, and ' ' for what both have.
  // lists has the keys of the kind's lists, by path without selectors.
  const diffBodies = (a, b, lists) => {
    const lines = [];
    compare(lines, lists, { a, b, lead: '', path: '', schema: '', depth: 0 });
    return lines;
  };

  const compare = (lines, lists, at) => {
    const { a, b } = at;
    if (a === undefined) return addAll(lines, lists, at, b, '+');
    if (b === undefined) return addAll(lines, lists, at, a, '-');
    if (isLeaf(a) && isLeaf(b) && leafText(a) === leafText(b)) return addLine(lines, at, leafText(a), ' ');
    if (isLeaf(a) || isLeaf(b) || Array.isArray(a) !== Array.isArray(b)) {
      addAll(lines, lists, at, a, '-');
      return addAll(lines, lists, at, b, '+');
    }
    const parts = partsOf(at, a, b, lists);
    if (parts.length === 0) return addLine(lines, at, Array.isArray(a) ? '[]' : '{}', ' ');
    if (at.lead) addLine(lines, at, '', ' ');
    for (const part of parts) compare(lines, lists, part);
  };

  // addAll adds every line of what only one side has.
  const addAll = (lines, lists, at, node, mark) => {
    if (isLeaf(node)) return addLine(lines, at, leafText(node), mark);
    const parts = partsOf(at, node, emptyOf(node), lists);
    addLine(lines, at, parts.length ? '' : (Array.isArray(node) ? '[]' : '{}'), mark);
    for (const part of parts) addAll(lines, lists, part, part.a, mark);
  };

  const addLine = (lines, at, text, mark) =>
    lines.push({ mark, depth: Math.max(0, at.depth - 1), text: labelled(at.lead, text), path: at.path });
  const labelled = (lead, text) => {
    if (!lead) return text;
    if (lead === '-') return text ? '- ' + text : '-';
    return lead + ':' + (text && ' ' + text);
  };

  // partsOf pairs the members of two objects, or the elements of two lists.
  const partsOf = (at, a, b, lists) => {
    const part = (lead, step, schema, x, y) =>
      ({ a: x, b: y, lead, path: at.path + step, schema: at.schema + schema, depth: at.depth + 1 });
    if (!Array.isArray(a)) {
      const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
      const own = (node, name) => (Object.hasOwn(node, name) ? node[name] : undefined);
      return names.map((name) => part(plain.test(name) ? name : JSON.stringify(name), nameIn(name), nameIn(name), own(a, name), own(b, name)));
    }
    const identify = identifier(lists?.[at.schema], a, b);
    if (!identify) return byPlace(a, b).map(([x, y, i]) => part('-', `[${i}]`, '', x, y));
    const [left, right] = [new Map(a.map((x) => [identify(x), x])), new Map(b.map((x) => [identify(x), x]))];
    return [...new Set([...left.keys(), ...right.keys()])].map((id) =>
      part(id.startsWith('[=') ? '-' : id, id, '', left.get(id), right.get(id)));
  };

  // identifier says what tells the elements of both lists apart: the keys of a
  // list-map, the values of a set, or nothing where they do not.
  const identifier = (keys, ...both) => {
    if (!keys) return undefined;
    const identify = keys.length
      ? (item) => (isLeaf(item) ? undefined : '[' + keys.filter((k) => item[k] !== undefined)
        .map((k) => keyIn(k) + '=' + leafText(item[k])).join() + ']')
      : (item) => (isLeaf(item) ? `[=${leafText(item)}]` : undefined);
    const tells = (list) => {
      const ids = list.map(identify);
      return !ids.includes(undefined) && new Set(ids).size === ids.length;
    };
    return both.every(tells) ? identify : undefined;
  };

  // byPlace pairs the elements of lists without keys: equal ones at the start and the end,
  // and what is between them by place.
  const byPlace = (a, b) => {
    const equal = (x, y) => jsonText(x) === jsonText(y);
    const { head, tail } = commonEnds(a, b, equal);
    const pairs = [];
    for (let i = 0; i < Math.max(a.length, b.length) - tail; i++) {
      pairs.push([i < a.length - tail ? a[i] : undefined, i < b.length - tail ? b[i] : undefined, i]);
    }
    for (let i = tail; i > 0; i--) pairs.push([a[a.length - i], b[b.length - i], b.length - i]);
    return head === a.length && head === b.length ? a.map((x, i) => [x, b[i], i]) : pairs;
  };
  const commonEnds = (a, b, equal) => {
    const most = Math.min(a.length, b.length);
    let head = 0;
    while (head < most && equal(a[head], b[head])) head++;
    let tail = 0;
    while (tail < most - head && equal(a[a.length - 1 - tail], b[b.length - 1 - tail])) tail++;
    return { head, tail };
  };

  // diffLines is the same of two texts, by the longest lines in common; where
  // they are too long for that, all between the ends they share differs.
  const mostCells = 4e6;
  const diffLines = (a, b) => {
    const bare = (line) => line.replace(/,$/, '');
    const equal = (x, y) => bare(x) === bare(y);
    const { head, tail } = commonEnds(a, b, equal);
    const [left, right] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
    const middle = left.length * right.length <= mostCells ? commonLines(left, right, equal)
      : [...left.map((t) => ['-', t]), ...right.map((t) => ['+', t])];
    const both = (list) => list.map((text) => [' ', text]);
    return [...both(b.slice(0, head)), ...middle, ...both(b.slice(b.length - tail))]
      .map(([mark, text]) => ({ mark, depth: 0, text, path: '' }));
  };
  const commonLines = (a, b, equal) => {
    const width = b.length + 1;
    const table = new Uint16Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i--) {
      for (let j = b.length - 1; j >= 0; j--) {
        table[i * width + j] = equal(a[i], b[j]) ? table[(i + 1) * width + j + 1] + 1
          : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
      }
    }
    const lines = [];
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && equal(a[i], b[j])) { lines.push([' ', b[j++]]); i++; }
      else if (j === b.length || (i < a.length && table[(i + 1) * width + j] >= table[i * width + j + 1])) lines.push(['-', a[i++]]);
      else lines.push(['+', b[j++]]);
    }
    return lines;
  };

  // drawDiff shows the lines that differ with what they stand in and a line
  // around them; the others are folded until they are asked for. acknowledged
  // has the differences to acknowledged values, by path.
  const around = 1;
  const drawDiff = (name, lines, acknowledged = new Map()) => {
    const pre = pane(name);
    pre.classList.add('diff');
    const keep = toKeep(lines, acknowledged);
    const room = { left: mostDrawn };
    for (let i = 0; i < lines.length;) {
      let end = i;
      while (end < lines.length && keep[end] === keep[i]) end++;
      const part = lines.slice(i, end);
      pre.append(keep[i] === shownLine ? drawLines(part, room, acknowledged) : fold(part, keep[i], room));
      i = end;
    }
    return pre;
  };
  // drawLines draws lines while there is room for any, and counts the others.
  const drawLines = (lines, room, acknowledged) => {
    const drawn = document.createDocumentFragment();
    const some = lines.slice(0, room.left);
    for (const line of some) drawn.append(lineOf(line, acknowledged));
    room.left -= some.length;
    if (some.length < lines.length) drawn.append(moreLines(lines.length - some.length));
    return drawn;
  };
  const [folded, shownLine, booksLine] = [0, 1, 2];

  // toKeep says of each line whether it is shown, or folded with its neighbours.
  // What servers note of who owns which field changes with every write: it is
  // folded by itself.
  const books = '.metadata.managedFields';
  const toKeep = (lines, acknowledged) => {
    const keep = new Uint8Array(lines.length);
    lines.forEach((line, i) => {
      if (line.path.startsWith(books) || (line.mark === ' ' && !acknowledged.has(line.path))) return;
      for (let j = Math.max(0, i - around); j <= Math.min(lines.length - 1, i + around); j++) keep[j] = shownLine;
      for (let j = i, depth = line.depth; j >= 0 && depth > 0; j--) {
        if (lines[j].depth < depth) [keep[j], depth] = [shownLine, lines[j].depth];
      }
    });
    lines.forEach((line, i) => { if (line.path.startsWith(books)) keep[i] = booksLine; });
    return keep;
  };

  const fold = (lines, kind, room) => {
    const differing = lines.filter((line) => line.mark !== ' ').length;
    const what = kind === booksLine ? `managedFields${differing ? `: ${plural(differing, 'line')} differ` : ''}` : `${plural(lines.length, 'line')} alike`;
    const open = button('fold', '⋯ ' + what, () => open.replaceWith(drawLines(lines, room)));
    return open;
  };
  const markClass = { '-': ' cut', '+': ' new', ' ': '' };
  const lineOf = ({ mark, depth, text, path }, acknowledged = new Map()) => {
    const line = make('span', 'ln' + markClass[mark], mark + ' ' + '  '.repeat(depth) + visible(text));
    const diff = mark !== '-' && acknowledged.get(path);
    if (diff) line.append(make('span', 'note', '   ← ' + wasThere(diff)));
    return line;
  };
