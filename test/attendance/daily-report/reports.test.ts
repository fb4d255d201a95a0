import { expect, test } from 'vitest';
import {
  type DailyReports,
  type DailyReportsOptions,
  openDailyReports,
} from '../../../src/attendance/daily-report/reports.ts';
import type { ChannelMessage, DailyReportSettings } from '../../../src/platform/daily-report.ts';
import { channelFailures } from '../../../src/words/channels.ts';
import type { GivenReason } from '../../../src/words/sentences.ts';
import { anAttendanceBox, aSite } from '../../support/attendance.ts';
import { keptLog } from '../../support/kept-log.ts';
import { aDayShift, aNightShift } from '../../support/plans.ts';

/** A Thursday. */
const today = '2025-11-20';
const secondsOf = (moment: string): number => Date.parse(`${moment}+08:00`) / 1000;
const hourMs = 3600_000;
const person = (no: number, department: string) => ({
  ...{ ext_id: `e${no}`, name: `Person ${no}`, mobile: '13800000000', employee_num: `10${no}` },
  department: { ext_id: department },
});
const entry = (more: Partial<DailyReportSettings> = {}): DailyReportSettings => ({
  ...{ name: 'offices', at: '09:05', departments: [], language: 'en', channel: 'mail' },
  ...more,
});
const broken = channelFailures.say('not_sent_in', { seconds: 120 });

/**
 * Assembly (d1) with its hall (d11) works from nine from Monday to Friday, the night crew (d2) from
 * 22:00 each night.
 */
async function aMorning(fixed: readonly DailyReportSettings[] = []) {
  const people = [person(1, 'd1'), person(2, 'd1'), person(3, 'd11'), person(4, 'd2'), person(5, 'd2')];
  const departments = [
    ...aSite.departments!,
    { ext_id: 'd11', name: 'Hall 2', p_ext_id: 'd1' },
    { ext_id: 'd2', name: 'Night crew', p_ext_id: '0' },
  ];
  const box = await anAttendanceBox({ site: { ...aSite, departments, employees: people } });
  const { store, clock } = box.gateway;
  const by = { at: clock.now(), by: 'anna' };
  const plan = async (extId: string, cycle: readonly (string | null)[]) => {
    const target = { kind: 'department', extId } as const;
    const rule = { target, cycle, anchor: '2025-01-06', from: '2025-01-01', to: null };
    await store.write.putRosterRule({ id: null, rule, ...by });
  };
  await store.write.putShift({ shift: aDayShift(), ...by });
  await store.write.putShift({ shift: aNightShift(), ...by });
  await plan('d1', ['day', 'day', 'day', 'day', 'day', null, null]);
  await plan('d2', ['night']);
  const thread = box.reports();
  const sent: ChannelMessage[] = [];
  const { log, lines } = keptLog();
  const world = { fails: null as GivenReason | null };
  /** Work under way, for which the clock stands still. */
  let busy = 0;
  const whileBusy = async <T>(work: Promise<T>): Promise<T> => {
    busy++;
    return work.finally(() => busy--);
  };
  const noteDailyReport: typeof store.write.noteDailyReport = one => whileBusy(store.write.noteDailyReport(one));
  const write = Object.assign(Object.create(store.write) as typeof store.write, { noteDailyReport });
  const watched = { read: store.read, write, whole: () => whileBusy(store.whole()) };
  const options: DailyReportsOptions = {
    ...{ store: watched, clock, log, fixed, lease: store.once, epoch: store.epoch },
    site: () => ({ name: 'Plant 4', timeZone: 'Asia/Shanghai', language: 'zh' }),
    pages: () => '',
    facts: (day, departments, signal) => whileBusy(thread.daily({ day, departments }, signal)),
    terminalName: () => 'North gate',
    departmentNames: async extIds => [...extIds],
    async send(_entry, message) {
      sent.push(message);
      return world.fails;
    },
  };
  let reports: DailyReports = openDailyReports(options);
  const days = async () => (await store.read.dailyReportDays('offices')).map(({ day, state }) => `${day} ${state}`);
  /** Turns the clock until something is so. */
  const turnedUntil = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) {
      if (busy > 0) await new Promise(resolve => setImmediate(resolve));
      else await clock.advance(10_000);
    }
  };
  return Object.assign(box, {
    ...{ sent, lines, world, days, turnedUntil, store, clock },
    get reports() {
      return reports;
    },
    at: (moment: string) => clock.set(secondsOf(moment) * 1000),
    punchAt: (extId: string, moment: string) => box.punch(extId, secondsOf(moment)),
    /** As after a start of the box: nothing but the store is remembered. */
    async restart(change: Partial<DailyReportsOptions> = {}) {
      await reports[Symbol.asyncDispose]();
      reports = openDailyReports({ ...options, ...change });
    },
    async end() {
      await reports[Symbol.asyncDispose]();
      await box[Symbol.asyncDispose]();
    },
  });
}

