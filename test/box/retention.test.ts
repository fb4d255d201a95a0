import { expect, test } from 'vitest';
import { retireRegularly } from '../../src/box/retention.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { HandClock } from '../support/clock.ts';
import { aStore } from '../support/store.ts';
import { until } from '../support/until.ts';

const day = 86_400_000;
const tenMinutes = 600_000;

test('statements, audit log, files and sessions are not removed by a clock that is years ahead until it has run on for two days', async () => {
  await using opened = await aStore();
  const clock = new HandClock(Date.UTC(2026, 5, 1));
  const removedAt: number[] = [];
  await using _job = retireRegularly(opened.store, [{ retire: async () => void removedAt.push(clock.now()) }], {
    clock,
    log: silentLog,
  });
  /** One run of the job; the real threads of the store answer while the clock stands. */
  const run = async () => {
    await until('the job sleeps', () => clock.sleeping > 0);
    await clock.advance(tenMinutes);
    await until('the job sleeps again', () => clock.sleeping > 0);
  };
  await run();
  expect(removedAt).toHaveLength(1);
  const ahead = Date.UTC(2036, 0, 1);
  clock.set(ahead);
  await run();
  await run();
  expect(removedAt).toHaveLength(1);
  clock.set(ahead + 2 * day + tenMinutes);
  await run();
  expect(removedAt).toHaveLength(2);
});
