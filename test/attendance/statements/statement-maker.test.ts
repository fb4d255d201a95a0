import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { StatementLog, StatementMaker } from '../../../src/attendance/index.ts';
import { actionTable, defaultActions } from '../../../src/platform/actions.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import type { DeviceNo, Seq } from '../../../src/store/index.ts';
import { HandClock } from '../../support/clock.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

/** 20 November 2025, 08:53 in Shanghai. */
const morning = 1_763_600_000_000;
const dayMs = 24 * 3600_000;
const device = 'FACE-T1_A0001';
const days = ['2025-11-20', '2025-11-21', '2025-11-22'] as const;

interface Said {
  readonly id?: string;
  readonly at?: number;
}

/** A store with one terminal, a clock that a test turns, and what makes the statements. */
async function aSite(options: { readonly upstream?: boolean } = {}) {
  await using parts = new AsyncDisposableStack();
  const clock = new HandClock(morning);
  const opened = parts.use(await aStore({ clock, ...options }));
  const { store, dataDir } = opened;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store, device);
  const making = { store, dataDir, clock, site: { timezone: 'Asia/Shanghai' }, log: silentLog };
  const maker = parts.use(new StatementMaker({ ...making, actions: actionTable(defaultActions) }));
  let mid = 0;
  const message = async (records: readonly Said[], more: { mid?: string; check_type?: string } = {}): Promise<Seq> => {
    const now = Math.floor(clock.now() / 1000);
    const data = {
      records: records.map(({ id, at = now }) => ({
        ...(id !== undefined && { id }),
        ...{ ext_id: 'e1', check_type: more.check_type ?? 'fa', check_time: at },
      })),
    };
    const text = JSON.stringify({
      mid: more.mid ?? `m${++mid}`,
      from: device,
      to: 'system',
      time: now,
      action: 2001,
      data,
    });
    const marks = more.check_type === undefined ? {} : { invalid: true };
    const payload = Buffer.from(text);
    await append(store, { deviceNo, channel: 'device', receivedAt: clock.now(), logPath: '', marks, payload });
    return store.journal.lastSeq;
  };
  const held = parts.move();
  return {
    ...{ clock, store, dataDir, maker, deviceNo, message },
    log: new StatementLog(dataDir, store),
    file: (day: string) => join(dataDir, 'statements', `${day}.ndjson`),
    confirm: (through: Seq, no: DeviceNo = deviceNo) =>
      store.write.confirm({
        confirmations: [
          { deviceNo: no, channel: 'device', upToSeq: through, floorSeq: through, at: clock.now(), via: 'mqtt' },
        ],
      }),
    async ofDay(day: string) {
      const found = await new StatementLog(dataDir, store).read(day, device);
      return found?.devices[0]?.statement;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const numbered = (from: number, to: number, at?: number): Said[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    id: String(from + index),
    ...(at !== undefined && { at: at + index }),
  }));

test('a day is stated when it is over: said 412, box 412, cloud 409, 3 wait, and the next day brings them forward', async () => {
  await using site = await aSite();
  const first = Math.floor(morning / 1000);
  await site.confirm(await site.message(numbered(88_120, 88_528, first)));
  const late = await site.message(numbered(88_529, 88_531, first + 500));
  await site.maker.makeDue();
  expect(await site.ofDay(days[0])).toBeUndefined();

  site.clock.set(morning + dayMs);
  await site.maker.makeDue();
  const stated = {
    said: 412,
    box: 412,
    refused: 0,
    missing: 0,
    repeats: 0,
    cloud: 409,
    parked: 0,
    brought: 0,
    waiting: 3,
  };
  expect(await site.ofDay(days[0])).toMatchObject({
    ...stated,
    ...{ no: 1, said_by: 'its numbers', first, last: first + 502 },
    numbers: { from: 88_120, to: 88_531, gaps: [] },
  });
  expect((await site.log.read(days[0]))!.box.statement).toMatchObject({ ...stated, devices: 1 });

  await site.confirm(late);
  site.clock.set(morning + 2 * dayMs);
  await site.maker.makeDue();
  const next = { no: 2, said: 0, box: 0, cloud: 3, brought: 3, waiting: 0, last_number: 88_531 };
  expect(await site.ofDay(days[1])).toMatchObject(next);
});

test('what the cloud confirms after midnight is still waiting in the statement of the day', async () => {
  await using site = await aSite();
  const seq = await site.message(numbered(1, 2));
  site.clock.set(morning + dayMs);
  await site.confirm(seq);
  await site.maker.makeDue();
  expect(await site.ofDay(days[0])).toMatchObject({ box: 2, cloud: 0, waiting: 2 });
});

