import { expect } from 'vitest';
import type { PeriodWrites } from '../../../src/store/index.ts';
import { at, bytes, type Cases, type PortStore } from './case.ts';

const by = 'mei';
const november = {
  ...{ month: '2026-11', scopeId: '', scopeName: '', forced: null, timeZone: 'Asia/Shanghai', rules: '1' },
  ...{ by, at, people: 2, instead: null },
} as const;
const row = (extId: string, departments: readonly string[] = ['d1']) => ({
  ...{ extId, name: `Person ${extId}`, employeeNum: '1', departments, packed: bytes(extId) },
});

type Begun = Parameters<PeriodWrites['beginClosing']>[0];

async function begun({ write }: PortStore, change: Partial<Begun> = {}) {
  const outcome = await write.beginClosing({ ...november, ...change });
  if (!outcome.ok) throw new Error(outcome.why);
  return outcome.value;
}

async function closed(store: PortStore, change: Partial<Begun> = {}): Promise<number> {
  const { id } = await begun(store, change);
  await store.write.freezeRows({ id, rows: [row('e1'), row('e2', ['d2', 'd1'])], done: 2, at });
  expect(await store.write.finishClosing({ id, head: '{}', foot: '{}', hash: 'abc', at })).toMatchObject({ ok: true });
  return id;
}

const reopened = async (store: PortStore, id: number) =>
  await store.write.askReopening({ id, reason: 'wrong plan', approve: true, by, at });
const frozen = ({ read }: PortStore) => read.frozenRows({ months: ['2026-11'], extIds: ['e1', 'e2', 'e3'] });

