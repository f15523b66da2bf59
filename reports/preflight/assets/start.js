// A chip means a kind and an outcome of a hop.

  startTable('pack-preflight', makeModel, 'preflight.md and preflight.json', {
    chosen: (chip) => ({ outcome: chip.outcome, kind: chip.kind, hop: chip.hop }), few: ['hop', 'manager'], empty: 'No finding.',
  });