test('days for which the box was off are stated too, one after another, each device in each', async () => {
  await using site = await aSite();
  await site.message(numbered(1, 5));
  site.clock.set(morning + 3 * dayMs);
  await site.maker.makeDue();
  const said = await Promise.all(days.map(async day => (await site.ofDay(day))?.said));
  expect(said).toEqual([5, 0, 0]);
  expect(await site.log.verify(null)).toMatchObject({ holds: true, days: 3, statements: 6 });
});

test('what arrives late for a day that is stated stands in the next statement, by day', async () => {
  await using site = await aSite();
  await site.message(numbered(1, 12));
  site.clock.set(morning + dayMs);
  await site.maker.makeDue();
  const yesterday = Math.floor(morning / 1000) + 3600;
  await site.message([...numbered(13, 15, yesterday), ...numbered(16, 17)]);
  site.clock.set(morning + 2 * dayMs);
  await site.maker.makeDue();
  expect(await site.ofDay(days[1])).toMatchObject({ said: 5, box: 5, earlier_days: { [days[0]]: 3 } });
});

test('repeats are named and counted once, across midnight too; a message sent again as a whole is one', async () => {
  await using site = await aSite();
  const first = await site.message(numbered(1, 12), { mid: 'same' });
  const at = Math.floor(morning / 1000);
  const unnumbered = await site.message([{ at: at + 1 }], { mid: 'plain' });
  site.clock.set(morning + dayMs);
  await site.maker.makeDue();
  expect(await site.ofDay(days[0])).toMatchObject({ box: 13, repeats: 0 });
  const again = await site.message([{ at: at + 1 }], { mid: 'plain' });
  const packed = await site.message(
    [
      { id: '12', at },
      { id: '13', at },
    ],
    { mid: 'other' },
  );
  site.clock.set(morning + 2 * dayMs);
  await site.maker.makeDue();
  expect(await site.ofDay(days[1])).toMatchObject({
    ...{ box: 1, repeats: 2 },
    repeated: [
      [again, unnumbered],
      [packed, first],
    ],
  });
});

test('records that the box refused, and numbers that never came, are part of what the device said', async () => {
  await using site = await aSite();
  await site.message(numbered(1, 20));
  await site.message(numbered(21, 22), { check_type: 'smell' });
  await site.message(numbered(25, 30));
  site.clock.set(morning + dayMs);
  await site.maker.makeDue();
  expect(await site.ofDay(days[0])).toMatchObject({
    ...{ said: 30, box: 26, refused: 2, refused_messages: 1, missing: 2 },
    numbers: { from: 1, to: 30, gaps: [[23, 24]] },
  });
});

test('of a device that does not number its records nothing is claimed but what arrived', async () => {
  await using site = await aSite();
  await site.message([{}, {}]);
  site.clock.set(morning + dayMs);
  await site.maker.makeDue();
  const statement = await site.ofDay(days[0]);
  expect(statement).toMatchObject({ said_by: 'records received', said: 2, missing: 0, last_number: null });
  expect(statement).not.toHaveProperty('numbers');
});

test('what the cloud refused for good is parked, and is not carried forward', async () => {
  await using site = await aSite();
  const { deviceNo, clock } = site;
  const seq = await site.message(numbered(1, 2));
  await site.store.write.park({
    seq,
    deviceNo,
    channel: 'device',
    at: clock.now(),
    code: 400,
    reason: 'no such person',
  });
  await site.message(numbered(3, 3));
  site.clock.set(morning + dayMs);
  await site.maker.makeDue();
  expect(await site.ofDay(days[0])).toMatchObject({ box: 3, cloud: 0, parked: 2, waiting: 1 });
  site.clock.set(morning + 2 * dayMs);
  await site.maker.makeDue();
  expect(await site.ofDay(days[1])).toMatchObject({ brought: 1, parked: 0, waiting: 1 });
});

test('a box without a cloud carries nothing', async () => {
  await using site = await aSite({ upstream: false });
  await site.message(numbered(1, 2));
  site.clock.set(morning + dayMs);
  await site.maker.makeDue();
  expect(await site.ofDay(days[0])).toMatchObject({ box: 2, cloud: null, brought: 0, waiting: 0 });
});

