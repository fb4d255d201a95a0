import { expect, test } from 'vitest';
import type { AttendanceBox } from '../../support/attendance.ts';
import { aPair } from '../../support/mirror-pair.ts';

const kind = { user_ext_id: 'e1', feature_type: 'card', feature_alg: 'x' };

/** `X-Mirror-Age` of each call that reads; null: it has none. */
async function ages({ caller }: AttendanceBox) {
  const found: Record<string, number | null> = {};
  const note = (name: string, { headers }: { headers: Record<string, unknown> }) => {
    const age = headers['x-mirror-age'];
    found[name] = age === undefined ? null : Number(age);
  };
  for (const what of ['department', 'employee', 'org/device']) note(what, await caller.call(`/v2.0/${what}/query`));
  for (const what of ['checkin_query', 'checkin_acs_query']) note(what, await caller.run(what));
  note('checkin_feature_query', await caller.run('checkin_feature_query', kind));
  return found;
}

const all = (age: number | null) => ({
  department: age,
  employee: age,
  'org/device': age,
  checkin_query: age,
  checkin_acs_query: age,
  checkin_feature_query: age,
});

test('answers from the copy carry its age in seconds, which grows while the line is cut', async () => {
  await using pair = await aPair();
  const { box, line, clock } = pair;
  line.isUp = false;
  await pair.sync();
  expect(await ages(box)).toEqual(all(null));

  line.isUp = true;
  await pair.sync();
  await box.gateway.store.write.mirrorFeatures({
    extId: 'e1',
    featureType: 'card',
    featureAlg: 'x',
    values: ['QUJD'],
    abnormal: [false],
    at: 1,
  });
  line.isUp = false;
  await clock.advance(3600_000);
  const old = Object.values(await ages(box));
  for (const age of old) expect(age).toBeGreaterThanOrEqual(3600);
  for (const age of old) expect(age).toBeLessThan(3660);
});

test('a box that is its own authority answers without an age', async () => {
  await using pair = await aPair();
  expect(await ages(pair.cloud)).toEqual(all(null));
});
