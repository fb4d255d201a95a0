import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { ProductId } from '../../../src/platform/device-id.ts';
import { inboxPlace } from '../../../src/store/domains/gateway/inbox.ts';
import type { DeviceNo, JournalRecord, Seq, Store } from '../../../src/store/index.ts';
import { SegmentPacker, segmentPlace } from '../../../src/store/journal/segment.ts';
import { openSegment } from '../../../src/store/journal/segment-row.ts';
import { openReadOnly } from '../../../src/store/schema/database.ts';
import { places } from '../../../src/store/schema/devices.ts';
import { sqliteEngine } from '../../../src/store/writer/sqlite-engine.ts';
import { Writer } from '../../../src/store/writer/writer.ts';
import { incompressible } from '../../support/incompressible.ts';
import { append, applied, aStore, registered, type TemporaryStore } from '../../support/store.ts';

const at = 1_763_600_000_000;
const template = 'dGVtcGxhdGUtb2YtTGktTWVp';
const picture = 'cGljdHVyZS1vZi1MaS1NZWk';
const otherTemplate = 'dGVtcGxhdGUtb2YtV2FuZw';
const otherPicture = 'cGljdHVyZS1vZi1XYW5n';

const site = {
  departments: [{ ext_id: 'd1', name: 'Assembly' }],
  employees: [
    { ext_id: 'e1', name: 'Li Mei', mobile: '1', employee_num: '1', department: { ext_id: 'd1' } },
    { ext_id: 'e2', name: 'Wang', mobile: '2', employee_num: '2', department: { ext_id: 'd1' } },
  ],
};

let mids = 0;
const message = (action: number, data: object) => ({
  mid: `m${++mids}`,
  from: 'x',
  to: 'system',
  time: 1,
  action,
  data,
});
const face = (extId: string, value: string) =>
  message(2003, { ext_id: extId, feature_type: 'fa', feature_alg: 'a1', values: [value] });
const door = (...people: [extId: string, captured: string][]) =>
  message(2002, {
    records: people.map(([ext_id, capture_img]) => ({
      ext_id,
      door_id: '1',
      check_type: 'fa',
      check_time: 1_763_600_000,
      check_result: 0,
      capture_img,
    })),
  });

const hears = (store: Store, deviceNo: DeviceNo, envelope: object, marks = {}) =>
  append(store, {
    deviceNo,
    channel: 'device',
    receivedAt: at,
    logPath: '',
    marks,
    payload: Buffer.from(JSON.stringify(envelope)),
  });

/** A face and a door photo of Li Mei (1, 3), a face of Wang (2), a photo of both (4). */
async function aBoxThatKnowsThem(options: { upstream: boolean }) {
  const opened = await aStore(options);
  const { store } = opened;
  await applied(store, site);
  const { deviceNo } = await registered(store);
  const heard = [
    face('e1', template),
    face('e2', otherTemplate),
    door(['e1', picture]),
    door(['e2', otherPicture], ['e1', picture]),
  ];
  await Promise.all(heard.map(one => hears(store, deviceNo, one)));
  await store.catchUp();
  return { opened, store, deviceNo };
}

const forwarded = (store: Store, deviceNo: DeviceNo, upTo: number) =>
  store.write.confirm({
    confirmations: [
      { deviceNo, channel: 'device', upToSeq: upTo as Seq, floorSeq: upTo as Seq, at: at + 1, via: 'mqtt' },
    ],
  });

const erased = (store: Store, extId = 'e1') => store.write.deleteEmployee({ extId, at: at + 2, queue: null });

async function stepped(store: Store): Promise<void> {
  for (;;) if (!(await store.write.eraseStep({ now: at + 3 })).more) return;
}

const records = async (store: Store): Promise<readonly JournalRecord[]> =>
  (await store.journal.read(0 as Seq, { bytesMax: 1 << 20 })).records;
const payloads = async (store: Store): Promise<string[]> =>
  (await records(store)).map(({ payload }) => Buffer.from(payload).toString());

