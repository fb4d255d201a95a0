import { expect, test } from 'vitest';
import type { ReportsThread } from '../../../src/attendance/index.ts';
import { TablesBehind } from '../../../src/store/index.ts';
import { anAttendanceBox } from '../../support/attendance.ts';
import { until } from '../../support/until.ts';

const november = { from: '2025-11-01', to: '2025-11-30' };
const closing = { month: '2025-11', department: null, by: 'anna', force: 'a test', wrongClocks: [], instead: null };

async function names(people: ReturnType<ReportsThread['people']>): Promise<string[]> {
  const found: string[] = [];
  for await (const { person } of people) found.push(person.name);
  return found;
}

test('a terminal is answered while a month is held in the reports thread', async () => {
  await using box = await anAttendanceBox();
  const { store } = box.gateway;
  const held = Promise.withResolvers<void>();
  let isAsked = false;
  const whole: typeof store.whole = async withinMs => {
    isAsked = true;
    await held.promise;
    return store.whole(withinMs);
  };
  const reports = box.reports({ store: { ...store, whole } });
  const closed = reports.close(closing);
  await until('the closing asks for the tables', () => isAsked);
  await box.punch('e1');
  expect(await store.read.periods({ limit: 10 })).toEqual([]);
  held.resolve();
  expect(await closed).toMatchObject({ ok: true, period: { month: '2025-11', state: 'closed' } });
});

test('a row of a closing crosses the threads in a buffer of its own size', async () => {
  await using box = await anAttendanceBox();
  const { store } = box.gateway;
  const sizes: { readonly bytes: number; readonly buffer: number }[] = [];
  const freezeRows: typeof store.write.freezeRows = rows => {
    sizes.push(...rows.rows.map(({ packed }) => ({ bytes: packed.byteLength, buffer: packed.buffer.byteLength })));
    return store.write.freezeRows(rows);
  };
  const write = new Proxy(store.write, {
    get: (target, name) => (name === 'freezeRows' ? freezeRows : Reflect.get(target, name)),
  });
  const reports = box.reports({ store: { ...store, write } });
  expect(await reports.close(closing)).toMatchObject({ ok: true });
  expect(sizes).toHaveLength(1);
  expect(sizes[0]!.buffer).toBe(sizes[0]!.bytes);
});

test('an error of the main thread ends the job of the reports thread as it was thrown', async () => {
  await using box = await anAttendanceBox();
  const { store } = box.gateway;
  const whole: typeof store.whole = async () => {
    throw new TablesBehind(7);
  };
  const reports = box.reports({ store: { ...store, whole } });
  await expect(reports.close(closing)).rejects.toBeInstanceOf(TablesBehind);
  expect(await names(reports.people({ ...november, detail: 'sums' }))).toEqual(['Li Mei']);
});

test('whoever goes away ends the job, and the thread serves the next one', async () => {
  await using box = await anAttendanceBox();
  const reports = box.reports();
  const leaving = new AbortController();
  const people = names(reports.people({ ...november, detail: 'days', signal: leaving.signal }));
  leaving.abort(new Error('gone'));
  await expect(people).rejects.toThrow('gone');
  for await (const one of reports.people({ ...november, detail: 'days' })) {
    expect(one.days).toHaveLength(30);
    break;
  }
  expect(await names(reports.people({ ...november, detail: 'sums' }))).toEqual(['Li Mei']);
});

test('the reports thread starts with the first job and ends after a minute without one', async () => {
  await using box = await anAttendanceBox();
  const reports = box.reports();
  expect(reports.isUp).toBe(false);
  await names(reports.people({ ...november, detail: 'sums' }));
  await box.gateway.clock.advance(59_000);
  expect(reports.isUp).toBe(true);
  await names(reports.people({ ...november, detail: 'sums' }));
  await box.gateway.clock.advance(59_000);
  expect(reports.isUp).toBe(true);
  await box.gateway.clock.advance(2000);
  expect(reports.isUp).toBe(false);
  expect(await names(reports.people({ ...november, detail: 'sums' }))).toEqual(['Li Mei']);
});

test('a box that stops refuses what it is asked', async () => {
  await using box = await anAttendanceBox();
  const reports = box.reports();
  await reports[Symbol.asyncDispose]();
  await expect(names(reports.people({ ...november, detail: 'sums' }))).rejects.toMatchObject({ code: 'closed' });
});
