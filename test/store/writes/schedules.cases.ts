import { expect } from 'vitest';
import type { Leave, RosterRule, ScheduleWrites } from '../../../src/store/index.ts';
import { aDayShift, aNightShift } from '../../support/plans.ts';
import { at, type Cases, type PortStore } from './case.ts';

const by = 'mei';
const recorded = { at, by };
const limit = 100;
const here = { at, queue: null } as const;

/** Department d1 with person e1, and two shifts. */
async function planned({ write }: PortStore): Promise<void> {
  await write.putDepartment({ extId: 'd1', name: 'Assembly', parentExtId: null, ...here });
  await write.putEmployee({
    ...{ extId: 'e1', name: 'Li Mei', mobile: '', employeeNum: '1001', department: { extId: 'd1' }, ...here },
  });
  await write.putShift({ shift: aDayShift(), ...recorded });
  await write.putShift({ shift: aNightShift(), ...recorded });
}

const week = ['day', 'day', 'day', 'day', 'day', null, null];
const ofSite: Omit<RosterRule, 'id' | 'recordedAt' | 'recordedBy'> = {
  ...{ target: { kind: 'site' }, cycle: week, anchor: '2026-11-16', from: '2026-11-16', to: null },
};
const sick: Omit<Leave, 'id'> & { reason: string } = {
  ...{ extId: 'e1', from: '2026-11-16T09:00', to: '2026-11-16T12:00', kind: 'sick', paid: true, state: 'asked' },
  reason: 'dentist',
};