/** Every place of the store where one of these texts stands, opened. */
function holding({ dataDir }: TemporaryStore, ...texts: string[]): string[] {
  const connection = openReadOnly(dataDir, readFileSync(join(dataDir, 'keys', 'seal.key')));
  try {
    const { seal, sql } = connection;
    const segments = sql('SELECT first_seq, sealed_records AS bytes FROM segment')
      .all()
      .filter(row => {
        const packed = openSegment(seal, row.bytes as Uint8Array, row.first_seq as number);
        return texts.some(text => packed.includes(text));
      })
      .map(row => segmentPlace(row.first_seq as number));
    const sealed = [
      ...sql('SELECT sealed_message AS bytes FROM inbox')
        .all()
        .map(row => [row.bytes, inboxPlace]),
      ...sql('SELECT sealed_body AS bytes FROM organization_write')
        .all()
        .map(row => [row.bytes, places.organizationWrite]),
      ...sql('SELECT seq, sealed_capture_img AS bytes FROM access_record WHERE sealed_capture_img IS NOT NULL')
        .all()
        .map(row => [row.bytes, places.captureImg(row.seq as number)]),
      ...sql('SELECT ext_id, feature_type, feature_alg, sealed_values AS bytes FROM feature')
        .all()
        .map(row => [row.bytes, places.feature(`${row.ext_id}`, `${row.feature_type}`, `${row.feature_alg}`)]),
    ] as [Uint8Array, string][];
    const others = sealed
      .filter(([bytes, place]) => texts.some(text => seal.open(bytes, place).includes(text)))
      .map(([, place]) => place);
    return [...segments, ...others];
  } finally {
    connection.database.close();
  }
}

const inDatabase = <T>({ dataDir }: TemporaryStore, act: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { timeout: 5000 });
  try {
    return act(database);
  } finally {
    database.close();
  }
};

test.each([
  ['that stands alone', false],
  ['whose cloud has had everything', true],
])('a box %s holds no face and no picture of who was erased, and all of the others', async (_, upstream) => {
  const { opened, store, deviceNo } = await aBoxThatKnowsThem({ upstream });
  await using _closed = opened;
  const queue = { at, caller: 'a', path: '/v2.0/cloudappapi', command: 'feature_update', subject: 'features of e1' };
  const users = [{ extId: 'e1', featureType: 'fp' as const, featureAlg: 'a1', values: [template] }];
  await store.write.putFeatures({ users, at, queue: { ...queue, body: JSON.stringify({ users: [template] }) } });
  const syncData = { upsert: [{ ext_id: 'e1', features: [{ value: template }] }, { ext_id: 'e2' }], remove: ['e9'] };
  const waits = Buffer.from(JSON.stringify(message(2101, syncData)));
  await store.write.putInbox({ deviceNo, payload: waits, at, max: 10 });
  if (upstream) await forwarded(store, deviceNo, 4);
  expect(holding(opened, template, picture).length).toBeGreaterThan(5);
  const before = (await records(store)).map(record => ({ ...record, payload: Buffer.from(record.payload).toString() }));

  await erased(store);
  expect(holding(opened, template, picture)).toEqual([segmentPlace(1)]);
  await stepped(store);

  expect(holding(opened, template, picture)).toEqual([]);
  expect((await payloads(store)).join()).not.toMatch(new RegExp(`${template}|${picture}`));
  const [inbox] = await store.read.inbox(deviceNo, { limit: 9, bytesMax: 1 << 20 });
  expect(JSON.parse(Buffer.from(inbox!.payload).toString()).data).toEqual({
    upsert: [{ ext_id: 'e2' }],
    remove: ['e9'],
  });
  const after = (await records(store)).map(record => ({ ...record, payload: Buffer.from(record.payload).toString() }));
  expect(after[1]).toEqual(before[1]);
  expect(after.map(({ payload: _, ...rest }) => rest)).toEqual(before.map(({ payload: _, ...rest }) => rest));
  expect(JSON.parse(after[0]!.payload)).toEqual({ ...JSON.parse(before[0]!.payload), data: {} });
  const [wang, li] = JSON.parse(after[3]!.payload).data.records;
  expect(wang).toMatchObject({ ext_id: 'e2', capture_img: otherPicture });
  expect(li).toMatchObject({ ext_id: 'e1', door_id: '1' });
  expect(await store.read.erasures(9)).toEqual([
    { extId: 'e1', at: at + 2, doneAt: at + 3, held: 0, waitsForCloud: false },
  ]);
  expect((await store.read.waiting()).total).toBe(upstream ? 0 : 4);
});

