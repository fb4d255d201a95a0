import { expect, test } from 'vitest';
import { CallerUses, type StoredUse } from '../../src/platform/caller-uses.ts';
import { HandClock } from '../support/clock.ts';

test('a use is stored at once, and the next one ten minutes later', async () => {
  const clock = new HandClock(1_763_600_000_000);
  const written: StoredUse[] = [];
  const uses = new CallerUses(clock, async use => written.push(use));
  const use = (id: string) => uses.note(id, { at: clock.now(), address: '10.0.0.7', call: '/v2.0/employee/query' });
  for (let minute = 0; minute <= 10; minute++) {
    use('ak1');
    await clock.advance(60_000);
  }
  use('ak2');
  expect(written.map(({ id, at }) => [id, (at - 1_763_600_000_000) / 60_000])).toEqual([
    ['ak1', 0],
    ['ak1', 10],
    ['ak2', 11],
  ]);
  expect(uses.all.get('ak1')?.at).toBe(1_763_600_000_000 + 10 * 60_000);
});

test('a use that could not be stored is stored with the next', async () => {
  const clock = new HandClock(0);
  let isAway = true;
  const written: string[] = [];
  const uses = new CallerUses(clock, async ({ id }) => {
    if (isAway) throw new Error('away');
    written.push(id);
  });
  const use = { at: 0, address: '', call: '' };
  uses.note('ak1', use);
  await Promise.resolve();
  await Promise.resolve();
  isAway = false;
  uses.note('ak1', use);
  expect(written).toEqual(['ak1']);
});
