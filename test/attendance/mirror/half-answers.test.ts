import { expect, test } from 'vitest';
import { aPair } from '../../support/mirror-pair.ts';
import { storeDigest } from '../../support/store-digest.ts';

type Data = { total: number; rows: Record<string, unknown>[] };
type Lie = (data: Data, offset: number) => unknown;

/** What a proxy, a cut connection or a bug of the cloud makes of a page of a list. */
const halfAnswers: readonly (readonly [string, Lie])[] = [
  ['no data', () => undefined],
  ['data null', () => null],
  ['data a list', ({ rows }) => rows],
  ['data a text', () => 'ok'],
  ['a total without rows', ({ total }) => ({ total })],
  ['rows without a total', ({ rows }) => ({ rows })],
  ['rows null', ({ total }) => ({ total, rows: null })],
  ['a total, and no row', ({ total }) => ({ total, rows: [] })],
  ['a row fewer than the total says', ({ total, rows }) => ({ total, rows: rows.slice(1) })],
  ['a total below the rows', ({ total, rows }) => ({ total: total - 1, rows })],
  ['a total that changes between pages', ({ total, rows }, offset) => ({ total: total + 1 + offset, rows })],
  ['a row twice in place of another', ({ total, rows }) => ({ total, rows: rows.map(() => rows[0]) })],
  ['a row without an id', ({ total, rows }) => ({ total, rows: rows.map(({ id: _id, sn: _sn, ...row }) => row) })],
  ['a row whose id is no id', ({ total, rows }) => ({ total, rows: rows.map(row => ({ ...row, id: {}, sn: [] })) })],
  ['a text in place of a row', ({ total, rows }) => ({ total, rows: rows.map(() => 'row') })],
  ['a total that is a text', ({ total, rows }) => ({ total: `${total}`, rows })],
];

const lists = [
  ['departments', '/v2.0/department/query'],
  ['people', '/v2.0/employee/query'],
  ['devices', '/v2.0/org/device/query'],
] as const;

/** `incomplete` opens the alert `missing_at_cloud`. */
const isIncomplete = (list: string) => expect.stringContaining(`list of ${list} is incomplete`);

type Pair = Awaited<ReturnType<typeof aPair>>;

/** The lie in place of each page of the list, or of the last page alone. */
function lying({ line }: Pair, path: string, lie: Lie, where: 'each page' | 'the last page'): void {
  line.lie = (asked, answer) => {
    const [of, , body] = asked.split(' ');
    if (of !== path) return answer;
    const data = answer.data as Data;
    const { offset } = JSON.parse(body!) as { offset: number };
    if (where === 'the last page' && offset + data.rows.length < data.total) return answer;
    return { ...answer, data: lie(data, offset) };
  };
}

const honest = ({ line }: Pair): void => {
  line.lie = (_asked, answer) => answer;
};

/** A site with everything that a deletion would take: check-ins, a roster, a face, a correction. */
async function aSiteThatHasMuch(people: number): Promise<Pair> {
  const pair = await aPair({ people, featuresStay: true });
  await pair.start();
  const { box } = pair;
  await box.caller.run('feature_update', {
    users: [{ ext_id: 'e1', feature_type: 'fa', feature_alg: 'base64', feature_value: ['QUJD'] }],
  });
  await box.punch('e1');
  // Long enough for the terminal's session to be over, and for the round after it.
  await pair.clock.advance(3600_000);
  await pair.sync();
  await box.attendance.whenIdle();
  await box.gateway.store.catchUp();
  return pair;
}

test.each([1, 6, 155])('half an answer of any list changes nothing and is named (%i people)', async people => {
  await using pair = await aSiteThatHasMuch(people);
  const { dataDir } = pair.box.gateway.opened;
  const before = storeDigest(dataDir);
  for (const [list, path] of lists)
    for (const [how, lie] of halfAnswers)
      for (const where of people > 100 && list === 'people'
        ? (['each page', 'the last page'] as const)
        : (['each page'] as const)) {
        // A device is told by its place in the list: devices of two products may have one serial number.
        const isTrue = list === 'devices' || (list === 'people' && people === 1);
        if (isTrue && how === 'a row twice in place of another') continue;
        lying(pair, path, lie, where);
        const status = await pair.sync();
        expect.soft(storeDigest(dataDir), `${list}: ${how}, on ${where}`).toEqual(before);
        expect
          .soft(status, `${list}: ${how}`)
          .toMatchObject({ state: 'down', why: isIncomplete(list), incomplete: isIncomplete(list) });
      }
  honest(pair);
  expect(await pair.sync()).toMatchObject({ state: 'up', why: '' });
  expect(storeDigest(dataDir)).toEqual(before);
});

const recordLists = [
  ['check-ins', 'checkin_query', 'checkins_at'],
  ['access records', 'checkin_acs_query', 'access_at'],
] as const;

