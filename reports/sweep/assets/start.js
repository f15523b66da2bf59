// A chip means an outcome in a lap.

  startTable('pack-sweep', makeModel, 'sweep.csv and sweep.json', {
    chosen: (chip) => ({ outcome: chip.outcome, lap: chip.lap }), few: ['lap'], empty: 'No row.',
  });