test('what the cloud has yet to have stays whole, and the list says so', async () => {
  const { opened, store, deviceNo } = await aBoxThatKnowsThem({ upstream: true });
  await using _closed = opened;
  await forwarded(store, deviceNo, 1);
  const before = await payloads(store);
  await erased(store);
  await stepped(store);
  expect((await payloads(store)).slice(1)).toEqual(before.slice(1));
  expect((await payloads(store))[0]).not.toContain(template);
  expect(await store.read.erasures(9)).toMatchObject([{ extId: 'e1', doneAt: null, held: 2, waitsForCloud: true }]);
  expect((await store.read.waiting()).total).toBe(3);
  await store.write.park({ seq: 4 as Seq, deviceNo, channel: 'device', at, code: 400, reason: 'no' });
  await forwarded(store, deviceNo, 4);
  await stepped(store);
  expect(await store.read.erasures(9)).toMatchObject([{ held: 1, waitsForCloud: true }]);
  expect((await payloads(store))[3]).toBe(before[3]);
  await store.write.settleParked({ seq: 4 as Seq, outcome: 'confirmed', at });
  await stepped(store);
  expect(holding(opened, template, picture)).toEqual([]);
  expect(await store.read.erasures(9)).toMatchObject([{ held: 0, doneAt: at + 3 }]);
});

test('a step that fails in its middle has changed nothing', async () => {
  const { opened, store } = await aBoxThatKnowsThem({ upstream: false });
  await using _closed = opened;
  await erased(store);
  expect(await store.read.erasures(9)).toMatchObject([{ doneAt: null, held: 3, waitsForCloud: false }]);
  const before = await payloads(store);
  inDatabase(opened, database =>
    database.exec(
      "CREATE TRIGGER cut BEFORE DELETE ON biometric_record WHEN old.seq = 3 BEGIN SELECT RAISE(ABORT, 'cut'); END",
    ),
  );
  await expect(stepped(store)).rejects.toThrow('cut');
  expect(await payloads(store)).toEqual(before);
  expect(await store.read.erasures(9)).toMatchObject([{ doneAt: null, held: 3 }]);
  inDatabase(opened, database => database.exec('DROP TRIGGER cut'));
  await stepped(store);
  expect(holding(opened, template, picture)).toEqual([]);
});

test('what is received after the person was erased and came back stays', async () => {
  const { opened, store, deviceNo } = await aBoxThatKnowsThem({ upstream: false });
  await using _closed = opened;
  await erased(store);
  await applied(store, site);
  await hears(store, deviceNo, face('e1', 'bmV3LWZhY2U'));
  await store.catchUp();
  await stepped(store);
  expect(holding(opened, template, picture)).toEqual([]);
  expect((await payloads(store))[4]).toContain('bmV3LWZhY2U');
  expect(await store.read.featureFacts('e1')).toMatchObject([{ featureType: 'fa' }]);
});

test('a report that waited for the tables when its person was erased brings nothing back', async () => {
  const { opened, deviceNo } = await aBoxThatKnowsThem({ upstream: false });
  await using _closed = opened;
  await opened.store[Symbol.asyncDispose]();
  const { dataDir, options } = opened;
  const sealKey = readFileSync(join(dataDir, 'keys', 'seal.key'));
  const writer = new Writer(
    sqliteEngine(dataDir, sealKey),
    {
      ...options,
      dataDir,
      sealKey,
      lagBound: { records: 1e6, ms: 1e6 },
      tablesRestMs: 0,
    },
    () => {},
  );
  const packer = new SegmentPacker();
  const base = { deviceNo, channel: 'device' as const, receivedAt: at, logPath: '', marks: {} };
  for (const one of [face('e1', template), door(['e1', picture])])
    packer.add({ ...base, payload: Buffer.from(JSON.stringify(one)) });
  writer.run([{ kind: 'append', id: 1, chunks: [packer.take()] }]);
  writer.run([{ kind: 'operation', id: 2, name: 'deleteEmployee', input: { extId: 'e1', at, queue: null } }]);
  writer.run([{ kind: 'operation', id: 3, name: 'eraseStep', input: { now: at } }]);
  expect(holding(opened, template, picture)).toEqual([segmentPlace(5)]);
  while (writer.project(0));
  writer.run([{ kind: 'operation', id: 4, name: 'eraseStep', input: { now: at } }]);
  writer.close();
  expect(holding(opened, template, picture)).toEqual([]);
  expect(await (await opened.reopen()).read.erasures(9)).toMatchObject([{ held: 0, doneAt: at }]);
});

