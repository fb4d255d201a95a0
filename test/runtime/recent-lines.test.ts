import { expect, test } from 'vitest';
import { type Log, silentLog } from '../../src/runtime/log.ts';
import { RecentLines } from '../../src/runtime/recent-lines.ts';

const clock = { now: () => 1_763_600_000_000 };

test('log lines are passed on, and the last ones can be read by level', () => {
  const passed: string[] = [];
  const recent = new RecentLines(clock);
  const log = recent.beside({
    ...silentLog,
    info: (_fields: object, message: string) => void passed.push(message),
  } as Log);
  log.info({}, 'ready');
  log.warn({ free: 3, why: 'small disk' }, 'little room');
  log.debug({}, 'is for finding bugs');
  expect(passed).toEqual(['ready']);
  expect(recent.list().map(line => line.message)).toEqual(['little room', 'ready']);
  expect(recent.list({ level: 'warn' })).toEqual([
    {
      no: 2,
      at: clock.now(),
      level: 'warn',
      part: '',
      message: 'little room',
      fields: ['free=3', 'why=small disk'],
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
    .error({ code: 5 }, 'broken');
  expect(recent.list()[0]).toMatchObject({ part: 'store', fields: ['device=A_1', 'code=5'] });
  expect(heard).toEqual([{ part: 'store' }, { device: 'A_1' }]);
});

test('only the last 500 lines are kept, and long values are cut', () => {
  const recent = new RecentLines(clock);
  const log = recent.beside(silentLog);
  for (let turn = 1; turn <= 510; turn++) log.info({ text: 'x'.repeat(1000) }, `line ${turn}`);
  const lines = recent.list();
  expect([lines.length, lines[0]?.message, lines.at(-1)?.message]).toEqual([500, 'line 510', 'line 11']);
  expect(lines[0]?.fields[0]).toHaveLength(400);
});
