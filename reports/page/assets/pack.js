// The data that the page carries: blocks of base64 of gzip of JSON, each
// unpacked once, when something of it is first looked at.

  const bytesOf = (base64) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  };

  const unpack = async (id) => {
    const element = document.getElementById(id);
    if (!element) throw new Error(`the page has no block ${id}`);
    const packed = new Blob([bytesOf(element.textContent.trim())]).stream();
    return parseExact(await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).text());
  };

  const blocks = new Map();
  const block = (id) => {
    if (!blocks.has(id)) blocks.set(id, unpack(id));
    return blocks.get(id);
  };

  // bodyOf is the body with a number, or nothing where the run has none.
  const bodyOf = async (index, number) => {
    if (number === undefined || number < 0) return undefined;
    const n = index.bodies.findLastIndex((first) => first <= number);
    return (await block('pack-bodies-' + n))[number - index.bodies[n]];
  };

  // rowsOf is a copy's rows with what each repeats of the row before written
  // out; since is the number of the step that first said it.
  const written = new Map();
  const rowsOf = async (index, copy) => {
    if (!written.has(copy)) {
      const { copies } = await block('pack-rows-' + index.copies.chunk[copy]);
      written.set(copy, writeOut(index, copy, copies[copy]));
    }
    return written.get(copy);
  };
  // ready is what rowsOf gives, without waiting: undefined while it is packed.
  const ready = (copy) => written.get(copy);

  const writeOut = (index, copy, packed) => {
    let stored = null;
    const last = index.replicas.map(() => null);
    return packed.map((row, n) => {
      const step = index.steps.number[index.copies.rows[copy][n]];
      const before = { stored, views: [...last] };
      if (row.stored !== 0) stored = row.stored && { ...row.stored, since: step };
      const views = row.views.map((view, i) => {
        if (view !== null && view !== 0) last[i] = { ...view, since: step };
        return view === null ? null : last[i];
      });
      return { n, step, position: index.copies.rows[copy][n], requests: row.requests || [], stored, views, before };
    });
  };