export const scheduleCases: Cases<ScheduleWrites> = {
  putShift: async ({ store }) => {
    await planned(store);
    const winter = aDayShift({ validFrom: '2026-12-01', lateGrace: 10 });
    expect(await store.write.putShift({ shift: winter, ...recorded })).toEqual({ ok: true, value: null });
    expect(await store.read.shifts()).toEqual([aDayShift(), winter, aNightShift()]);
    // The same date again: the newer counts.
    await store.write.putShift({ shift: { ...winter, lateGrace: 0 }, ...recorded });
    expect((await store.read.shifts())[1]).toMatchObject({ validFrom: '2026-12-01', lateGrace: 0 });
    // Where a roster has it after a night, it cannot begin before the night ends.
    const afterNight = { ...ofSite, cycle: ['night', 'day', null] };
    expect(await store.write.putRosterRule({ id: null, rule: afterNight, ...recorded })).toMatchObject({ ok: true });
    const [segment] = aDayShift().segments;
    const early = aDayShift({ validFrom: '2027-01-01', segments: [{ ...segment!, on: 330 }] });
    expect(await store.write.putShift({ shift: early, ...recorded })).toMatchObject({
      ok: false,
      problems: [
        {
          path: ['segments'],
          reason:
            'in the assignment of the site from 2026-11-16, day begins at 05:30, before night of the previous day ends at 06:00: put a rest day between them, or edit one of the shifts',
        },
      ],
    });
    expect(await store.read.shifts()).toHaveLength(3);
  },
  removeShift: async ({ store }) => {
    await planned(store);
    await store.write.putRosterRule({ id: null, rule: ofSite, ...recorded });
    const eve = { date: '2026-12-24', target: { kind: 'site' }, what: { kind: 'shift', code: 'night' } } as const;
    const { value } = (await store.write.putDayOverride({ override: { ...eve, reason: '' }, ...recorded })) as {
      value: number;
    };
    expect(await store.write.removeShift({ code: 'day' })).toMatchObject({
      problems: [{ reason: 'used by the assignment of the site from 2026-11-16: edit or delete the assignment first' }],
    });
    expect(await store.write.removeShift({ code: 'night' })).toMatchObject({
      problems: [{ reason: 'used in the calendar on 2026-12-24 for the site: delete that entry first' }],
    });
    await store.write.removeDayOverride({ id: value });
    expect(await store.write.removeShift({ code: 'night' })).toMatchObject({ ok: true });
    expect((await store.read.shifts()).map(({ code }) => code)).toEqual(['day']);
  },
  putRosterRule: async ({ store }) => {
    await planned(store);
    const put = (rule: Partial<RosterRule>, id: number | null = null) =>
      store.write.putRosterRule({ id, rule: { ...ofSite, ...rule }, ...recorded });
    const first = await put({});
    expect(first).toMatchObject({ ok: true });
    expect(await put({ target: { kind: 'person', extId: 'e1' }, to: '2026-11-20' })).toMatchObject({ ok: true });
    expect(await put({ cycle: ['night'] })).toMatchObject({ ok: false, problems: [{ path: ['from'] }] });
    expect(await put({ target: { kind: 'department', extId: 'd9' } })).toMatchObject({
      problems: [{ path: ['target'], reason: 'no department has the ID d9' }],
    });
    expect(await put({ cycle: ['day', 'd9'] })).toMatchObject({
      problems: [{ path: ['cycle', 1], reason: 'no such shift' }],
    });
    const { value: id } = first as { value: number };
    expect(await put({ cycle: ['night', null], anchor: '2026-11-17' }, id)).toEqual({ ok: true, value: id });
    expect(await store.read.rosterRules({ limit })).toMatchObject([
      { id, target: { kind: 'site' }, cycle: ['night', null], anchor: '2026-11-17', recordedAt: at, recordedBy: by },
      { target: { kind: 'person', extId: 'e1' }, to: '2026-11-20' },
    ]);
    expect(await store.read.rosterRules({ from: '2026-11-21', limit })).toHaveLength(1);
    expect(await store.read.rosterRules({ people: ['e2'], limit })).toHaveLength(1);
    expect(await store.read.rosterRules({ to: '2026-11-15', limit })).toEqual([]);
    // The plans of a person go with the person.
    await store.write.deleteEmployee({ extId: 'e1', ...here });
    expect(await store.read.rosterRules({ limit })).toHaveLength(1);
  },
  removeRosterRule: async ({ store }) => {
    await planned(store);
    const { value: id } = (await store.write.putRosterRule({ id: null, rule: ofSite, ...recorded })) as {
      value: number;
    };
    expect(await store.write.removeRosterRule({ id })).toBe(true);
    expect(await store.write.removeRosterRule({ id })).toBe(false);
    expect(await store.read.rosterRules({ limit })).toEqual([]);
  },
  putDayOverride: async ({ store }) => {
    await planned(store);
    const festival = { date: '2026-10-10', target: { kind: 'site' }, reason: 'National Day' } as const;
    const put = (what: Parameters<ScheduleWrites['putDayOverride']>[0]['override']['what'], more: object = {}) =>
      store.write.putDayOverride({ override: { ...festival, what, ...more }, ...recorded });
    const first = await put({ kind: 'rest' });
    // The same day and target again replaces it.
    expect(await put({ kind: 'makeup', weekday: 3 })).toEqual(first);
    await put({ kind: 'shift', code: 'night' }, { date: '2026-10-11', target: { kind: 'person', extId: 'e1' } });
    expect(await put({ kind: 'shift', code: 'd9' })).toMatchObject({
      problems: [{ path: ['what', 'code'], reason: 'no such shift' }],
    });
    expect(await store.read.dayOverrides({ limit })).toMatchObject([
      { ...festival, what: { kind: 'makeup', weekday: 3 } },
      { date: '2026-10-11', what: { kind: 'shift', code: 'night' }, target: { kind: 'person', extId: 'e1' } },
    ]);
    expect(await store.read.dayOverrides({ from: '2026-10-11', people: [], limit })).toEqual([]);
  },
  removeDayOverride: async ({ store }) => {
    const override = { date: '2026-10-10', target: { kind: 'site' }, what: { kind: 'rest' }, reason: '' } as const;
    const { value: id } = (await store.write.putDayOverride({ override, ...recorded })) as { value: number };
    expect(await store.write.removeDayOverride({ id })).toBe(true);
    expect(await store.write.removeDayOverride({ id })).toBe(false);
    expect(await store.read.dayOverrides({ limit })).toEqual([]);
  },
  setEmployment: async ({ store }) => {
    await planned(store);
    const set = (from: string | null, to: string | null, extId = 'e1') =>
      store.write.setEmployment({ employment: { extId, from, to } });
    expect(await set('2026-11-17', '2026-11-20')).toMatchObject({ ok: true });
    expect(await store.read.employments({ people: ['e1'], limit })).toEqual([
      { extId: 'e1', from: '2026-11-17', to: '2026-11-20', earlier: [] },
    ]);
    expect(await set('2026-11-17', '2026-11-16')).toMatchObject({ problems: [{ path: ['to'] }] });
    expect(await set(null, '2026-11-16', 'e9')).toMatchObject({ problems: [{ reason: 'unknown employee ID e9' }] });
    // Back again: what was is kept, and is the whole list where that is said.
    const first = { from: '2026-11-17', to: '2026-11-20' };
    expect(await set('2026-12-01', null)).toMatchObject({ ok: true });
    const back = { extId: 'e1', from: '2026-12-01', to: null, earlier: [first] };
    expect(await store.read.employments({ limit })).toEqual([back]);
    expect(await set('2026-11-20', null)).toMatchObject({ problems: [{ path: ['from'] }] });
    await store.write.setEmployment({ employment: { ...back, earlier: [{ ...first, from: null }] } });
    expect(await store.read.employments({ limit })).toEqual([{ ...back, earlier: [{ ...first, from: null }] }]);
    await store.write.setEmployment({ employment: { extId: 'e1', from: null, to: null, earlier: [] } });
    expect(await store.read.employments({ limit })).toEqual([]);
  },
  leaveTerminals: async ({ store }) => {
    await planned(store);
    const onTerminals = async () =>
      (await store.read.personsAfter(0, { limit, bytesMax: 1 << 20, productId: 'FACE-T1' as never })).length;
    const before = await store.read.personChangeNo();
    await store.write.setEmployment({ employment: { extId: 'e1', from: null, to: '2026-11-20' } });
    expect(await store.write.leaveTerminals({ today: '2026-11-20', minute: 700, limit })).toBe(0);
    expect(await onTerminals()).toBe(1);
    expect(await store.write.leaveTerminals({ today: '2026-11-21', minute: 0, limit })).toBe(1);
    expect(await store.write.leaveTerminals({ today: '2026-11-22', minute: 0, limit })).toBe(0);
    expect(await onTerminals()).toBe(0);
    const changes = { limit, bytesMax: 1 << 20, productId: 'FACE-T1' as never };
    expect(await store.read.personsAfter(before, changes)).toMatchObject([{ extId: 'e1', removed: true }]);
    // Back again: the terminals get the person with everything.
    await store.write.setEmployment({ employment: { extId: 'e1', from: null, to: null } });
    expect(await onTerminals()).toBe(1);
    expect(await store.read.personsAfter(before, changes)).toMatchObject([{ extId: 'e1', removed: false }]);
    // The last night ends at 06:00 of the next day, and its window four hours later.
    const target = { kind: 'department', extId: 'd1' } as const;
    await store.write.putRosterRule({ id: null, rule: { ...ofSite, target, cycle: ['night'] }, ...recorded });
    await store.write.setEmployment({ employment: { extId: 'e1', from: null, to: '2026-11-20' } });
    expect(await store.write.leaveTerminals({ today: '2026-11-21', minute: 599, limit })).toBe(0);
    expect(await store.write.leaveTerminals({ today: '2026-11-21', minute: 600, limit })).toBe(1);
  },
  putLeave: async ({ store }) => {
    await planned(store);
    const first = await store.write.putLeave({ id: null, leave: sick, ...recorded });
    expect(first).toMatchObject({ ok: true });
    const { value: id } = first as { value: number };
    const longer = { ...sick, to: '2026-11-17T00:00' };
    expect(await store.write.putLeave({ id: null, leave: longer, ...recorded })).toMatchObject({
      problems: [
        {
          path: ['from'],
          reason: 'overlaps the leave from 2026-11-16T09:00 to 2026-11-16T12:00: edit or withdraw that one',
        },
      ],
    });
    expect(await store.write.putLeave({ id, leave: longer, ...recorded })).toEqual(first);
    expect(await store.read.leaves({ limit })).toEqual([
      { ...longer, id, recordedAt: at, recordedBy: by, decidedAt: null, decidedBy: null },
    ]);
    expect(await store.read.leaves({ from: '2026-11-17', limit })).toEqual([]);
    expect(await store.read.leaves({ from: '2026-11-16', to: '2026-11-16', people: ['e1'], limit })).toHaveLength(1);
    expect(await store.write.putLeave({ id: null, leave: { ...sick, extId: 'e9' }, ...recorded })).toMatchObject({
      problems: [{ path: ['extId'] }],
    });
  },
  decideLeave: async ({ store }) => {
    await planned(store);
    const { value: id } = (await store.write.putLeave({ id: null, leave: sick, ...recorded })) as { value: number };
    const decide = (state: 'approved' | 'refused' | 'withdrawn') =>
      store.write.decideLeave({ id, state, at: at + 1, by: 'wang' });
    expect(await decide('approved')).toMatchObject({ ok: true });
    expect(await store.read.leaves({ state: 'approved', limit })).toMatchObject([
      { id, decidedAt: at + 1, decidedBy: 'wang' },
    ]);
    expect(await decide('refused')).toMatchObject({
      problems: [{ path: ['state'], reason: 'already approved: add a new one' }],
    });
    expect(await decide('withdrawn')).toMatchObject({ ok: true });
    // What was withdrawn leaves room for another.
    expect(await store.write.putLeave({ id: null, leave: sick, ...recorded })).toMatchObject({ ok: true });
  },
};
