// Paths: .spec.containers[name="c"].env[0]["odd name"], see package path.

  // tokens splits a path into names and selectors.
  const tokens = (path) => {
    const part = /\.([^.[\]]+)|\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]/g;
    return [...path.matchAll(part)].map((m) => (m[1] !== undefined ? { name: m[1] } : selector(m[2])));
  };
  const selector = (text) => {
    if (/^\d+$/.test(text)) return { index: Number(text) };
    if (text.startsWith('=')) return { equals: scalar(text.slice(1)) };
    const quoted = '"(?:[^"\\\\]|\\\\.)*"';
    if (new RegExp(`^${quoted}$`).test(text)) return { name: scalar(text) };
    const keys = text.matchAll(new RegExp(`(${quoted}|[^=,"]+)=(${quoted}|[^,]*)`, 'g'));
    return { keys: [...keys].map((m) => [String(scalar(m[1])), scalar(m[2])]) };
  };
  // scalar reads a name or a value. Go quotes some characters in ways that JSON
  // does not know.
  const scalar = (text) => {
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
    if (isLeaf(node)) return undefined;
    if (!Array.isArray(node)) return Object.hasOwn(node, step.name) ? step.name : undefined;
    const at = node.findIndex((item, n) => selects(step, item, n));
    return at < 0 ? undefined : at;
  };
  const isLeaf = (node) => node === null || typeof node !== 'object' || node instanceof Num;
  const same = (a, b) => String(a instanceof Num ? a.text : a) === String(b);
  const selects = (step, item, n) => {
    if (step.index !== undefined) return step.index === n;
    if (step.equals !== undefined) return same(item, step.equals);
    return !!step.keys && !isLeaf(item) && step.keys.every(([k, v]) => same(item[k], v));
  };

  // plain tells a name that follows a dot as it stands; others are quoted.
  const plain = /^[A-Za-z0-9_$-]+$/;
  const nameIn = (name) => (plain.test(name) ? '.' + name : `[${JSON.stringify(name)}]`);
  const keyIn = (name) => (/^[A-Za-z_$][\w$-]*$/.test(name) ? name : JSON.stringify(name));
