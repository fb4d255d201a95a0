import { expect, test } from 'vitest';
import { clockWords, lateSeconds, offsetAt } from '../../src/platform/device-clock.ts';
import { type AttendanceBox, anAttendanceBox } from '../support/attendance.ts';
import { anHttpDevice } from '../support/gateway.ts';

const first = 'FACE-T1_A0001';
const secondsOf = (box: AttendanceBox): number => Math.floor(box.gateway.clock.now() / 1000);
const punchAt = (checkTime: number) => ({ records: [{ ext_id: 'e1', check_type: 'fa', check_time: checkTime }] });

/** A box whose check-ins are handed out, and a terminal with a clock of its own. */
async function aBoxWithATerminal() {
  const box = await anAttendanceBox();
  await box.caller.run('checkin_query_init');
  const { clock, store } = box.gateway;
  let mid = 0;
  const terminal = {
    /**
     * Pulls what waits for it and answers each `person_sync` as a terminal does, by its own clock.
     */
    async answersPersonSync({ slowBy = 0 } = {}) {
      const device = await anHttpDevice(box.gateway, first);
      await box.attendance.whenIdle();
      await clock.advance(1000);
      const { json } = await device.pull();
      const asked = (json.data as { action: number; mid: string }[]).filter(({ action }) => action === 2101);
      for (const { mid: askedMid } of asked)
        await device.push({ mid: askedMid, action: 2102, time: secondsOf(box) - slowBy, data: { failed: [] } });
      await store.catchUp();
      return asked.length;
    },
    /** Reports a punch, in a message that says `time`. */
    async reports(checkTime: number, time = secondsOf(box)) {
      const device = await anHttpDevice(box.gateway, first);
      await device.push({ mid: `punch-${++mid}`, action: 2001, time, data: punchAt(checkTime) });
      await store.catchUp();
    },
  };
  return { box, terminal, store, clock, [Symbol.asyncDispose]: () => box[Symbol.asyncDispose]() };
}

async function lastPunch(box: AttendanceBox) {
  const row = (await box.gateway.store.read.checkins({ limit: 100 })).at(-1)!;
  const record = { clock: row.clock, at: row.checkTime, receivedAt: row.receivedAt };
  return { clock: clockWords(row.clock), late: lateSeconds(record) };
}

async function clockOfTerminal(box: AttendanceBox) {
  const { store } = box.gateway;
  const { deviceNo } = [...store.directory.devices()].find(({ deviceId }) => deviceId === first)!;
  const seen = (await store.read.lastSeen()).get(deviceNo)!;
  return seen.clock && clockWords(offsetAt(seen.clock, seen.at));
}

test('a punch that waited 25 hours for the box came late, by a clock that was right', async () => {
  await using site = await aBoxWithATerminal();
  const { box, terminal, clock } = site;
  expect(await terminal.answersPersonSync()).toBe(1);
  expect(await clockOfTerminal(box)).toMatchObject({ state: 'right' });
  const punched = secondsOf(box) + 60;
  await clock.advance(25 * 3_600_000);
  await terminal.reports(punched);
  const { clock: known, late } = await lastPunch(box);
  expect(known).toMatchObject({ state: 'right', offset: 0 });
  expect(late).toBeGreaterThan(24.9 * 3600);
  expect(late).toBeLessThanOrEqual(25 * 3600);
});

test('the same punch in a message that was made when it was punched came late too', async () => {
  await using site = await aBoxWithATerminal();
  const { box, terminal, clock } = site;
  await terminal.answersPersonSync();
  const punched = secondsOf(box) + 60;
  await clock.advance(25 * 3_600_000);
  await terminal.reports(punched, punched);
  expect(await lastPunch(box)).toMatchObject({ clock: { state: 'right' } });
  expect((await lastPunch(box)).late).toBeGreaterThan(24.9 * 3600);
});

test('nothing is said of a late punch of a terminal that never answered the box', async () => {
  await using site = await aBoxWithATerminal();
  const { box, terminal } = site;
  await terminal.reports(secondsOf(box) - 90_000, secondsOf(box) - 90_000);
  expect(await lastPunch(box)).toEqual({ clock: { state: 'not known', offset: null, within: null }, late: null });
  expect(await clockOfTerminal(box)).toMatchObject({ state: 'not known' });
});

test('a terminal whose answer says a time before the question was sent has a slow clock', async () => {
  await using site = await aBoxWithATerminal();
  const { box, terminal } = site;
  await terminal.answersPersonSync({ slowBy: 90 });
  await terminal.reports(secondsOf(box) - 90, secondsOf(box) - 90);
  expect(await lastPunch(box)).toMatchObject({ clock: { state: 'slow' }, late: null });
  expect(Math.abs((await clockOfTerminal(box))!.offset! + 90)).toBeLessThan(2);
});

test('a terminal that reports a punch still to come has a clock that is ahead by at least as much', async () => {
  await using site = await aBoxWithATerminal();
  const { box, terminal } = site;
  await terminal.reports(secondsOf(box) + 500, 0);
  expect(await lastPunch(box)).toMatchObject({ clock: { state: 'at least fast', offset: 500 }, late: null });
});

test.each([
  ['says a time', (box: AttendanceBox) => secondsOf(box)],
  ['has lost it', () => 0],
])('a question for the time ends what was known of a clock, also of one that %s', async (_, timeOf) => {
  await using site = await aBoxWithATerminal();
  const { box, terminal } = site;
  await terminal.answersPersonSync();
  await box.report({}, { action: 1002, time: timeOf(box) });
  await terminal.reports(secondsOf(box));
  expect(await lastPunch(box)).toMatchObject({ clock: { state: 'not known' } });
});

test('an answer under a mid that the box cannot have sent proves nothing', async () => {
  await using site = await aBoxWithATerminal();
  const { box } = site;
  const inAnHour = (box.gateway.clock.now() + 3_600_000).toString(36);
  const longAgo = (1).toString(36);
  for (const mid of [`person-sync-1-${inAnHour}`, `person-sync-1-${longAgo}`, 'person-sync-1', 'person-sync-1-'])
    await box.report({ failed: [] }, { action: 2102, mid, time: secondsOf(box) });
  expect(await clockOfTerminal(box)).toMatchObject({ state: 'not known' });
});
