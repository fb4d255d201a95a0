import { constants, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeviceNo, IncomingRecord } from '../../../src/store/index.ts';
import { SegmentPacker, segmentPlace, unpack } from '../../../src/store/journal/segment.ts';
import { openSegment, sealSegment, UnreadableSegment } from '../../../src/store/journal/segment-row.ts';
import { sealWith } from '../../../src/store/schema/sealing.ts';

const seal = sealWith(Buffer.alloc(32, 7));
const firstSeq = 41;

const aLog = (index: number, text: string): IncomingRecord => ({
  deviceNo: ((index % 5) + 1) as DeviceNo,
  channel: 'log',
  receivedAt: 1_763_600_000_000 + index,
  logPath: 'FT1/A0001',
  marks: {},
  payload: Buffer.from(text),
});
const packedOf = (records: readonly IncomingRecord[]): Buffer => {
  const packer = new SegmentPacker();
  for (const record of records) packer.add(record);
  const { memory, length } = packer.take();
  return Buffer.from(memory, 0, length);
};
const logs = (count: number) =>
  packedOf(
    Array.from({ length: count }, (_, index) => aLog(index, `match: score 0.97 in ${index} ms; door: released`)),
  );
/** Sealed as they are: what a program with another codec, or a fault, could have left. */
const sealedAsItIs = (bytes: Uint8Array) => seal.seal(bytes, segmentPlace(firstSeq));
const withHead = (length: number, frame: Uint8Array): Buffer => {
  const head = Buffer.from([2, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, frame]);
};
const refusal = (sealed: Uint8Array): string => {
  try {
    openSegment(seal, sealed, firstSeq);
  } catch (error) {
    if (error instanceof UnreadableSegment) return error.message;
    throw error;
  }
  throw new Error('it was opened');
};

test('a segment of repeating logs takes a small part of its bytes, and opens to the same ones', () => {
  const packed = logs(1000);
  const sealed = sealSegment(seal, packed, firstSeq);
  expect(sealed.length).toBeLessThan(packed.length / 5);
  expect(openSegment(seal, sealed, firstSeq).equals(packed)).toBe(true);
});

test('a short segment, and one that does not shrink, stay as they are', () => {
  for (const packed of [logs(20), packedOf([{ ...aLog(1, ''), payload: hard(8000) }])]) {
    const sealed = sealSegment(seal, packed, firstSeq);
    expect(seal.open(sealed, segmentPlace(firstSeq)).equals(packed)).toBe(true);
  }
});

test('whatever records there are, a segment opens to the same records', () => {
  const record: fc.Arbitrary<IncomingRecord> = fc.record({
    deviceNo: fc.integer({ min: 1, max: 0xff_ff_ff_ff }) as fc.Arbitrary<DeviceNo>,
    channel: fc.constantFrom('log' as const, 'device' as const),
    receivedAt: fc.integer({ min: 0, max: 2 ** 47 }),
    logPath: fc.string({ maxLength: 60 }),
    marks: fc.constant({}),
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 3000 }),
      fc.tuple(fc.string({ maxLength: 40 }), fc.nat(200)).map(([text, times]) => Buffer.from(text.repeat(times))),
    ),
  });
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 30 }), records => {
      const packed = packedOf(records);
      const opened = openSegment(seal, sealSegment(seal, packed, firstSeq), firstSeq);
      expect(opened.equals(packed)).toBe(true);
      const found: unknown[] = [];
      unpack(opened, firstSeq, ({ seq, deviceNo, payload }) => found.push([seq, deviceNo, Buffer.from(payload)]));
      expect(found).toEqual(
        records.map(({ deviceNo, payload }, index) => [firstSeq + index, deviceNo, Buffer.from(payload)]),
      );
    }),
    { numRuns: 200, seed: 19 },
  );
});

test('damaged bytes under a whole seal are refused, never read and never an exception of another kind', () => {
  const packed = logs(300);
  const inside = Buffer.from(seal.open(sealSegment(seal, packed, firstSeq), segmentPlace(firstSeq)));
  expect(inside[0]).toBe(2);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.nat(inside.length - 1).map(length => inside.subarray(0, length)),
        fc.tuple(fc.nat(inside.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, flip]) => {
          const bytes = Buffer.from(inside);
          bytes[at]! ^= flip;
          return bytes;
        }),
        fc.uint8Array({ maxLength: 4000 }).map(bytes => withHead(bytes.length * 3, bytes)),
        fc.uint8Array({ minLength: 1, maxLength: 200 }).map(bytes => Buffer.from([1, ...bytes])),
      ),
      bytes => {
        try {
          // Damage that zstd does not notice may leave readable records: then they are unpacked.
          unpack(openSegment(seal, sealedAsItIs(bytes), firstSeq), firstSeq, () => {});
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableSegment);
        }
      },
    ),
    { numRuns: 1000, seed: 19 },
  );
});

test('a refusal names the segment and says why', () => {
  const packed = logs(300);
  const frame = zstdCompressSync(packed);
  const broken = Buffer.from(sealSegment(seal, packed, firstSeq));
  broken[20]! ^= 1;
  expect(refusal(broken)).toBe('segment 41: the seal is broken');
  expect(refusal(sealedAsItIs(Buffer.from([9, 0, 0])))).toBe(
    'segment 41: version 9 is not known here: it is of a newer Gatehouse',
  );
  expect(refusal(sealedAsItIs(Buffer.from([2, 0, 0])))).toBe('segment 41: its head is cut off');
  expect(refusal(sealedAsItIs(withHead(packed.length, frame.subarray(0, frame.length >> 1))))).toMatch(
    /^segment 41: it (cannot be unpacked \(|unpacks to \d+ bytes instead of)/,
  );
  expect(refusal(sealedAsItIs(withHead(packed.length + 1, frame)))).toBe(
    `segment 41: it unpacks to ${packed.length} bytes instead of ${packed.length + 1}`,
  );
  expect(refusal(sealedAsItIs(packed.subarray(0, packed.length - 1)))).toBe(
    'segment 41: a record reaches past its end',
  );
});

test('a frame that unpacks to more than it says is not unpacked any further', () => {
  const bomb = zstdCompressSync(Buffer.alloc(64 << 20), { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  expect(refusal(sealedAsItIs(withHead(4096, bomb)))).toMatch(/cannot be unpacked \(ERR_BUFFER_TOO_LARGE\)/);
  expect(refusal(sealedAsItIs(withHead(64 << 20, bomb)))).toMatch(/more than there ever are/);
});

function hard(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 19;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}
