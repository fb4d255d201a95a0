import { expect } from 'vitest';
import { type BulkChangeWrites, bulkChangeKept } from '../../../src/store/index.ts';
import { registered } from '../../support/store.ts';
import { at, type Cases, dayMs } from './case.ts';

const change = { what: 'people_data', to: 'yes' } as const;
const block = { what: 'blocked', to: true } as const;

export const bulkChangeCases: Cases<BulkChangeWrites> = {
  changeManyDevices: async ({ store, deviceNo }) => {
    const other = await registered(store, 'FACE-T1_A0002');
    const first = { id: null, at, by: 'mei', change } as const;
    await store.write.setPeopleData({ deviceNos: [other.deviceNo], word: 'yes' });
    // Those that are so already are no part of it.
    expect(await store.write.changeManyDevices({ ...first, deviceNos: [other.deviceNo] })).toEqual({
      id: null,
      changed: [],
    });
    const done = await store.write.changeManyDevices({ ...first, deviceNos: [deviceNo, other.deviceNo] });
    expect(done.changed.map(one => one.deviceNo)).toEqual([deviceNo]);
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ peopleData: 'yes' });
    expect(await store.read.bulkChanges({ since: at })).toEqual([
      { id: done.id, at, by: 'mei', what: 'people_data', rows: 1 },
    ]);
    expect(await store.read.bulkChanges({ since: at + 1 })).toEqual([]);
    // One that is forgotten takes no further group.
    const gone = await store.write.changeManyDevices({ ...first, id: 4711, deviceNos: [deviceNo], change: block });
    expect(gone).toEqual({ id: null, changed: [] });

    // Only the newest are kept, and none for longer than a week.
    for (let index = 0; index < bulkChangeKept.changes; index++)
      await store.write.changeManyDevices({
        ...first,
        at: at + index,
        deviceNos: [deviceNo],
        change: { what: 'blocked', to: index % 2 === 0 },
      });
    const kept = await store.read.bulkChanges({ since: 0 });
    expect(kept).toHaveLength(bulkChangeKept.changes);
    expect(kept.map(({ id }) => id)).not.toContain(done.id);
    await store.write.retire({ now: at + 7 * dayMs + 1 });
    expect(await store.read.bulkChanges({ since: 0 })).toHaveLength(bulkChangeKept.changes - 1);
  },
  undoManyDevices: async ({ store, deviceNo }) => {
    const second = await registered(store, 'FACE-T1_A0002');
    const third = await registered(store, 'FACE-T1_A0003');
    const deviceNos = [deviceNo, second.deviceNo, third.deviceNo];
    const { id } = await store.write.changeManyDevices({ id: null, at, by: 'mei', deviceNos, change: block });
    await store.write.setBlocked({ deviceNo: second.deviceNo, blocked: false });
    const one = await store.write.undoManyDevices({ id: id!, limit: 2 });
    expect(one.changed.map(device => device.deviceNo)).toEqual([deviceNo]);
    expect(one).toMatchObject({ left: [{ subject: 'FACE-T1_A0002', why: 'changed_since' }], more: true });
    expect(await store.write.undoManyDevices({ id: id!, limit: 2 })).toMatchObject({
      changed: [{ deviceNo: third.deviceNo }],
      more: false,
    });
    expect([...store.directory.devices()].filter(device => device.blocked)).toEqual([]);
    expect(await store.write.undoManyDevices({ id: id!, limit: 2 })).toEqual({ changed: [], left: [], more: false });
    expect(await store.read.bulkChanges({ since: 0 })).toEqual([]);

    // Nobody had decided before: that is so again, and not "no".
    const approved = await store.write.changeManyDevices({ id: null, at, by: 'mei', deviceNos: [deviceNo], change });
    await store.write.undoManyDevices({ id: approved.id!, limit: 9 });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ peopleData: null });
  },
};
