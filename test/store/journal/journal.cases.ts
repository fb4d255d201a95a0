import { expect, test } from 'vitest';
import type { DeviceNo, IncomingRecord, JournalReading, JournalRecord, Seq } from '../../../src/store/index.ts';
import { aProduct, append, applied, registered } from '../../support/store.ts';
import type { PortStore } from '../writes/case.ts';

const at = 1_763_600_000_000;

/** What the journal does whichever engine it stands on; `open` returns an empty store. */
export function journalCases(name: string, open: () => Promise<{ readonly store: PortStore } & AsyncDisposable>): void {
  const site = async () => {
    const opened = await open();
    const { store } = opened;
    await applied(store, { products: [aProduct()] });
    const { deviceNo } = await registered(store, 'FACE-T1_A0001');
    const other = (await registered(store, 'FACE-T1_A0002')).deviceNo;
    return { store, deviceNo, other, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  };
  const log = (deviceNo: DeviceNo, text: string, change: Partial<IncomingRecord> = {}): IncomingRecord => ({
    ...{ deviceNo, channel: 'log', receivedAt: at, logPath: 'FT1/A0001', marks: {}, payload: Buffer.from(text) },
    ...change,
  });
  const message = (deviceNo: DeviceNo, text: string, change: Partial<IncomingRecord> = {}): IncomingRecord =>
    log(deviceNo, text, { channel: 'device', logPath: '', ...change });
  const textOf = ({ payload }: JournalRecord): string => Buffer.from(payload).toString();

  async function readAll(store: PortStore, options: Partial<JournalReading> = {}): Promise<JournalRecord[]> {
    const found: JournalRecord[] = [];
    for (let after = 0 as Seq; after < store.journal.lastSeq; ) {
      const { records, through } = await store.journal.read(after, { bytesMax: 1 << 20, ...options });
      expect(through).toBeGreaterThan(after);
      found.push(...records);
      after = through;
    }
    return found;
  }

  test(`${name}: records come back as they were appended, in their order`, async () => {
    await using it = await site();
    const appended = [
      log(it.deviceNo, 'first', { marks: { truncated: true, repaired: true } }),
      message(it.other, '{"mid":"m"}', { code: 2001, receivedAt: at + 5 }),
      message(it.deviceNo, 'no JSON', { marks: { malformed: true } }),
      log(it.deviceNo, '', { logPath: '' }),
    ];
    await Promise.all(appended.map(record => append(it.store, record)));
    const found = await readAll(it.store);
    expect(found.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    for (const [index, { deviceNo, channel, receivedAt, logPath, marks, code, payload }] of appended.entries()) {
      expect(found[index]).toMatchObject({ deviceNo, channel, receivedAt, logPath, marks, code });
      expect(textOf(found[index]!)).toBe(Buffer.from(payload).toString());
    }
  });

  test(`${name}: waiters are told in the order of their records, after the commit`, async () => {
    await using it = await site();
    const { journal } = it.store;
    const told: number[] = [];
    await new Promise<void>(done => {
      for (let number = 1; number <= 100; number++)
        journal.append(log(it.deviceNo, `${number}`), {
          onCommitted(error) {
            expect(error).toBeNull();
            // All of a group are committed when its first waiter is told.
            expect(journal.lastSeq).toBeGreaterThanOrEqual(number);
            if (told.push(number) === 100) done();
          },
        });
    });
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect((await readAll(it.store)).map(textOf)).toEqual(told.map(String));
  });

  test(`${name}: listeners hear each commit once, with the last record of it`, async () => {
    await using it = await site();
    const { journal } = it.store;
    const heard: number[] = [];
    journal.onCommitted(lastSeq => void heard.push(lastSeq));
    for (const text of ['a', 'b', 'c']) await append(it.store, log(it.deviceNo, text));
    expect(heard).toEqual([1, 2, 3]);
    expect(journal.lastSeq).toBe(3);
  });

  test(`${name}: a reading ends after about so many bytes, and the next goes on there`, async () => {
    await using it = await site();
    const text = 'x'.repeat(10_000);
    for (let number = 0; number < 6; number++) await append(it.store, log(it.deviceNo, `${number} ${text}`));
    const { records, through } = await it.store.journal.read(0 as Seq, { bytesMax: 15_000 });
    expect(records).toHaveLength(2);
    expect(through).toBe(2);
    expect((await readAll(it.store, { bytesMax: 15_000 })).map(record => textOf(record)[0])).toEqual([...'012345']);
    expect(await it.store.journal.read(6 as Seq, { bytesMax: 1 })).toEqual({ records: [], through: 6 });
  });

  test(`${name}: a reading brings only those devices and channels that are asked for`, async () => {
    await using it = await site();
    await append(it.store, log(it.deviceNo, 'log'));
    await append(it.store, message(it.deviceNo, '{"a":1}'));
    await append(it.store, log(it.other, 'of another'));
    const texts = async (options: Partial<JournalReading>) => (await readAll(it.store, options)).map(textOf);
    expect(await texts({ deviceNos: new Set([it.other]) })).toEqual(['of another']);
    const messages = { has: (_: DeviceNo, channel: string | null) => channel !== 'log' };
    expect(await texts({ deviceNos: messages })).toEqual(['{"a":1}']);
    expect(await texts({ wanted: (_, seq) => seq === 1 })).toEqual(['log']);
  });

  test(`${name}: what is to be forwarded is counted by device, without what stays here`, async () => {
    await using it = await site();
    await append(it.store, log(it.deviceNo, 'a'));
    await append(it.store, message(it.deviceNo, 'no JSON', { marks: { local: true } }));
    await append(it.store, log(it.other, 'b'));
    await append(it.store, message(it.other, '{}', { marks: { local: true } }));
    const { through, byDevice } = await it.store.journal.tally(0 as Seq);
    expect(through).toBe(4);
    expect(byDevice).toEqual(
      new Map([
        [it.deviceNo, 1],
        [it.other, 1],
      ]),
    );
    expect((await it.store.journal.tally(3 as Seq)).byDevice.size).toBe(0);
  });

  test(`${name}: records of a batch are numbered with those of devices`, async () => {
    await using it = await site();
    await append(it.store, log(it.deviceNo, 'own'));
    const records = [1, 2].map(seq => ({ seq, record: log(it.other, `below ${seq}`) }));
    const batch = { boxNo: it.other, epoch: 'e', records, refused: [], ackedSeq: 2 };
    await it.store.write.receiveBatch(batch);
    await append(it.store, log(it.deviceNo, 'own again'));
    expect((await readAll(it.store)).map(record => [record.seq, textOf(record)])).toEqual([
      [1, 'own'],
      [2, 'below 1'],
      [3, 'below 2'],
      [4, 'own again'],
    ]);
  });
}
