import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultActions } from '../../../src/platform/actions.ts';
import type { DeviceNo, IncomingRecord, JournalRead, Seq } from '../../../src/store/index.ts';
import { Lag } from '../../../src/store/journal/lag.ts';
import { SegmentPacker } from '../../../src/store/journal/segment.ts';
import { readSealKey } from '../../../src/store/schema/sealing.ts';
import { sqliteEngine } from '../../../src/store/writer/sqlite-engine.ts';
import { Writer } from '../../../src/store/writer/writer.ts';
import { keptLog } from '../../support/kept-log.ts';
import { append, aStore, registered } from '../../support/store.ts';

const at = 1_763_600_000_000;
const aLog = (deviceNo: DeviceNo, text: string): IncomingRecord => ({
  deviceNo,
  channel: 'log',
  receivedAt: at,
  logPath: 'FT1/A0001',
  marks: {},
  payload: Buffer.from(text),
});

describe('the lag of the tables', () => {
  const bound = { records: 1000, ms: 60_000 };

  test('is counted in records, and in time from the commit of the oldest one', () => {
    const lag = new Lag(bound, 0, 0, 0);
    lag.committed(10, 5000);
    lag.committed(20, 8000);
    lag.committed(30, 8500);
    expect(lag.records).toBe(30);
    expect(lag.ms(9000)).toBe(4000);
    lag.projected(10, 9000);
    expect(lag.records).toBe(20);
    expect(lag.ms(9000)).toBe(1000);
    lag.projected(29, 9000);
    expect(lag.ms(9000)).toBe(1000);
    lag.projected(30, 9000);
    expect([lag.records, lag.ms(99_000)]).toEqual([0, 0]);
  });

  test('of a store that was behind when it was opened counts from the start', () => {
    const lag = new Lag(bound, 500, 100, 7000);
    expect([lag.records, lag.ms(9000)]).toEqual([400, 2000]);
  });

  test('is over at its bound of records until it is a little below it, and refuses where it is well above it', () => {
    const lag = new Lag(bound, 0, 0, 0);
    lag.committed(999, 0);
    expect(lag.isOver).toBe(false);
    lag.committed(1000, 0);
    expect([lag.isOver, lag.refuses(0)]).toEqual([true, false]);
    lag.committed(1125, 0);
    expect(lag.refuses(0)).toBe(true);
    lag.projected(180, 0);
    expect([lag.isOver, lag.refuses(0)]).toEqual([true, false]);
    lag.projected(190, 0);
    expect(lag.isOver).toBe(false);
  });

  test('is over at its bound of time, however few records it is', () => {
    const lag = new Lag(bound, 0, 0, 0);
    lag.committed(1, 0);
    lag.committed(2, 59_000);
    expect(lag.isOver).toBe(false);
    lag.committed(3, 60_000);
    expect(lag.isOver).toBe(true);
    lag.projected(1, 60_000);
    expect(lag.isOver).toBe(false);
  });

  test('takes little memory, however long it lasts', () => {
    const lag = new Lag(bound, 0, 0, 0);
    for (let seq = 1; seq <= 100_000; seq++) lag.committed(seq, 900);
    lag.projected(99_999, 900);
    expect(lag.ms(1000)).toBe(100);
  });
});

test('a load that is too much for the tables is held back until they have come nearer, and all that was acknowledged is in them', async () => {
  const bound = { records: 300, ms: 60_000 };
  const { log, lines } = keptLog();
  await using opened = await aStore({ lagBound: bound, log });
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const { journal } = store;
  const total = 5000;
  const perRead = 100;
  let sent = 0;
  let acknowledged = 0;
  let pauses = 0;
  let worst = 0;
  const done = Promise.withResolvers<void>();
  // A door: reads while the journal is not congested, and is called when there is room again.
  const read = (): void => {
    if (journal.congested) return;
    for (let one = 0; one < perRead && sent < total; one++)
      journal.append(aLog(deviceNo, `log ${sent++}`), {
        onCommitted: error => {
          if (error) done.reject(error);
          worst = Math.max(worst, store.health().lagRecords);
          if (++acknowledged === total) done.resolve();
          else if (acknowledged % perRead === 0) goOn();
        },
      });
  };
  const goOn = (): void => {
    if (journal.congested) {
      pauses++;
      expect(store.health().heldBack).toBe(true);
    } else read();
  };
  journal.onDrain(read);
  read();
  await done.promise;
  expect(pauses).toBeGreaterThan(0);
  expect(worst).toBeLessThanOrEqual(bound.records + perRead);
  await store.catchUp();
  expect(store.health()).toMatchObject({ lagRecords: 0, lagMs: 0, heldBack: false });
  expect(await store.read.logs({ limit: 10_000 })).toHaveLength(total);
  expect(lines.slice(0, 2).map(({ code }) => code)).toEqual(['tables_behind', 'tables_caught_up']);
});

test('who sends on all the same is refused, and nothing of it is stored', async () => {
  await using opened = await aStore({ lagBound: { records: 100, ms: 60_000 } });
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const refusal = new Promise<unknown>(resolve => {
    for (let sent = 0; sent < 200; sent++)
      store.journal.append(aLog(deviceNo, `log ${sent}`), {
        onCommitted: () => {
          // In the turn of the acknowledgement: the tables are 200 behind.
          if (sent === 199) store.journal.append(aLog(deviceNo, 'one too many'), { onCommitted: resolve });
        },
      });
  });
  expect(await refusal).toMatchObject({ code: 'too_busy', message: expect.stringContaining('send it again') });
  await new Promise<void>(resolve => store.journal.onDrain(resolve));
  await append(store, aLog(deviceNo, 'there is room again'));
  await store.catchUp();
  const texts = (await store.read.logs({ limit: 1000 })).map(row => row.text);
  expect(texts).toHaveLength(201);
  expect(texts).not.toContain('one too many');
});