test('a byte changed in a past file names its day, and so do a file and lines that are gone', async () => {
  await using site = await aSite();
  await site.message(numbered(1, 5));
  site.clock.set(morning + 3 * dayMs);
  await site.maker.makeDue();
  const broken = async () => (await site.log.verify(null)).broken;
  expect(await broken()).toBeNull();

  const written = await readFile(site.file(days[1]), 'utf8');
  await writeFile(site.file(days[1]), written.replace('"said":0', '"said":1'));
  expect(await broken()).toEqual({ day: days[1], why: 'line 1 was changed: its hash is another one' });
  await writeFile(site.file(days[1]), written.replace('","previous"', '", "previous"'));
  expect(await broken()).toMatchObject({ day: days[1], why: expect.stringContaining('it is not as it was written') });
  await writeFile(site.file(days[1]), `${written.split('\n')[0]}\n`);
  expect(await broken()).toEqual({ day: days[1], why: 'lines of it are missing, or were put in' });
  await rm(site.file(days[1]));
  expect(await broken()).toMatchObject({ day: days[2], why: expect.stringContaining('number 2 is missing') });
  await writeFile(site.file(days[1]), written);
  expect(await broken()).toBeNull();
  await rm(site.file(days[2]));
  expect(await broken()).toEqual({ day: days[2], why: 'its file is missing: the newest were removed' });
});

test('a head that was kept elsewhere is found in the chain; one that is not in it is not', async () => {
  await using site = await aSite();
  await site.message(numbered(1, 5));
  site.clock.set(morning + dayMs);
  await site.maker.makeDue();
  const { hash } = (await site.log.head())!;
  site.clock.set(morning + 3 * dayMs);
  await site.maker.makeDue();
  expect(await site.log.verify(hash)).toMatchObject({ holds: true, found: days[0] });
  expect(await site.log.verify('0'.repeat(64))).toMatchObject({ holds: true, found: null });
});

test('a power cut between the file and the note of its head leaves one chain', async () => {
  await using site = await aSite();
  await site.message(numbered(1, 5));
  site.clock.set(morning + dayMs);
  await site.maker.makeDue();
  const before = await site.store.read.remembered('box', 'statements');
  site.clock.set(morning + 2 * dayMs);
  await site.maker.makeDue();
  const written = await readFile(site.file(days[1]), 'utf8');
  await site.store.write.remember({ service: 'box', key: 'statements', value: before!.value, at: morning });
  expect(await site.log.verify(null)).toMatchObject({ holds: true });
  site.clock.set(morning + 3 * dayMs);
  await site.maker.makeDue();
  expect(await readFile(site.file(days[1]), 'utf8')).toBe(written);
  expect(await site.log.verify(null)).toMatchObject({ holds: true, days: 3 });
});

test('statements older than two years are removed from the old end, and the rest still holds', async () => {
  await using site = await aSite();
  await site.message(numbered(1, 5));
  site.clock.set(morning + 2 * dayMs);
  await site.maker.makeDue();
  site.clock.set(morning + 732 * dayMs);
  await site.maker.retire();
  expect(await readdir(join(site.dataDir, 'statements'))).toEqual([`${days[1]}.ndjson`]);
  expect(await site.log.verify(null)).toMatchObject({ holds: true, first: { day: days[1], no: 2 } });
});

test('a clock that jumps ten years ahead makes no statements of days that never were', async () => {
  await using site = await aSite();
  await site.message(numbered(1, 5));
  site.clock.set(morning + dayMs);
  await site.maker.makeDue();
  site.clock.set(morning + 3650 * dayMs);
  await site.maker.makeDue();
  expect(await readdir(join(site.dataDir, 'statements'))).toEqual([`${days[0]}.ndjson`]);
  site.clock.set(morning + 2 * dayMs);
  await site.maker.makeDue();
  expect(await site.log.verify(null)).toMatchObject({ holds: true, days: 2 });
});

test('of days that the journal no longer holds nothing is said, not that nothing was received', async () => {
  await using site = await aSite();
  const first = await site.message(numbered(1, 5));
  await site.confirm(first);
  site.clock.set(morning + dayMs);
  await site.confirm(await site.message(numbered(6, 12)));
  const database = new DatabaseSync(join(site.dataDir, 'gatehouse.db'));
  database.prepare('DELETE FROM segment WHERE first_seq = ?').run(first);
  database.close();
  site.clock.set(morning + 2 * dayMs);
  await site.maker.makeDue();
  expect(await readdir(join(site.dataDir, 'statements'))).toEqual([`${days[1]}.ndjson`]);
  expect(await site.ofDay(days[1])).toMatchObject({ no: 1, said: 7, box: 7, cloud: 7 });
  expect((await site.log.read(days[1]))!.box.statement).toMatchObject({ after_seq: first, dropped: 0 });
});

test('today stands as it is, without a hash', async () => {
  await using site = await aSite();
  await site.confirm(await site.message(numbered(1, 20)));
  const { devices } = await site.maker.today();
  expect(devices[0]).toMatchObject({ day: days[0], said: 20, box: 20, cloud: 20, waiting: 0 });
  expect(await site.log.head()).toBeNull();
});