test('reports of before a change of the external id, and those that were refused, are erased too', async () => {
  const { opened, store, deviceNo } = await aBoxThatKnowsThem({ upstream: false });
  await using _closed = opened;
  const odd = message(2003, { ext_id: 'e1', feature_type: 'iris', values: [template] });
  await hears(store, deviceNo, odd, { invalid: true });
  await store.catchUp();
  const { rows } = await store.read.employees({ limit: 9, offset: 0 });
  const { id } = rows.find(row => row.extId === 'e1')!;
  expect(await store.write.setEmployeeExt({ id, extId: 'e7', queue: null })).toMatchObject({ ok: true });
  await erased(store, 'e7');
  await stepped(store);
  expect(holding(opened, template, picture)).toEqual([]);
  // The photo of somebody else in the same message.
  const shared = await store.read.record(4 as Seq);
  expect(Buffer.from(shared!.payload).toString()).toContain(otherPicture);
  expect(holding(opened, otherTemplate, otherPicture)).not.toEqual([]);
});

test('what stood in the file is overwritten', async () => {
  const { opened, store } = await aBoxThatKnowsThem({ upstream: false });
  await using _closed = opened;
  await hears(store, 1 as DeviceNo, face('e1', incompressible(120_000)));
  await store.catchUp();
  const sealed = inDatabase(opened, database => {
    const row = database.prepare('SELECT sealed_records AS bytes FROM segment ORDER BY first_seq DESC').get();
    return Buffer.from((row as { bytes: Uint8Array }).bytes).subarray(20_000, 20_064);
  });
  const inFiles = () =>
    readdirSync(opened.dataDir).filter(
      name => /^gatehouse\.db/.test(name) && readFileSync(join(opened.dataDir, name)).includes(sealed),
    );
  expect(inFiles()).not.toEqual([]);
  await erased(store);
  await stepped(store);
  await opened.store[Symbol.asyncDispose]();
  inDatabase(opened, database => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  expect(inFiles()).toEqual([]);
});

test('segments that retention drops leave nothing in the list', async () => {
  const { opened, store, deviceNo } = await aBoxThatKnowsThem({ upstream: true });
  await using _closed = opened;
  await forwarded(store, deviceNo, 4);
  await store.write.retire({ now: at + 400 * 24 * 3600 * 1000 });
  expect(
    inDatabase(opened, database => database.prepare('SELECT count(*) AS many FROM biometric_record').get()),
  ).toEqual({ many: 0 });
});

test('a message that was being made when its person was deleted does not wait with that person in it', async () => {
  const { opened, store, deviceNo } = await aBoxThatKnowsThem({ upstream: false });
  await using _closed = opened;
  await store.write.setPeopleData({ deviceNos: [deviceNo], word: 'yes' });
  const people = await store.read.personsAfter(0, { limit: 9, bytesMax: 1 << 20, productId: 'FACE-T1' as ProductId });
  const toNo = people.at(-1)!.changeNo;
  await erased(store);
  const syncData = {
    mid: `person-sync-${toNo}`,
    data: { upsert: [{ ext_id: 'e1', features: [{ value: template }] }] },
  };
  await store.write.putInbox({ deviceNo, payload: Buffer.from(JSON.stringify(syncData)), at, max: 10 });
  await store.write.personsSent({ deviceNo, fromNo: 0, toNo, delivery: 'in the inbox', at });
  await stepped(store);
  expect(holding(opened, template, picture)).toEqual([]);
  expect(await store.read.inbox(deviceNo, { limit: 9, bytesMax: 1 << 20 })).toHaveLength(1);
});

test('the cloud may take features that were dropped meanwhile', async () => {
  const { opened, store } = await aBoxThatKnowsThem({ upstream: true });
  await using _closed = opened;
  const queue = { at, caller: 'a', path: '/v2.0/cloudappapi', command: 'feature_update', subject: 'features of e1' };
  const users = [{ extId: 'e1', featureType: 'fp' as const, featureAlg: 'a1', values: [template] }];
  await store.write.putFeatures({ users, at, queue: { ...queue, body: '{}' } });
  const [write] = (await store.read.organizationWrites({ refused: false, limit: 1 })).rows;
  await erased(store);
  await store.write.settleOrganizationWrite({ id: write!.id, outcome: 'taken', at });
  expect((await store.read.organizationWrites({ refused: false, limit: 1 })).total).toBe(0);
});
