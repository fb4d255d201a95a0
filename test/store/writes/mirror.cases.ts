import { expect } from 'vitest';
import type { CloudAccessRecord, CloudCheckIn, MirrorWrites } from '../../../src/store/index.ts';
import { applied } from '../../support/store.ts';
import { at, type Cases, message, type PortStore, type Site, seconds } from './case.ts';
import type { MirroredOrganization } from './organization.cases.ts';

const phonePunch: CloudCheckIn = {
  ...{ id: '7', userId: '', extId: 'e1', terminalId: 'phone-1', checkType: 'gps', checkTime: seconds },
  checkData: { ssid: 'Plant' },
};
const passage: CloudAccessRecord = {
  ...{ id: 8, userId: '', extId: 'e1', doorId: 'North', checkType: 'card', checkTime: seconds, checkResult: 0 },
  ...{ checkData: {}, captureImg: 'QUJD' },
};

const employed = ({ write }: PortStore) =>
  applied(
    { write },
    {
      departments: [{ ext_id: 'd1', name: 'Assembly' }],
      employees: [{ ext_id: 'e1', name: 'Li Mei', employee_num: '1001', department: { ext_id: 'd1' } }],
    },
  );

/** A terminal of the site reports a punch, and the cloud lists one half a minute later. */
async function anUncertainMatch({ store, report }: Site): Promise<void> {
  await employed(store);
  await report(message(2001, { records: [{ ext_id: 'e1', check_type: 'fa', check_time: seconds }] }));
  await store.catchUp();
  const later = { ...phonePunch, terminalId: 'A0001', checkType: 'fa', checkTime: seconds + 30 };
  expect(await store.write.mirrorCheckIns({ from: 0, next: 2, records: [later], at })).toMatchObject({ uncertain: 1 });
}

export const mirrorCases: Cases<Omit<MirrorWrites, MirroredOrganization>> = {
  mirrorCheckIns: async ({ store }) => {
    await employed(store);
    const first = { from: 0, next: 5, records: [phonePunch], at };
    expect(await store.write.mirrorCheckIns(first)).toEqual({ added: 1, matched: 0, uncertain: 0 });
    // A page that was stored before changes nothing.
    expect(await store.write.mirrorCheckIns(first)).toEqual({ added: 0, matched: 0, uncertain: 0 });
    expect(await store.read.mirrorCursor('checkins')).toEqual({ nextId: 5, wholeAt: null });
    expect(await store.read.checkins({ limit: 10 })).toMatchObject([
      { extId: 'e1', terminalId: 'phone-1', checkType: 'gps', checkTime: seconds, checkData: { ssid: 'Plant' } },
    ]);
  },
  mirrorAccess: async ({ store }) => {
    await employed(store);
    const first = { from: 0, next: 9, records: [passage], at };
    expect(await store.write.mirrorAccess(first)).toMatchObject({ added: 1 });
    expect(await store.write.mirrorAccess(first)).toMatchObject({ added: 0 });
    expect(await store.read.mirrorCursor('access')).toMatchObject({ nextId: 9 });
    expect(await store.read.accessRecords({ limit: 10 })).toMatchObject([
      { extId: 'e1', doorId: 'North', checkTime: seconds, checkResult: 0, captureImg: 'QUJD' },
    ]);
  },
  mirrorFrom: async it => {
    const { store } = it;
    const first = { address: 'one.example', appKeyHash: 'a' };
    expect(await store.write.mirrorFrom(first)).toBe(false);
    await anUncertainMatch(it);
    await store.write.mirrorAccess({ from: 0, next: 9, records: [passage], at });
    // A key that was renewed, or an address that moved: the same cloud.
    expect(await store.write.mirrorFrom({ ...first, appKeyHash: 'b' })).toBe(false);
    expect(await store.write.mirrorFrom({ address: 'moved.example', appKeyHash: 'b' })).toBe(false);
    expect(await store.read.mirrorCursor('access')).toMatchObject({ nextId: 9 });
    expect(await store.write.mirrorFrom({ address: 'two.example', appKeyHash: 'c' })).toBe(true);
    for (const list of ['checkins', 'access'] as const)
      expect(await store.read.mirrorCursor(list)).toEqual({ nextId: 0, wholeAt: null });
    expect((await store.read.uncertainMatches(10)).total).toBe(0);
    expect(await store.read.accessRecords({ limit: 10 })).toHaveLength(1);
    // Its ids say nothing of the earlier cloud's; what both list is taken once.
    expect(await store.write.mirrorAccess({ from: 0, next: 9, records: [passage], at })).toMatchObject({ matched: 1 });
    const other = { ...passage, id: 9, doorId: 'South', checkTime: seconds + 3600 };
    expect(await store.write.mirrorAccess({ from: 9, next: 10, records: [other], at })).toMatchObject({ added: 1 });
  },
  noteMirrored: async ({ store }) => {
    await store.write.noteMirrored({ list: 'organization', at });
    await store.write.noteMirrored({ list: 'organization', at: at + 1 });
    expect(await store.read.mirrorCursor('organization')).toEqual({ nextId: 0, wholeAt: at + 1 });
    expect(await store.read.mirrorCursor('checkins')).toEqual({ nextId: 0, wholeAt: null });
  },
  dismissUncertainMatch: async it => {
    const { store } = it;
    await anUncertainMatch(it);
    const { total, rows } = await store.read.uncertainMatches(10);
    expect(total).toBe(1);
    expect(rows).toMatchObject([
      {
        ...{ kind: 'checkin', extId: 'e1', name: 'Li Mei' },
        site: { time: seconds, place: 'A0001', checkType: 'fa' },
        cloud: { time: seconds + 30, place: 'A0001', checkType: 'fa' },
      },
    ]);
    expect(await store.write.dismissUncertainMatch({ id: rows[0]!.id })).toBe(true);
    expect(await store.write.dismissUncertainMatch({ id: rows[0]!.id })).toBe(false);
    expect((await store.read.uncertainMatches(10)).total).toBe(0);
  },
};
