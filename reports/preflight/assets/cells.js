// What a row shows: its cells, and when it is opened the message, the owners and their objects.

  const mostOwners = 40;
  const mostNames = 30;

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

  const cells = ({ row }) => {
    const owners = row.owners || [];
    const first = owners.slice(0, 2).map((o) => make('small', '', shown(o.namespace ? `${o.name} in ${o.namespace}` : o.name)));
    const path = row.path ? [make('br'), code(row.path)] : [];
    return [
      cell('direction', visible(row.where)), cell('place', make('b', '', visible(row.about)), ...path),
      cell('objects', row.count, ...first, ...(owners.length > 2 ? [make('small', '', `and ${owners.length - 2} more`)] : [])),
      cell('message', clipped(row.message)), cell('fix', clipped(row.remedy.replace(/^fix: /, ''))),
    ];
  };
