import { expect } from 'vitest';
import type { BoxReport } from '../../../src/platform/box-report.ts';
import type { FleetWrites } from '../../../src/store/index.ts';
import { applied, deviceId } from '../../support/store.ts';
import { at, type Cases } from './case.ts';

const boxId = deviceId('GATEHOUSE_000002');
const minute = 60_000;
const reportOf = (waiting: number): BoxReport => ({
  ...{ at, version: '1.0.0', environment: 'test', disk: null, clock_synchronized: null, update: null, devices: null },
  outbox: { waiting, oldest_at: null, parked: 0 },
});

export const fleetCases: Cases<FleetWrites> = {
  noteBoxHeard: async ({ store }) => {
    const { boxesHeard } = store.read;
    expect(await boxesHeard()).toEqual([]);
    await store.write.noteBoxHeard({ boxId, at, report: null });
    expect(await boxesHeard()).toEqual([{ boxId, heardAt: at, report: null, reportedAt: 0, waitedBefore: null }]);

    const say = (minutes: number, waiting: number) =>
      store.write.noteBoxHeard({ boxId, at: at + minutes * minute, report: reportOf(waiting) });
    await say(1, 10);
    await store.write.noteBoxHeard({ boxId, at: at + 2 * minute, report: null });
    // It was heard since, and its report stays.
    expect(await boxesHeard()).toEqual([
      { boxId, heardAt: at + 2 * minute, report: reportOf(10), reportedAt: at + minute, waitedBefore: null },
    ]);
    const before = async () => (await boxesHeard())[0]?.waitedBefore;
    await say(5, 20);
    expect(await before()).toBe(null);
    await say(11, 30);
    expect(await before()).toBe(10);
    await say(12, 40);
    expect(await before()).toBe(10);
    await say(21, 50);
    expect(await before()).toBe(30);
    // The clock here was set back.
    await say(3, 60);
    expect(await before()).toBe(null);

    await applied(store, { boxes: [{ box_id: boxId }] });
    await store.write.removeBoxBelow({ boxId });
    expect(await boxesHeard()).toEqual([]);
  },
};
