import { expect, test } from 'vitest';
import { type Log, silentLog } from '../../src/runtime/log.ts';
import { RecentLines } from '../../src/runtime/recent-lines.ts';
import { keptLog } from '../support/kept-log.ts';

const clock = { now: () => 1_763_600_000_000 };

test('log lines are passed on, and the last ones can be read by level', () => {
  const passed = keptLog();
  const recent = new RecentLines(clock);
  const log = recent.beside(passed.log);
  log.info({}, 'uplink_up');
  log.warn({ seq: 3, error_code: 413 }, 'device_refused', { why: 'too large', why_code: '' });
  log.debug({}, 'no_hotspot_to_close');
  expect(passed.lines.map(({ code }) => code)).toEqual(['uplink_up', 'device_refused', 'no_hotspot_to_close']);
  expect(passed.texts.warn).toEqual(['refused: too large']);
  expect(recent.list().map(line => line.code)).toEqual(['device_refused', 'uplink_up']);
  expect(recent.list({ level: 'warn' })).toEqual([
    {
      no: 2,
      at: clock.now(),
      level: 'warn',
      part: '',
      code: 'device_refused',
      params: { why: 'too large', why_code: '' },
      fields: ['seq=3', 'error_code=413'],
    },
  ]);
  expect(recent.list({ after: 2 })).toEqual([]);
});

test('a child carries its part and its fields, and the children of it too', () => {
  const recent = new RecentLines(clock);
  const heard: object[] = [];
  const child = (fields: object): Log => {
    heard.push(fields);
    return { ...silentLog, child };
  };
  recent
    .beside({ ...silentLog, child })
    .child({ part: 'store' })
    .child({ device: 'A_1' })
    .error({ status: 5 }, 'store_takes_records');
  expect(recent.list()[0]).toMatchObject({ part: 'store', fields: ['device=A_1', 'status=5'] });
  expect(heard).toEqual([{ part: 'store' }, { device: 'A_1' }]);
});

test('only the last 500 lines are kept, and long values are cut', () => {
  const recent = new RecentLines(clock);
  const log = recent.beside(silentLog);
  for (let turn = 1; turn <= 510; turn++) log.info({ turn, text: 'x'.repeat(1000) }, 'uplink_up');
  const lines = recent.list();
  expect([lines.length, lines[0]?.fields[0], lines.at(-1)?.fields[0]]).toEqual([500, 'turn=510', 'turn=11']);
  expect(lines[0]?.fields[1]).toHaveLength(400);
});
