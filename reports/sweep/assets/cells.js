// What a row shows while it is closed.

  const mark = (row) => [...(row.fails ? [make('span', 'mark fails', 'fails')] : []), ...(row.change ? [make('span', 'mark', row.change)] : [])];
  const beside = ({ row, outcome }) => [
    ...(outcome.preExisting ? [make('small', '', outcome.outcome.replaceAll('-', ' '))] : []), ...(outcome.count ? [make('small', '', outcome.count)] : []), ...mark(row),
  ];

  const cells = ({ row, outcome, others }) => {
    const because = outcome.cause ? outcome.cause.replaceAll('-', ' ') : outcome.reason || '';
    const why = because ? [make('small', 'because', visible(because))] : [];
    return [
      cell('difference', row.difference.replaceAll('-', ' ')), cell('place', code(row.place), ...(others.length ? [make('small', '', `and ${plural(others.length, 'more row')} of this change`)] : [])), cell('reachable', row.reachable ? 'by default' : 'with gates on'),
      cell('gates', ...lines(row.gateTexts)), cell('ruling', visible(outcome.ruling)),
      cell('writes', ...lines(outcome.writes.slice(0, 2)), ...(outcome.writes.length > 2 ? [make('small', '', `and ${outcome.writes.length - 2} more`)] : []), ...why),
    ];
  };
