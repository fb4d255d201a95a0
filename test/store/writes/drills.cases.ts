import { expect } from 'vitest';
import type { CardResult } from '../../../src/platform/drill.ts';
import type { DrillWrites } from '../../../src/store/index.ts';
import type { Cases } from './case.ts';

const result: CardResult = {
  id: '',
  ...{ kind: 'card', begunAt: 1000, endedAt: 2000, outcome: 'passed', why: '', cuts: [], speed: null, allows: null },
  device: { device: 'mmcblk0', name: 'SD64G', serial: '0x1', cid: '', bytes: 64e9 },
};

export const drillCases: Cases<DrillWrites> = {
  putDrillResult: async ({ store }) => {
    expect(await store.read.drillResults()).toEqual([]);
    for (let no = 1; no <= 21; no++) await store.write.putDrillResult({ ...result, id: `drill ${no}` });
    await store.write.putDrillResult({ ...result, id: 'drill 7', outcome: 'failed' });
    const kept = await store.read.drillResults();
    // The newest first, each once, and the oldest gone.
    expect(kept.map(({ id }) => id).slice(0, 2)).toEqual(['drill 7', 'drill 21']);
    expect(kept).toHaveLength(20);
    expect(kept[0]).toEqual({ ...result, id: 'drill 7', outcome: 'failed' });
  },
};
