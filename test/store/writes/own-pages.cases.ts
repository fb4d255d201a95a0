import { expect } from 'vitest';
import { type OwnPageWrites, ownSessionsMax } from '../../../src/store/domains/own-pages.ts';
import { applied } from '../../support/store.ts';
import { at, type Cases, dayMs, type PortStore } from './case.ts';

const today = '2025-11-20';
const endsAt = at + 14 * dayMs;
const mei = { extId: 'e1', name: 'Li Mei', employeeNum: '1001', department: 'Assembly' };

/** Li Mei, and Zhang San, who has left. */
async function aStaff({ store }: { readonly store: PortStore }) {
  const department = { ext_id: 'd1' };
  await applied(store as never, {
    departments: [{ ext_id: 'd1', name: 'Assembly' }],
    employees: [
      { ext_id: 'e1', name: 'Li Mei', mobile: '', employee_num: '1001', department },
      { ext_id: 'e2', name: 'Zhang San', mobile: '', employee_num: '1002', department },
    ],
  });
  const left = { extId: 'e2', from: null, to: '2025-11-19', earlier: [] };
  await store.write.setEmployment({ employment: left });
  const make = (code: string, extId = 'e1') =>
    store.write.makeAccessCodes({ codes: [{ extId, code }], today, at, endsAt });
  const open = (code: string, idHash: string, when = at) =>
    store.write.openOwnSession({ code, idHash, today, at: when, endsAt: at + 100 * dayMs });
  return { make, open, access: () => store.read.ownAccess({ extId: 'e1', at }) };
}

export const ownPageCases: Cases<OwnPageWrites> = {
  makeAccessCodes: async it => {
    const { make, access } = await aStaff(it);
    expect(await make('AAAA')).toEqual({ ok: true, people: [mei] });
    expect(await make('BBBB')).toMatchObject({ ok: true });
    const { read } = it.store;
    expect(await Promise.all(['AAAA', 'BBBB'].map(code => read.hasAccessCode({ code, at })))).toEqual([false, true]);
    expect(await read.hasAccessCode({ code: 'BBBB', at: endsAt })).toBe(false);
    expect(await access()).toEqual({ codeEndsAt: endsAt, sessions: 0, seenAt: null });
    // All or none.
    const codes = ['e1', 'e2', 'nobody'].map(extId => ({ extId, code: `C${extId}` }));
    const made = await it.store.write.makeAccessCodes({ codes, today, at, endsAt });
    expect(made).toEqual({ ok: false, missing: ['e2', 'nobody'] });
    expect(await read.hasAccessCode({ code: 'Ce1', at })).toBe(false);
  },
  openOwnSession: async it => {
    const { make, open, access } = await aStaff(it);
    await make('AAAA');
    expect(await open('AAAB', 'h0')).toBeNull();
    expect(await open('AAAA', 'h1')).toBe('e1');
    expect(await open('AAAA', 'h2')).toBeNull();
    expect(await it.store.read.ownSession({ idHash: 'h1', today })).toEqual({
      ...mei,
      ...{ seenAt: at, endsAt: at + 100 * dayMs },
    });
    expect(await it.store.read.ownSession({ idHash: 'h2', today })).toBeNull();
    for (let no = 0; no < ownSessionsMax; no++) {
      await make(`N${no}`);
      await open(`N${no}`, `n${no}`, at + no + 1);
    }
    expect(await access()).toEqual({ codeEndsAt: null, sessions: ownSessionsMax, seenAt: at + ownSessionsMax });
    expect(await it.store.read.ownSession({ idHash: 'h1', today })).toBeNull();
    // After the last day nothing opens, and what is open ends.
    await make('LAST');
    await it.store.write.setEmployment({ employment: { extId: 'e1', from: null, to: '2025-11-19', earlier: [] } });
    expect(await open('LAST', 'h3')).toBeNull();
    expect(await it.store.read.ownSession({ idHash: 'n1', today })).toBeNull();
    expect(await it.store.read.ownSession({ idHash: 'n1', today: '2025-11-19' })).not.toBeNull();
  },
  seeOwnSession: async it => {
    const { make, open } = await aStaff(it);
    await make('AAAA');
    await open('AAAA', 'h1');
    await it.store.write.seeOwnSession({ idHash: 'h1', at: at + 60 });
    expect(await it.store.read.ownSession({ idHash: 'h1', today })).toMatchObject({ seenAt: at + 60 });
  },
  endOwnSession: async it => {
    const { make, open } = await aStaff(it);
    await make('AAAA');
    await open('AAAA', 'h1');
    await it.store.write.endOwnSession({ idHash: 'h1' });
    expect(await it.store.read.ownSession({ idHash: 'h1', today })).toBeNull();
  },
  revokeOwnAccess: async it => {
    const { make, open, access } = await aStaff(it);
    expect(await it.store.write.revokeOwnAccess({ extId: 'e1' })).toBe(false);
    await make('AAAA');
    await open('AAAA', 'h1');
    await make('BBBB');
    expect(await it.store.write.revokeOwnAccess({ extId: 'e1' })).toBe(true);
    expect(await access()).toEqual({ codeEndsAt: null, sessions: 0, seenAt: null });
    expect(await open('BBBB', 'h2')).toBeNull();
  },
  confirmMonth: async it => {
    await aStaff(it);
    const { read, write } = it.store;
    const month = '2025-10';
    expect(await read.monthConfirmation({ extId: 'e1', month })).toBeNull();
    await write.confirmMonth({ extId: 'e1', month, digest: 'one', at });
    await write.confirmMonth({ extId: 'e1', month, digest: 'two', at: at + 1 });
    expect(await read.monthConfirmation({ extId: 'e1', month })).toEqual({ at: at + 1, digest: 'two' });
    expect(await read.monthConfirmation({ extId: 'e2', month })).toBeNull();
    await write.confirmMonth({ extId: 'nobody', month, digest: 'three', at });
    expect(await read.monthConfirmation({ extId: 'nobody', month })).toBeNull();
  },
  retireOwnAccess: async it => {
    const { make, open, access } = await aStaff(it);
    await make('AAAA');
    await open('AAAA', 'h1');
    await make('BBBB');
    await it.store.write.retireOwnAccess({ at, seenBefore: at });
    expect(await access()).toMatchObject({ codeEndsAt: endsAt, sessions: 1 });
    await it.store.write.retireOwnAccess({ at: endsAt, seenBefore: at + 1 });
    expect(await it.store.read.ownAccess({ extId: 'e1', at: 0 })).toEqual({
      ...{ codeEndsAt: null, sessions: 0, seenAt: null },
    });
    expect(await it.store.read.ownAccess({ extId: 'nobody', at })).toBeNull();
  },
};
