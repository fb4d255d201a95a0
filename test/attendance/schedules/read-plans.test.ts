import { expect, test } from 'vitest';
import { readPlans } from '../../../src/attendance/schedules/read-plans.ts';
import { addDays } from '../../../src/runtime/calendar-date.ts';
import { aGateway } from '../../support/gateway.ts';

const people = Array.from({ length: 400 }, (_, index) => `p${index}`);
const days = Array.from({ length: 30 }, (_, index) => addDays('2026-11-01', index));

test('the single days of a site are read and exported whole, however many they are', async () => {
  await using gateway = await aGateway();
  const { store } = gateway;
  const calendar = people.flatMap(person => days.map(date => ({ date, who: { person }, what: 'rest' as const })));
  await store.write.applySite({ site: { calendar }, prune: false, dryRun: false, at: 1 });
  const { overrides } = await readPlans(store.read, people, { from: days[0]!, to: days.at(-1)! });
  expect(overrides).toHaveLength(12_000);
  expect(new Set(overrides.map(({ id }) => id)).size).toBe(12_000);
  expect((await store.read.site({ withSecrets: false })).calendar).toHaveLength(12_000);
  // Nothing differs: a file that was written out adds nothing when it is applied again.
  expect(await store.write.applySite({ site: { calendar }, prune: true, dryRun: true, at: 1 })).toEqual([]);
});
