import { expect, test } from 'vitest';
import type { DeviceNo, Seq } from '../../../src/store/index.ts';
import { SegmentReader } from '../../../src/store/journal/segment-reader.ts';
import { openReadOnly } from '../../../src/store/schema/database.ts';
import { readSealKey } from '../../../src/store/schema/sealing.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

const at = 1_763_600_000_000;
const everything = { bytesMax: 1 << 20 };

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
  return { reader: new SegmentReader(connection), deviceNo, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('a segment whose commit was not reported yet is neither read nor counted', async () => {
  await using segments = await threeSegments();
  const { reader, deviceNo } = segments;
  const read = (after: number, lastSeq: number) => {
    const { records, through } = reader.read(after as Seq, lastSeq as Seq, everything);
    return { texts: records.map(({ payload }) => Buffer.from(payload).toString()), through };
  };
  expect(read(0, 1)).toEqual({ texts: ['one'], through: 1 });
  expect(read(0, 2)).toEqual({ texts: ['one', 'two'], through: 2 });
  expect(read(2, 2)).toEqual({ texts: [], through: 2 });
  expect(read(2, 3)).toEqual({ texts: ['three'], through: 3 });
  const count = (after: number, lastSeq: number) => reader.tally(after as Seq, lastSeq as Seq);
  expect(count(0, 2)).toEqual({ through: 2, byDevice: new Map<DeviceNo, number>([[deviceNo, 2]]) });
  expect(count(2, 3)).toEqual({ through: 3, byDevice: new Map<DeviceNo, number>([[deviceNo, 1]]) });
});
