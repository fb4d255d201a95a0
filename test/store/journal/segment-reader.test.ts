import { expect, test } from 'vitest';
import type { Channel, DeviceNo, Seq } from '../../../src/store/index.ts';
import { RecordReader } from '../../../src/store/journal/record-reader.ts';
import { type SegmentHead, SegmentReader } from '../../../src/store/journal/segment-reader.ts';
import { openReadOnly } from '../../../src/store/schema/database.ts';
import { readSealKey } from '../../../src/store/schema/sealing.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

const at = 1_763_600_000_000;
const everything = { bytesMax: 1 << 20 };

/** Counts what it takes from the disk. */
class CountedReader extends SegmentReader {
  opened = 0;
  asked = 0;

  override open(firstSeq: number): Buffer | null {
    this.opened++;
    return super.open(firstSeq);
  }

  override heads(...words: Parameters<SegmentReader['heads']>): SegmentHead[] {
    this.asked++;
    return super.heads(...words);
  }
}

/** Three segments of one record each, and a reader on a connection of its own. */
async function threeSegments() {
  await using parts = new AsyncDisposableStack();
  const temporary = parts.use(await aStore());
  const { store, dataDir } = temporary;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  for (const text of ['one', 'two', 'three'])
    await append(store, {
      deviceNo,
      channel: 'log',
      receivedAt: at,
      logPath: '',
      marks: {},
      payload: Buffer.from(text),
    });
  const connection = parts.adopt(openReadOnly(dataDir, readSealKey(dataDir, false)), ({ database }) =>
    database.close(),
  );
  const owned = parts.move();
  const segments = new CountedReader(connection);
  return { segments, reader: new RecordReader(segments), deviceNo, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('a segment whose commit was not reported yet is neither read nor counted', async () => {
  await using three = await threeSegments();
  const { reader, deviceNo } = three;
  const read = async (after: number, lastSeq: number) => {
    const { records, through } = await reader.read(after as Seq, lastSeq as Seq, everything);
    return { texts: records.map(({ payload }) => Buffer.from(payload).toString()), through };
  };
  expect(await read(0, 1)).toEqual({ texts: ['one'], through: 1 });
  expect(await read(0, 2)).toEqual({ texts: ['one', 'two'], through: 2 });
  expect(await read(2, 2)).toEqual({ texts: [], through: 2 });
  expect(await read(2, 3)).toEqual({ texts: ['three'], through: 3 });
  const count = (after: number, lastSeq: number) => reader.tally(after as Seq, lastSeq as Seq);
  expect(await count(0, 2)).toEqual({ through: 2, byDevice: new Map<DeviceNo, number>([[deviceNo, 2]]) });
  expect(await count(2, 3)).toEqual({ through: 3, byDevice: new Map<DeviceNo, number>([[deviceNo, 1]]) });
});

test('a reading of messages opens no segment that holds only logs', async () => {
  await using three = await threeSegments();
  const { reader, segments } = three;
  const of = (asked: Channel) => ({
    ...everything,
    deviceNos: { has: (_: DeviceNo, channel: Channel | null) => channel === null || channel === asked },
  });
  expect(await reader.read(0 as Seq, 3 as Seq, of('device'))).toEqual({ records: [], through: 3 });
  expect(segments.opened).toBe(0);
  expect((await reader.read(0 as Seq, 3 as Seq, of('log'))).records).toHaveLength(3);
  expect(segments.opened).toBe(3);
});

test('a reading that goes on from the last one knows the heads that came with it', async () => {
  await using three = await threeSegments();
  const { reader, segments } = three;
  const texts: string[] = [];
  for (let after = 0; after < 3; ) {
    const { records, through } = await reader.read(after as Seq, 3 as Seq, { bytesMax: 1 });
    texts.push(...records.map(({ payload }) => Buffer.from(payload).toString()));
    after = through;
  }
  expect(texts).toEqual(['one', 'two', 'three']);
  expect(segments.asked).toBe(1);
});
