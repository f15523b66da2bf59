// A chip means a verdict in a lap.

  startTable('pack-sweep', makeModel, 'sweep.csv and sweep.json', {
    chosen: (chip) => ({ verdict: chip.verdict, lap: chip.lap }), few: ['lap'], empty: 'No row.',
  });
