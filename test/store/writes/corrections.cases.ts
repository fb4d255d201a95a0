import { expect } from 'vitest';
import type { CorrectionWrites } from '../../../src/store/index.ts';
import { recordsIn } from '../../support/check-in-page.ts';
import { at, type Cases, message, type PortStore, type Site, seconds } from './case.ts';

const missing = seconds + 3600;

/** One person with one check-in, whose id is 1. */
async function punched({ store, report }: Site): Promise<void> {
  await store.write.putDepartment({ extId: 'd1', name: 'Assembly', parentExtId: null, at, queue: null });
  await store.write.putEmployee({
    ...{ extId: 'e1', name: 'Li Mei', mobile: '1', employeeNum: '1001', department: { extId: 'd1' }, at, queue: null },
  });
  await store.write.initCheckIns({ at });
  await report(message(2001, { records: [{ ext_id: 'e1', check_type: 'fa', check_time: seconds }] }));
  await store.catchUp();
}

const addOne = { kind: 'add', items: [{ extId: 'e1', at: missing }], reason: 'forgot', by: 'mei', at } as const;
const setOneAside = { kind: 'set_aside', items: [{ extId: 'e1', checkInId: 1 }], by: 'mei', at } as const;

const idsOf = async ({ read }: PortStore): Promise<unknown[]> => {
  const page = await read.checkInPage({ after: 0, limit: 10 });
  return recordsIn<{ id: string; check_type: string }>(page).map(one => [one.id, one.check_type]);
};
const marksOf = async ({ read }: PortStore) =>
  (await read.checkins({ limit: 10 })).map(({ id, source, mark }) => [id, source, mark?.setAside, mark?.reason]);

export const correctionCases: Cases<CorrectionWrites> = {
  askCorrection: async it => {
    const { store } = it;
    await punched(it);
    const asked = await store.write.askCorrection({ ...addOne, approve: false });
    expect(asked).toMatchObject({ ok: true, id: 1, state: 'asked', items: [{ extId: 'e1', at: missing }] });
    // Nothing counts before somebody has approved it.
    expect(await idsOf(store)).toEqual([['1', 'fa']]);
    expect(await store.write.askCorrection({ ...addOne, approve: true })).toMatchObject({ ok: false, why: 'already' });
    const another = { ...addOne, items: [{ extId: 'e1', at: missing + 60 }], approve: true };
    expect(await store.write.askCorrection(another)).toMatchObject({ ok: true, id: 2, state: 'approved' });
    expect(await idsOf(store)).toEqual([
      ['1', 'fa'],
      ['2', 'reissue'],
    ]);
    expect(await store.write.askCorrection({ ...setOneAside, reason: 'not hers', approve: true })).toMatchObject({
      ok: true,
      id: 3,
      items: [{ extId: 'e1', at: seconds }],
    });
    expect(await store.write.askCorrection({ ...setOneAside, reason: '', approve: true })).toMatchObject({
      ok: false,
      why: 'already',
      extId: 'e1',
    });
    // All or none.
    const items = [
      { extId: 'e1', at: missing + 120 },
      { extId: 'e9', at: missing },
    ];
    expect(await store.write.askCorrection({ ...addOne, items, approve: true })).toMatchObject({
      ok: false,
      why: 'unknown_person',
      extId: 'e9',
    });
    expect(await marksOf(store)).toEqual([
      [1, 'device', true, 'not hers'],
      [2, 'added', false, 'forgot'],
    ]);
    expect((await store.read.corrections({ extIds: ['e1'], limit: 10 })).map(row => [row.id, row.checkInId])).toEqual([
      [3, 1],
      [2, 2],
      [1, null],
    ]);
    expect(await store.read.corrections({ state: 'asked', to: missing, limit: 10 })).toEqual([]);
  },
  undoCorrection: async it => {
    const { store } = it;
    await punched(it);
    await store.write.askCorrection({ ...addOne, approve: true });
    await store.write.askCorrection({ ...setOneAside, reason: 'not hers', approve: true });
    const undo = { reason: 'she was there', by: 'wang', at: at + 1, approve: true } as const;
    expect(await store.write.undoCorrection({ ...undo, id: 77 })).toMatchObject({ why: 'unknown_correction' });
    expect(await store.write.undoCorrection({ ...undo, id: 2 })).toMatchObject({ ok: true, id: 3, state: 'approved' });
    expect(await store.write.undoCorrection({ ...undo, id: 2 })).toMatchObject({ why: 'already' });
    expect(await store.write.undoCorrection({ ...undo, id: 3 })).toMatchObject({ why: 'not_approved' });
    expect(await store.write.undoCorrection({ ...undo, id: 1 })).toMatchObject({ ok: true, id: 4 });
    // What callers have got stays theirs; it is marked for people.
    expect(await idsOf(store)).toHaveLength(2);
    expect(await marksOf(store)).toEqual([
      [1, 'device', undefined, undefined],
      [2, 'added', true, 'she was there'],
    ]);
    // The same can be asked for again.
    expect(await store.write.askCorrection({ ...setOneAside, reason: 'no', approve: true })).toMatchObject({ id: 5 });
    expect(await store.read.corrections({ extIds: ['e1'], limit: 10 })).toMatchObject([
      { id: 5, undone: false },
      { id: 4, kind: 'undo', reverses: 1, checkInId: 2 },
      { id: 3, kind: 'undo', reverses: 2, checkInId: 1 },
      { id: 2, kind: 'set_aside', undone: true },
      { id: 1, kind: 'add', undone: true },
    ]);
  },
  decideCorrection: async it => {
    const { store } = it;
    await punched(it);
    await store.write.askCorrection({ ...addOne, approve: false });
    const decide = { id: 1, at: at + 1, twoPersons: true } as const;
    expect(await store.write.decideCorrection({ ...decide, state: 'approved', by: 'mei' })).toMatchObject({
      why: 'same_person',
    });
    expect(await store.write.decideCorrection({ ...decide, state: 'withdrawn', by: 'wang' })).toMatchObject({
      why: 'not_asker',
    });
    expect(await store.write.decideCorrection({ ...decide, state: 'approved', by: 'wang' })).toMatchObject({
      ok: true,
      state: 'approved',
    });
    expect(await store.write.decideCorrection({ ...decide, state: 'refused', by: 'wang' })).toMatchObject({
      why: 'decided',
    });
    expect(await idsOf(store)).toEqual([
      ['1', 'fa'],
      ['2', 'reissue'],
    ]);
    expect(await store.read.corrections({ limit: 10 })).toMatchObject([
      { id: 1, name: 'Li Mei', state: 'approved', askedBy: 'mei', decidedBy: 'wang', decidedAt: at + 1, checkInId: 2 },
    ]);
    await store.write.askCorrection({ ...setOneAside, reason: 'x', approve: false });
    await store.write.decideCorrection({ ...decide, id: 2, state: 'refused', by: 'wang' });
    expect(await marksOf(store)).toEqual([
      [1, 'device', undefined, undefined],
      [2, 'added', false, 'forgot'],
    ]);
    // With the person go the corrections.
    await store.write.deleteEmployee({ extId: 'e1', at, queue: null });
    expect(await store.read.corrections({ limit: 10 })).toEqual([]);
  },
};