type Page = { next_id: number; data: Record<string, unknown>[] };

/** The first page is not the end, whatever it lacks. */
const halfPages: readonly (readonly [string, (page: Page) => unknown])[] = [
  ['no data', () => undefined],
  ['data null', () => null],
  ['data a list', ({ data }) => data],
  ['no list', ({ next_id }) => ({ next_id })],
  ['the list null', ({ next_id }) => ({ next_id, data: null })],
  ['no next_id', ({ data }) => ({ data })],
  ['an empty list without a next_id', () => ({ data: [] })],
  ['a next_id that goes back', ({ data }) => ({ next_id: -1, data })],
  ['a next_id that stays', ({ data }) => ({ next_id: 0, data })],
  ['a next_id that is a text', ({ data }) => ({ next_id: 'x', data })],
  ['a record without an id', ({ next_id, data }) => ({ next_id, data: data.map(({ id: _id, ...row }) => row) })],
  [
    'a record without a time',
    ({ next_id, data }) => ({ next_id, data: data.map(row => ({ ...row, check_time: null })) }),
  ],
  ['a text in place of a record', ({ next_id }) => ({ next_id, data: ['row'] })],
];

test.each(recordLists)(
  'half a page of %s is not the end of the list: nothing is skipped, and the rest goes on',
  async (list, command, at) => {
    await using pair = await aPair({ featuresStay: true });
    const { box, cloud, line } = pair;
    await pair.start();
    const before = await pair.sync();
    await cloud.punch('e1');
    const access = { ext_id: 'e1', door_id: 'D1', check_type: 'card', check_time: 1_763_600_000, check_result: 0 };
    await cloud.report({ records: [access] }, { action: 2002 });
    for (const [how, half] of halfPages) {
      line.lie = (asked, answer) =>
        asked.includes(` ${command} `) ? { ...answer, data: half(answer.data as Page) } : answer;
      const status = await pair.sync();
      expect.soft(status, how).toMatchObject({
        state: 'down',
        why: isIncomplete(list),
        incomplete: isIncomplete(list),
        [at]: before![at],
      });
      const cursor = await box.gateway.store.read.mirrorCursor(command === 'checkin_query' ? 'checkins' : 'access');
      expect.soft(cursor.nextId, how).toBe(0);
      expect.soft(status!.mirrored_at, how).toBeGreaterThan(before!.mirrored_at!);
    }
    honest(pair);
    expect(await pair.sync()).toMatchObject({ state: 'up', incomplete: '' });
    const { data } = (await box.caller.run(command, { next_id: 0, pass_only: false })).data;
    expect(data).toHaveLength(1);
  },
);

type Found = { features: Record<string, unknown>[] };

const halfFeatures: readonly (readonly [string, (found: Found) => unknown])[] = [
  ['no data', () => undefined],
  ['data null', () => null],
  ['data a list', ({ features }) => features],
  ['data a text', () => 'ok'],
  ['no features', () => ({})],
  ['features null', () => ({ features: null })],
  ['a feature without a value', ({ features }) => ({ features: features.map(() => ({ is_abnormal: false })) })],
  ['a feature whose value is no text', ({ features }) => ({ features: features.map(() => ({ value: {} })) })],
];

test.each([1, 6, 155])(
  'half an answer about features is none: what is stored stays, and the list is not whole (%i people)',
  async people => {
    await using pair = await aPair({ people, featuresStay: true });
    const { box, cloud } = pair;
    const card = { feature_type: 'card', feature_alg: 'base64', feature_value: ['QUJD'] };
    await cloud.caller.run('feature_update', { users: [{ ext_id: 'e1', ...card }] });
    await pair.start();
    // A kind that somebody has is asked for of everybody.
    await box.gateway.store.write.putFeatures({
      users: [{ extId: 'e1', featureType: 'card', featureAlg: 'base64', values: ['QUJD'] }],
      ...{ at: 1, queue: null },
    });
    const before = await pair.sync();
    const { dataDir } = box.gateway.opened;
    const digest = storeDigest(dataDir);
    for (const [how, half] of halfFeatures) {
      pair.line.lie = (asked, answer) =>
        asked.includes('"user_ext_id":"e1"') ? { ...answer, data: half(answer.data as Found) } : answer;
      expect.soft(await pair.sync(), how).toMatchObject({
        state: 'down',
        why: isIncomplete('features'),
        incomplete: isIncomplete('features'),
        features_at: before!.features_at,
      });
      expect.soft(storeDigest(dataDir), how).toEqual(digest);
    }
    honest(pair);
    expect((await pair.sync())!.features_at).toBeGreaterThan(before!.features_at!);
    expect(storeDigest(dataDir)).toEqual(digest);
  },
);