test('what is acknowledged and not yet in the tables is in the journal for the ledger and the cloud', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const seen = new Promise<readonly [Promise<JournalRead>, number]>((resolve, reject) =>
    store.journal.append(aLog(deviceNo, 'new'), {
      onCommitted: error => {
        // The tables come after the acknowledgement: these reads stand in front of them.
        const inJournal = store.journal.read(0 as Seq, { bytesMax: 1 << 20 });
        if (error) reject(error);
        else resolve([inJournal, store.health().lagRecords]);
      },
    }),
  );
  const [inJournal, lagging] = await seen;
  expect(lagging).toBe(1);
  expect((await inJournal).records).toHaveLength(1);
  expect(await store.read.ledger(deviceNo, { limit: 5 })).toMatchObject([{ state: 'waiting' }]);
});

describe('the writer', () => {
  const aWriter = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-writer-'));
    const opened = await aStore({ dataDir });
    const { deviceNo } = await registered(opened.store);
    await opened.store[Symbol.asyncDispose]();
    const engine = sqliteEngine(dataDir, readSealKey(dataDir, false));
    const writer = new Writer(
      engine,
      {
        dataDir,
        sealKey: readSealKey(dataDir, false),
        actions: defaultActions,
        timeZone: 'Asia/Shanghai',
        upstream: true,
        lagBound: { records: 1000, ms: 60_000 },
        tablesRestMs: 1000,
      },
      () => {},
    );
    return {
      writer,
      database: engine.connection.database,
      deviceNo,
      async [Symbol.asyncDispose]() {
        writer.close();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  };
  const chunkOf = (deviceNo: DeviceNo, count: number, memory?: SharedArrayBuffer) => {
    const packer = new SegmentPacker(memory);
    for (let index = 0; index < count; index++) packer.add(aLog(deviceNo, `log ${index}`));
    return packer.take();
  };

  test('takes no batch of a box below while the tables are too far behind, and takes it when they have come nearer', async () => {
    await using one = await aWriter();
    const { writer, deviceNo } = one;
    writer.run([{ kind: 'append', id: 1, chunks: [chunkOf(deviceNo, 1000)] }]);
    const records = [{ seq: 1, record: aLog(deviceNo, 'from below') }];
    const batch = {
      kind: 'operation',
      name: 'receiveBatch',
      input: { boxNo: deviceNo, epoch: 'e', records, refused: [], ackedSeq: 1 },
    };
    expect(writer.run([{ ...batch, id: 2 } as never])).toMatchObject([{ kind: 'failed', code: 'too_busy' }]);
    while (writer.project(0));
    expect(writer.run([{ ...batch, id: 3 } as never])).toMatchObject([{ kind: 'done', value: { stored: 1 } }]);
  });

  test('fills the tables one segment at a time when a turn has no more time', async () => {
    await using one = await aWriter();
    const { writer, deviceNo } = one;
    writer.run([{ kind: 'append', id: 1, chunks: [chunkOf(deviceNo, 3), chunkOf(deviceNo, 4)] }]);
    expect([writer.project(0), writer.projectedSeq]).toEqual([true, 3]);
    expect([writer.project(0), writer.projectedSeq]).toEqual([true, 7]);
    expect(writer.project(0)).toBe(false);
  });

  test('ends a turn of the tables with the segment in which somebody asks for something', async () => {
    await using one = await aWriter();
    const { writer, deviceNo } = one;
    writer.run([{ kind: 'append', id: 1, chunks: [3, 4, 5].map(count => chunkOf(deviceNo, count)) }]);
    const asked = [false, true];
    expect([writer.project(60_000, () => asked.shift()!), writer.projectedSeq]).toEqual([true, 7]);
    expect([writer.project(60_000), writer.projectedSeq]).toEqual([true, 12]);
  });

  test('waits for the disk before each acknowledgement, also behind a turn of the tables', async () => {
    await using one = await aWriter();
    const { writer, database, deviceNo } = one;
    const waits: unknown[] = [];
    const exec = database.exec.bind(database);
    database.exec = text => {
      if (text === 'COMMIT') waits.push(database.prepare('PRAGMA synchronous').get()?.synchronous);
      exec(text);
    };
    writer.run([{ kind: 'append', id: 1, chunks: [chunkOf(deviceNo, 3)] }]);
    writer.project(0);
    writer.run([{ kind: 'append', id: 2, chunks: [chunkOf(deviceNo, 3)] }]);
    const [normal, full] = [1, 2];
    expect(waits).toEqual([full, normal, full]);
  });

  test('gives memory back to be packed into again', async () => {
    await using one = await aWriter();
    const { writer, deviceNo } = one;
    const memories = [new SharedArrayBuffer(64 * 1024), new SharedArrayBuffer(128)];
    const chunks = memories.map(memory => chunkOf(deviceNo, 3, memory));
    const replies = writer.run([{ kind: 'append', id: 1, chunks }]);
    expect(replies).toMatchObject([{ kind: 'appended', memories: chunks.map(({ memory }) => memory) }]);
    // Whoever packs into it again changes nothing of what the tables get.
    for (const { memory } of chunks) new Uint8Array(memory).fill(255);
    while (writer.project(0));
    expect(writer.projectedSeq).toBe(6);
  });
});
