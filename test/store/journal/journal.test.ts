import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeviceNo, IncomingRecord, JournalRecord, Seq } from '../../../src/store/index.ts';
import { SegmentPacker, summarize, unpack } from '../../../src/store/journal/segment.ts';
import { eachDevice, packDevices } from '../../../src/store/journal/segment-row.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

const at = 1_763_600_000_000;
const aLog = (deviceNo: number, text: string, change: Partial<IncomingRecord> = {}): IncomingRecord => ({
  deviceNo: deviceNo as DeviceNo,
  channel: 'log',
  receivedAt: at,
  logPath: 'FT1/A0001',
  marks: {},
  payload: Buffer.from(text),
  ...change,
});
const packed = (records: readonly IncomingRecord[]): Buffer => {
  const packer = new SegmentPacker();
  for (const record of records) packer.add(record);
  const { memory, length } = packer.take();
  return Buffer.from(memory, 0, length);
};
const unpacked = (bytes: Buffer, firstSeq = 1): JournalRecord[] => {
  const records: JournalRecord[] = [];
  unpack(bytes, firstSeq, record => records.push(record));
  return records;
};

describe('a segment', () => {
  test('has the layout that docs/store.md draws', () => {
    const bytes = packed([aLog(7, 'hi', { marks: { truncated: true } })]);
    expect(bytes.toString('hex')).toBe(
      ['01', '00000017', '00000007', '03', '019a9ec06400', '09', Buffer.from('FT1/A0001').toString('hex'), '6869'].join(
        '',
      ),
    );
  });

  test('holds one record behind the other, with every mark in its bit', () => {
    const bytes = packed([
      aLog(1, '{}', { channel: 'device', logPath: '', marks: { invalid: true, local: true } }),
      aLog(0xffffffff, '', { marks: { truncated: true, repaired: true, malformed: true } }),
    ]);
    expect(bytes.toString('hex')).toBe(
      [
        '01',
        ['0000000e', '00000001', '30', '019a9ec06400', '00', '7b7d'].join(''),
        ['00000015', 'ffffffff', '0f', '019a9ec06400', '09', Buffer.from('FT1/A0001').toString('hex')].join(''),
      ].join(''),
    );
    expect(summarize(bytes).payloadBytes).toBe(2);
  });

  test('holds the code of a message in the place of its log path, which older programs pass over', () => {
    const message = (code: number | undefined) => aLog(7, '{}', { channel: 'device', logPath: '', code });
    const bytes = packed([message(2001), message(undefined), message(0xffffffff), message(0)]);
    expect(bytes.toString('hex')).toBe(
      [
        '01',
        ['00000012', '00000007', '80', '019a9ec06400', '04', '000007d1', '7b7d'].join(''),
        ['0000000e', '00000007', '00', '019a9ec06400', '00', '7b7d'].join(''),
        ['00000012', '00000007', '80', '019a9ec06400', '04', 'ffffffff', '7b7d'].join(''),
        ['00000012', '00000007', '80', '019a9ec06400', '04', '00000000', '7b7d'].join(''),
      ].join(''),
    );
    expect(unpacked(bytes).map(({ code, logPath, marks }) => [code, logPath, marks])).toEqual([
      [2001, '', {}],
      [undefined, '', {}],
      [0xffffffff, '', {}],
      [0, '', {}],
    ]);
    expect(summarize(bytes).payloadBytes).toBe(8);
  });

  test('gives back what was packed, numbered from its first seq', () => {
    const record = fc.record({
      deviceNo: fc.integer({ min: 1, max: 0xffffffff }),
      channel: fc.constantFrom('device' as const, 'log' as const),
      receivedAt: fc.integer({ min: 0, max: 2 ** 47 }),
      logPath: fc.string({ maxLength: 60 }),
      payload: fc.uint8Array({ maxLength: 5000 }),
      malformed: fc.boolean(),
      code: fc.option(fc.integer({ min: 0, max: 0xffffffff }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 20 }), fc.integer({ min: 1, max: 2 ** 40 }), (drawn, firstSeq) => {
        const records = drawn.map(one => ({
          ...one,
          // A log has no code.
          logPath: one.code === undefined ? one.logPath : '',
          deviceNo: one.deviceNo as DeviceNo,
          marks: { malformed: one.malformed },
        }));
        const back = unpacked(packed(records), firstSeq);
        expect(back.map(one => one.seq)).toEqual(records.map((_, index) => firstSeq + index));
        for (const [index, one] of back.entries()) {
          const { deviceNo, channel, receivedAt, logPath, payload, marks, code } = records[index]!;
          expect({ ...one, payload: [...one.payload] }).toMatchObject({
            deviceNo,
            channel,
            receivedAt,
            logPath,
            code,
            payload: [...payload],
          });
          expect(one.marks.malformed ?? false).toBe(marks.malformed);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('says in its head which devices have how much to forward', () => {
    const bytes = packed([
      aLog(1, 'a'),
      aLog(2, 'b'),
      aLog(1, 'c', { marks: { local: true } }),
      aLog(1, 'd', { channel: 'device', logPath: '' }),
    ]);
    const { channels, forwardable } = summarize(bytes);
    expect(channels).toBe(3);
    expect([...forwardable.device]).toEqual([[1, 1]]);
    expect([...forwardable.log]).toEqual([
      [1, 1],
      [2, 1],
    ]);
    const seen: unknown[] = [];
    eachDevice(packDevices(forwardable), (...one) => seen.push(one));
    expect(seen).toEqual([
      [1, 1, 'device'],
      [1, 1, 'log'],
      [2, 1, 'log'],
    ]);
  });

  test('that is none is refused, not followed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), bytes => {
        try {
          unpack(Buffer.from(bytes), 1, () => {});
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});

describe('the journal', () => {
  test('settles records in the order of append, each after its commit, and reads them back in order', async () => {
    await using opened = await aStore();
    const { store } = opened;
    const { deviceNo } = await registered(store);
    const committed: number[] = [];
    await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        append(store, aLog(deviceNo, `log ${index}`)).then(() => committed.push(index)),
      ),
    );
    expect(committed).toEqual([...committed].sort((a, b) => a - b));
    expect(store.journal.lastSeq).toBe(500);
    const texts: string[] = [];
    for (let after = 0 as Seq; after < store.journal.lastSeq; ) {
      const { records, through } = await store.journal.read(after, { bytesMax: 4096 });
      texts.push(...records.map(one => Buffer.from(one.payload).toString()));
      after = through;
    }
    expect(texts).toEqual(Array.from({ length: 500 }, (_, index) => `log ${index}`));
  });

  test('what is committed after the call is for the next reading', async () => {
    await using opened = await aStore();
    const { store } = opened;
    const { deviceNo } = await registered(store);
    await append(store, aLog(deviceNo, 'before'));
    const reading = store.journal.read(0 as Seq, { bytesMax: 1 << 20 });
    await append(store, aLog(deviceNo, 'after'));
    const { records, through } = await reading;
    expect([records.length, through]).toEqual([1, 1]);
    const next = await store.journal.read(through, { bytesMax: 1 << 20 });
    expect(next.records.map(({ seq }) => seq)).toEqual([2]);
  });

  test('reads one device without opening what holds none of it', async () => {
    await using opened = await aStore();
    const { store } = opened;
    const one = await registered(store, 'FACE-T1_A0001');
    const other = await registered(store, 'FACE-T1_A0002');
    for (let turn = 0; turn < 5; turn++) {
      await append(store, aLog(one.deviceNo, `one ${turn}`));
      await append(store, aLog(other.deviceNo, `other ${turn}`));
    }
    const { records, through } = await store.journal.read(0 as Seq, {
      bytesMax: 1 << 20,
      deviceNos: new Set([other.deviceNo]),
    });
    expect(records.map(record => Buffer.from(record.payload).toString())).toEqual([
      'other 0',
      'other 1',
      'other 2',
      'other 3',
      'other 4',
    ]);
    expect(through).toBe(store.journal.lastSeq);
    const behind = await store.journal.read(0 as Seq, {
      bytesMax: 1 << 20,
      deviceNos: new Set([other.deviceNo]),
      wanted: (deviceNo, seq) => deviceNo === other.deviceNo && seq > 6,
    });
    expect(behind.records.map(record => record.seq)).toEqual([8, 10]);
    expect([...(await store.journal.tally(0 as Seq)).byDevice]).toEqual([
      [one.deviceNo, 5],
      [other.deviceNo, 5],
    ]);
  });

  test('goes on with its numbers after a restart, also when retention has emptied it', async () => {
    await using opened = await aStore({ upstream: false });
    const { deviceNo } = await registered(opened.store);
    for (let turn = 0; turn < 3; turn++) await append(opened.store, aLog(deviceNo, 'x'));
    await opened.store.catchUp();
    await opened.store.write.retire({ now: at + 8 * 24 * 3600 * 1000 });
    expect((await opened.store.journal.read(0 as Seq, { bytesMax: 1 << 20 })).records).toEqual([]);
    const store = await opened.reopen();
    await append(store, aLog(deviceNo, 'y'));
    expect(store.journal.lastSeq).toBe(4);
  });

  test('refuses what it cannot hold instead of filling the memory', async () => {
    await using opened = await aStore();
    const { deviceNo } = await registered(opened.store);
    const outcomes: (string | null)[] = [];
    const payload = Buffer.alloc(1 << 20);
    for (let sent = 0; sent < 40; sent++)
      opened.store.journal.append(aLog(deviceNo, '', { payload }), {
        onCommitted: error => outcomes.push(error?.code ?? null),
      });
    expect(opened.store.journal.congested).toBe(true);
    expect(outcomes).toContain('too_busy');
    await new Promise<void>(resolve => opened.store.journal.onDrain(resolve));
    expect(opened.store.journal.congested).toBe(false);
    await append(opened.store, aLog(deviceNo, 'there is room again'));
  });
});

test('applying a site again changes nothing, a dry run says what the real one does, and prune removes what is not listed', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const site = {
    products: [aProduct()],
    devices: [{ device_id: 'face-t1_a0001', name: 'North gate', access_key: 'k' }],
    apps: [
      { app_id: 'hr', app_key: 'k1' },
      { app_id: 'old', app_key: 'k2' },
    ],
    departments: [
      { ext_id: '0', name: 'Plant 4' },
      { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
    ],
    employees: [
      {
        ext_id: 'e1',
        name: 'Li Mei',
        mobile: '13800000000',
        employee_num: '1001',
        department: { ext_id: 'd1', title: 'Fitter' },
      },
    ],
    oauth_clients: [{ client_id: 'c1', client_secret: 's', redirect_uris: ['https://canteen.local/cb'] }],
    app_upgrades: [{ app_code: 'panel', version: '1.2.0', url: 'https://x', size: 1, min_platform_version: 8.5 }],
    message_templates: [{ template: 'late', body: '{{name}}' }],
  };
  const planned = await applied(store, site, { dryRun: true });
  expect(await store.read.site({ withSecrets: true })).toEqual({});
  expect(await applied(store, site)).toEqual(planned);
  expect(await applied(store, site)).toEqual([]);
  const written = await store.read.site({ withSecrets: true });
  expect(await applied(store, written)).toEqual([]);
  expect(JSON.stringify(await store.read.site({ withSecrets: false }))).not.toMatch(/s3cret|"k1"|"s"/);
  expect(await applied(store, { apps: [{ app_id: 'hr', app_key: 'k9' }] }, { prune: true })).toEqual([
    { action: 'change', section: 'apps', key: 'hr', fields: ['app_key'] },
    { action: 'remove', section: 'apps', key: 'old', fields: [] },
  ]);
});
