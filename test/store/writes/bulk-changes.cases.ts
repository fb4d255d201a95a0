import { expect } from 'vitest';
import { type BulkChangeWrites, bulkChangeKept } from '../../../src/store/index.ts';
import { applied, registered } from '../../support/store.ts';
import { at, type Cases, dayMs, type PortStore } from './case.ts';

const change = { what: 'people_data', to: 'yes' } as const;
const block = { what: 'blocked', to: true } as const;

const person = (extId: string, department: string) => ({
  ...{ ext_id: extId, name: 'Li Mei', mobile: '', employee_num: extId },
  department: { ext_id: department, title: 'Fitter' },
});
const organized = (store: PortStore) =>
  applied(store, {
    departments: ['0', 'd1', 'd2'].map(id => ({ ext_id: id, name: id, ...(id === '0' ? {} : { p_ext_id: '0' }) })),
    employees: [person('e1', 'd1'), person('e2', 'd2'), person('e3', 'd1')],
  });
const departmentOf = async (store: PortStore, extId: string) => (await store.read.person(extId))?.departmentExtId;
const group = { id: null, at, by: 'mei', queue: null } as const;

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
  changeManyPeople: async ({ store }) => {
    await organized(store);
    const change = { what: 'department', to: 'd2' } as const;
    const moved = await store.write.changeManyPeople({ ...group, extIds: ['e1', 'e2', 'e9'], change });
    expect(moved).toMatchObject({
      changed: 1,
      left: [
        { subject: 'e2', why: 'already' },
        { subject: 'e9', why: 'gone' },
      ],
    });
    expect(await store.read.person('e1')).toMatchObject({ departmentExtId: 'd2', title: 'Fitter' });
    const nowhere = { what: 'department', to: 'd9' } as const;
    expect(await store.write.changeManyPeople({ ...group, extIds: ['e1'], change: nowhere })).toMatchObject({
      id: null,
      left: [{ why: 'no_department' }],
    });

    // Where the cloud is the authority, each is queued for it as a whole.
    const queue = { at, caller: 'mei' };
    await store.write.changeManyPeople({ ...group, extIds: ['e3'], change, queue });
    const next = await store.read.nextOrganizationWrite();
    expect(next).toMatchObject({ caller: 'mei', path: '/v2.0/employee', subject: 'employee e3' });
    expect(JSON.parse(next!.body)).toMatchObject({
      employee_ext_id: 'e3',
      department_infos: [{ ext_id: 'd2', title: 'Fitter' }],
    });

    await store.write.setEmployment({ employment: { extId: 'e2', from: '2026-11-20', to: null } });
    const left = { what: 'left', to: '2026-11-19' } as const;
    expect(await store.write.changeManyPeople({ ...group, extIds: ['e1', 'e2'], change: left })).toMatchObject({
      changed: 1,
      left: [{ subject: 'e2', why: 'before_first_day' }],
    });
    expect(await store.read.employments({ people: ['e1'], limit: 9 })).toMatchObject([
      { from: null, to: '2026-11-19' },
    ]);
  },
  undoManyPeople: async ({ store }) => {
    await organized(store);
    const extIds = ['e1', 'e2', 'e3'];
    const change = { what: 'department', to: '0' } as const;
    const { id } = await store.write.changeManyPeople({ ...group, extIds, change });
    await store.write.putEmployee({ extId: 'e2', department: { extId: 'd1' }, at, queue: null });
    await store.write.deleteEmployee({ extId: 'e3', at, queue: null });
    expect(await store.write.undoManyPeople({ id: id!, at, limit: 9, queue: null })).toEqual({
      changed: ['e1'],
      left: [{ subject: 'e2', why: 'changed_since' }],
      more: false,
    });
    expect([await departmentOf(store, 'e1'), await departmentOf(store, 'e2')]).toEqual(['d1', 'd1']);

    const left = { what: 'left', to: '2026-11-19' } as const;
    await store.write.setEmployment({ employment: { extId: 'e2', from: null, to: '2026-12-31' } });
    const done = await store.write.changeManyPeople({ ...group, extIds: ['e1', 'e2'], change: left });
    await store.write.undoManyPeople({ id: done.id!, at, limit: 9, queue: null });
    expect(await store.read.employments({ limit: 9 })).toEqual([
      { extId: 'e2', from: null, to: '2026-12-31', earlier: [] },
    ]);
  },
};