async function inAMorning(
  fixed: readonly DailyReportSettings[],
  act: (morning: Awaited<ReturnType<typeof aMorning>>) => Promise<void>,
): Promise<void> {
  const morning = await aMorning(fixed);
  try {
    await act(morning);
  } finally {
    await morning.end();
  }
}

const linesOf = ({ content }: ChannelMessage): readonly string[] => [content.title, ...content.lines];

test('at its time it goes out once, and names who is expected and not here', () =>
  inAMorning([entry()], async ({ at, punchAt, turnedUntil, sent, days, restart, clock }) => {
    at(`${today}T09:04:00`);
    await punchAt('e1', '2025-11-19T09:30:00');
    await punchAt('e1', '2025-11-19T18:02:00');
    await punchAt('e1', `${today}T08:55:00`);
    await clock.advance(30_000);
    expect(sent).toEqual([]);
    await turnedUntil(async () => (await days()).length > 0);
    expect(await days()).toEqual([`${today} sent`]);
    expect(sent.map(linesOf)).toEqual([
      [
        '[Plant 4] Attendance, Thu 20 Nov: 2 of 3 absent',
        expect.stringMatching(/^At 09:0\d: 1 of 3 scheduled present · 2 expected later$/),
        'Absent: Person 2 (09:00), Person 3 (09:00)',
        'Wed 19 Nov: 1 late · 4 absent',
        'Late: Person 1 (30 min)',
        'Absent: Person 2, Person 3, Person 4, Person 5',
      ],
    ]);
    await clock.advance(hourMs);
    await restart();
    await clock.advance(hourMs);
    expect(sent).toHaveLength(1);
    at('2025-11-21T09:06:00');
    await turnedUntil(() => sent.length > 1);
    expect(sent[1]!.id).not.toBe(sent[0]!.id);
  }));

test('of departments it has those below too, nobody twice and nobody else', () =>
  inAMorning([entry({ departments: ['d1', 'd11'] })], async ({ at, turnedUntil, sent }) => {
    at(`${today}T10:00:00`);
    await turnedUntil(() => sent.length > 0);
    expect(linesOf(sent[0]!)[3]).toBe('Absent: Person 1 (09:00), Person 2 (09:00), Person 3 (09:00)');
    expect(linesOf(sent[0]!).join()).not.toMatch(/Person [45]/);
  }));

test('a night crew is expected in the evening, and is late in the report of the next morning', () =>
  inAMorning([entry({ departments: ['d2'] })], async ({ at, punchAt, turnedUntil, sent }) => {
    at(`${today}T09:30:00`);
    await punchAt('e4', '2025-11-19T22:40:00');
    await punchAt('e4', `${today}T06:02:00`);
    await turnedUntil(() => sent.length > 0);
    expect(linesOf(sent[0]!).slice(0, 4)).toEqual([
      '[Plant 4] Attendance, Thu 20 Nov: nobody due yet',
      'd2',
      expect.stringMatching(/: 0 of 0 scheduled present · 2 expected later$/),
      'Wed 19 Nov: 1 late · 1 absent',
    ]);
  }));

test('on a weekend nothing goes out, and on Monday it looks back to Friday', () =>
  inAMorning([entry({ departments: ['d1'] })], async ({ at, turnedUntil, sent, days }) => {
    at('2025-11-22T09:06:00');
    await turnedUntil(async () => (await days()).length > 0);
    expect([await days(), sent]).toEqual([['2025-11-22 nobody'], []]);
    at('2025-11-24T09:06:00');
    await turnedUntil(() => sent.length > 0);
    expect(linesOf(sent[0]!).join('\n')).toContain('\nFri 21 Nov: 0 late · 3 absent\n');
  }));

test('somebody whose last day was yesterday is in no list', () =>
  inAMorning([entry()], async ({ at, turnedUntil, sent, store, clock }) => {
    const employment = { extId: 'e2', from: null, to: '2025-11-19' };
    await store.write.setEmployment({ employment, at: clock.now(), by: 'anna' } as never);
    at(`${today}T09:30:00`);
    await turnedUntil(() => sent.length > 0);
    expect(linesOf(sent[0]!).join()).not.toContain('Person 2');
  }));