export const periodCases: Cases<PeriodWrites> = {
  beginClosing: async ({ store }) => {
    expect(await begun(store)).toEqual({ id: 1, revision: 1 });
    // One at a time, and a draft whose writer has gone is in nobody's way.
    expect(await store.write.beginClosing({ ...november, month: '2026-10' })).toEqual({ ok: false, why: 'closing' });
    expect(await begun(store, { at: at + 121_000 })).toMatchObject({ revision: 1 });
    expect(await store.read.periods({ limit: 10 })).toEqual([]);
    // One that was cut is begun again at once, by one of those that try.
    const cut = await store.read.closingDrafts({ now: at + 121_000 });
    expect(cut).toMatchObject([{ month: '2026-11', attempt: 1, closedBy: by, peopleAll: 2, isStale: false }]);
    const again = { at: at + 122_000, instead: cut[0]!.id };
    await begun(store, again);
    expect(await store.write.beginClosing({ ...november, ...again })).toEqual({ ok: false, why: 'unknown' });
    expect(await store.read.closingDrafts({ now: at + 250_000 })).toMatchObject([{ attempt: 2, isStale: true }]);
    // A draft of another month is left to whoever begins it again.
    await begun(store, { month: '2026-10', at: at + 250_000 });
    expect(await store.read.closingDrafts({ now: at })).toMatchObject([{ month: '2026-11' }, { month: '2026-10' }]);
  },
  freezeRows: async ({ store }) => {
    const { id } = await begun(store);
    await store.write.freezeRows({ id, rows: [row('e1')], done: 1, at });
    expect(await store.read.closingDrafts({ now: at })).toMatchObject([{ peopleDone: 1, peopleAll: 2 }]);
    expect(await frozen(store)).toEqual([]);
    expect(await store.read.rowsOfPeriod({ id, limit: 10 })).toMatchObject([
      { extId: 'e1', packed: new Uint8Array(bytes('e1')) },
    ]);
    await store.write.dropClosing({ id });
    await store.write.freezeRows({ id, rows: [row('e1')], done: 2, at });
    expect(await store.read.rowsOfPeriod({ id, limit: 10 })).toEqual([]);
  },
  finishClosing: async ({ store }) => {
    const id = await closed(store);
    expect(await store.read.period(id)).toMatchObject({
      state: 'closed',
      hash: 'abc',
      revision: 1,
      late: 0,
      forced: null,
    });
    expect(await frozen(store)).toMatchObject([{ extId: 'e1', periodId: id }, { extId: 'e2' }]);
    expect(await store.write.beginClosing(november)).toEqual({ ok: false, why: 'closed' });
    expect(await store.write.finishClosing({ id: 9, head: '', foot: '', hash: '', at })).toEqual({
      ok: false,
      why: 'unknown',
    });
    // Nobody of them is in the organization now.
    const others = (departmentExtId?: string, text?: string) =>
      store.read.frozenOfOthers({ month: '2026-11', departmentExtId, text, limit: 10 });
    expect(await others()).toMatchObject([{ extId: 'e1' }, { extId: 'e2' }]);
    expect(await others('d2')).toMatchObject([{ extId: 'e2' }]);
    expect(await others('d1', 'PERSON E1')).toMatchObject([{ extId: 'e1' }]);
  },
  dropClosing: async ({ store }) => {
    const { id } = await begun(store);
    await store.write.dropClosing({ id });
    const kept = await closed(store);
    await store.write.dropClosing({ id: kept });
    expect(await frozen(store)).toHaveLength(2);
  },
  refuseClosing: async ({ store }) => {
    const { id } = await begun(store);
    await store.write.freezeRows({ id, rows: [row('e1')], done: 1, at });
    await store.write.refuseClosing({ id, refusal: '{}' });
    expect(await store.read.closingDrafts({ now: at })).toMatchObject([{ refusal: '{}' }]);
    expect(await store.read.rowsOfPeriod({ id, limit: 10 })).toEqual([]);
    // Nobody writes it: other months may be closed, and the next closing of this one is in its place.
    await store.write.dropClosing(await begun(store, { month: '2026-10' }));
    const kept = await closed(store);
    await store.write.refuseClosing({ id: kept, refusal: '{}' });
    expect(await frozen(store)).toHaveLength(2);
    expect(await store.read.closingDrafts({ now: at })).toEqual([]);
  },
  askReopening: async ({ store }) => {
    const id = await closed(store);
    expect(await reopened(store, id)).toEqual({ ok: true, value: 'reopened' });
    expect(await frozen(store)).toEqual([]);
    expect(await store.read.period(id)).toMatchObject({ reopenReason: 'wrong plan', reopenedBy: by });
    expect(await reopened(store, id)).toEqual({ ok: false, why: 'not_closed' });
    expect(await reopened(store, 9)).toEqual({ ok: false, why: 'unknown' });
    expect(await begun(store)).toMatchObject({ revision: 2 });
  },
  decideReopening: async ({ store }) => {
    const id = await closed(store);
    const decide = (decider: string, approve: boolean) => store.write.decideReopening({ id, approve, by: decider, at });
    expect(await decide('wang', true)).toEqual({ ok: false, why: 'not_asked' });
    const ask = () => store.write.askReopening({ id, reason: 'wrong plan', approve: false, by, at });
    expect(await ask()).toEqual({ ok: true, value: 'reopen_asked' });
    expect(await ask()).toEqual({ ok: false, why: 'already' });
    expect(await frozen(store)).toHaveLength(2);
    expect(await decide(by, true)).toEqual({ ok: false, why: 'same_person' });
    expect(await decide('wang', false)).toEqual({ ok: true, value: 'closed' });
    await ask();
    expect(await decide('wang', true)).toEqual({ ok: true, value: 'reopened' });
    expect(await store.read.period(id)).toMatchObject({ reopenAskedBy: by, reopenedBy: 'wang' });
  },
  notePeriodChanges: async ({ store }) => {
    const id = await closed(store);
    const change = (date: string, now: string) => ({ extId: 'e1', name: 'Li Mei', date, was: '1', now });
    const note = (changes: readonly ReturnType<typeof change>[], when: number) =>
      store.write.notePeriodChanges({ id, kind: 'late', lookedAt: ['e1'], changes, at: when });
    await note([change('2026-11-02', '2'), change('2026-11-03', '2')], at);
    await note([change('2026-11-03', '2'), change('2026-11-04', '3')], at + 1);
    expect(await store.read.periodChanges({ id, kind: 'late', limit: 10 })).toMatchObject([
      { date: '2026-11-03', was: '1', now: '2', noticedAt: at },
      { date: '2026-11-04', now: '3', noticedAt: at + 1 },
    ]);
    expect(await store.read.period(id)).toMatchObject({ late: 2, revised: 0 });
    await note([], at);
    expect(await store.read.period(id)).toMatchObject({ late: 0 });
  },
  notePeriodChecked: async ({ store }) => {
    const id = await closed(store);
    const inputs = () => store.read.periodInputs({ from: 0, to: 9, fromDate: '2026-11-01', toDate: '2026-11-30' });
    const of = await inputs();
    await store.write.notePeriodChecked({ id, of, at });
    expect(await store.read.period(id)).toMatchObject({ checkedAt: at, checkedOf: of });
    await store.write.putDepartment({ extId: 'd1', name: 'Assembly', parentExtId: null, at, queue: null });
    expect(await inputs()).toBe(of);
    await store.write.putEmployee({
      ...{ extId: 'e1', name: 'Li Mei', mobile: '', employeeNum: '1001', department: { extId: 'd1' }, at, queue: null },
    });
    await store.write.setEmployment({ employment: { extId: 'e1', from: '2026-11-02', to: null } });
    expect(await inputs()).not.toBe(of);
    // Two people whose earlier stints are mixed up: the sums of their days stay.
    const earlier = async (days: Record<string, string>) => {
      for (const [extId, to] of Object.entries(days)) {
        const put = {
          extId,
          name: extId,
          mobile: '',
          employeeNum: extId,
          department: { extId: 'd1' },
          at,
          queue: null,
        };
        await store.write.putEmployee(put);
        const stints = { from: '2026-11-20', to: null, earlier: [{ from: null, to }] };
        await store.write.setEmployment({ employment: { extId, ...stints } });
      }
      return inputs();
    };
    expect(await earlier({ e1: '2026-11-06', e2: '2026-11-05' })).not.toBe(
      await earlier({ e1: '2026-11-05', e2: '2026-11-06' }),
    );
  },
  dropPeriods: async ({ store }) => {
    await closed(store);
    await closed(store, { month: '2026-10' });
    const { id } = await begun(store, { month: '2026-09' });
    await store.write.refuseClosing({ id, refusal: '{}' });
    expect(await store.write.dropPeriods({ before: '2026-11' })).toBe(2);
    expect(await store.read.closingDrafts({ now: at })).toEqual([]);
    expect(await store.read.periods({ limit: 10 })).toMatchObject([{ month: '2026-11' }]);
    expect(await frozen(store)).toHaveLength(2);
  },
};
