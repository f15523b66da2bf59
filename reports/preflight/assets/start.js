// A chip means a kind and a class of a hop.

  startTable('pack-preflight', makeModel, 'preflight.md and preflight.json', {
    chosen: (chip) => ({ class: chip.class, kind: chip.kind, hop: chip.hop }), few: ['hop', 'manager'], empty: 'No finding.',
  });