test('a box that was off at the time sends it within three hours, later it skips the day', () =>
  inAMorning([entry()], async ({ at, restart, turnedUntil, sent, days, clock }) => {
    at(`${today}T12:06:00`);
    await clock.advance(hourMs);
    expect([sent, await days()]).toEqual([[], []]);
    at('2025-11-21T12:00:00');
    await restart();
    await turnedUntil(() => sent.length > 0);
    expect(linesOf(sent[0]!)[0]).toContain('Fri 21 Nov');
  }));

test('while the channel fails it is tried again with one id, for three hours, and then given up and said', () =>
  inAMorning([entry()], async ({ at, world, turnedUntil, sent, days, lines, restart, clock, ...morning }) => {
    world.fails = broken;
    at(`${today}T09:05:00`);
    await turnedUntil(() => sent.length > 2);
    await restart();
    await turnedUntil(async () => (await days())[0] === `${today} given_up`);
    expect(sent.length).toBeGreaterThan(8);
    expect(sent.length).toBeLessThan(20);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(clock.now()).toBeGreaterThanOrEqual(secondsOf(`${today}T12:05:00`) * 1000);
    expect(lines.map(({ code }) => code)).toEqual(['daily_report_not_sent', 'daily_report_given_up']);
    const tries = sent.length;
    await clock.advance(hourMs);
    expect(sent).toHaveLength(tries);
    expect((await morning.store.read.dailyReportDays('offices'))[0]).toMatchObject({
      state: 'given_up',
      why: broken.reason,
      code: broken.code,
    });
  }));

test('a channel that works again takes the report of now, not that of its first try', () =>
  inAMorning([entry()], async ({ at, world, turnedUntil, sent, days, punchAt, clock }) => {
    world.fails = broken;
    at(`${today}T09:05:00`);
    await turnedUntil(() => sent.length > 0);
    world.fails = null;
    await punchAt('e1', new Date(clock.now() + 8 * hourMs).toISOString().slice(0, 19));
    await turnedUntil(async () => (await days())[0] === `${today} sent`);
    expect(linesOf(sent.at(-1)!)[0]).toContain('2 of 3 absent');
  }));

test('a store that takes no note does not make it go out twice', () =>
  inAMorning([], async ({ at, restart, store, turnedUntil, sent, days, clock }) => {
    let isFull = true;
    const noteDailyReport: typeof store.write.noteDailyReport = async one => {
      if (isFull) throw new Error('the disk is full');
      return store.write.noteDailyReport(one);
    };
    const write = Object.assign(Object.create(store.write) as typeof store.write, { noteDailyReport });
    const full = { read: store.read, write, whole: () => store.whole() };
    at(`${today}T09:05:00`);
    await restart({ fixed: [entry()], store: full });
    await turnedUntil(() => sent.length > 0);
    await clock.advance(600_000);
    expect([sent.length, await days()]).toEqual([1, []]);
    isFull = false;
    await turnedUntil(async () => (await days()).length > 0);
    expect([sent.length, await days()]).toEqual([1, [`${today} sent`]]);
  }));

test('one that is set up after its time begins on the next day, and what the config says is not changed', () =>
  inAMorning([entry({ name: 'of the config' })], async ({ at, turnedUntil, sent, clock, reports, store }) => {
    at(`${today}T13:00:00`);
    expect(await reports.put(entry({ at: '12:00' }))).toBeNull();
    expect(await reports.put(entry({ name: 'of the config' }))).toBe('fixed');
    expect(await reports.remove('of the config')).toBe('fixed');
    await clock.advance(2 * hourMs);
    expect(sent).toEqual([]);
    at('2025-11-21T12:01:00');
    await turnedUntil(() => sent.length > 0);
    expect((await reports.report()).map(({ name, isFixed }) => [name, isFixed])).toEqual([
      ['of the config', true],
      ['offices', false],
    ]);
    expect(await reports.remove('offices')).toBeNull();
    expect(await reports.remove('offices')).toBe('unknown');
    expect(await store.read.dailyReportDays('offices')).toEqual([]);
  }));

test('a preview is what goes out, and a test is marked and changes nothing', () =>
  inAMorning([entry()], async ({ at, reports, turnedUntil, sent, days }) => {
    at(`${today}T09:04:30`);
    const { signal } = new AbortController();
    expect(await reports.preview('nobody', signal)).toBeNull();
    const { isDue, content } = (await reports.preview('offices', signal))!;
    expect(isDue).toBe(true);
    expect(await reports.test('offices', signal)).toBeNull();
    expect(sent[0]!.content).toEqual({ ...content, title: `Test: ${content.title}` });
    expect(await days()).toEqual([]);
    await turnedUntil(() => sent.length > 1);
    const [, ...withoutTime] = sent[1]!.content.lines;
    expect(withoutTime).toEqual(content.lines.slice(1));
    expect(await reports.test('nobody', signal)).toBeUndefined();
  }));
