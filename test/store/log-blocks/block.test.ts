import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeviceNo } from '../../../src/store/index.ts';
import { SegmentPacker } from '../../../src/store/journal/segment.ts';
import {
  blockDevices,
  deviceBit,
  eachLog,
  holdsDevice,
  type LogBlock,
  openBlock,
  packBlockDevices,
  sealBlock,
  UnreadableBlock,
} from '../../../src/store/log-blocks/block.ts';
import { sealWith } from '../../../src/store/schema/sealing.ts';

const seal = sealWith(Buffer.alloc(32, 7));

interface ALog {
  readonly skipped: number;
  readonly deviceNo: number;
  readonly text: string;
}

/** The first log has seq 41. */
function aBlock(logs: readonly ALog[]): { block: LogBlock; seqs: number[] } {
  const packer = new SegmentPacker();
  const gaps: { index: number; skipped: number }[] = [];
  const seqs: number[] = [];
  for (const [index, { skipped, deviceNo, text }] of logs.entries()) {
    if (index > 0 && skipped > 0) gaps.push({ index, skipped });
    seqs.push(index === 0 ? 41 : seqs.at(-1)! + 1 + skipped);
    const common = { channel: 'log', receivedAt: 1_763_600_000_000 + index, logPath: 'FT1/A0001', marks: {} } as const;
    packer.add({ ...common, deviceNo: deviceNo as DeviceNo, payload: Buffer.from(text) });
  }
  return { block: { firstSeq: 41, gaps, packed: packer.packed }, seqs };
}

const aLog = fc.record({
  skipped: fc.constantFrom(0, 0, 0, 1, 7, 100_000),
  deviceNo: fc.integer({ min: 1, max: 5000 }),
  text: fc.oneof(fc.string(), fc.constantFrom('', 'match: score 0.97 in 84 ms; '.repeat(20))),
});
const someLogs = fc.array(aLog, { minLength: 1, maxLength: 80 });

test('whatever logs were packed come out with their seqs, devices and texts', () =>
  fc.assert(
    fc.property(someLogs, logs => {
      const { block, seqs } = aBlock(logs);
      const found: unknown[] = [];
      eachLog(openBlock(seal, sealBlock(seal, block), 41), ({ seq, deviceNo, payload }) =>
        found.push([seq, deviceNo, Buffer.from(payload).toString()]),
      );
      expect(found).toEqual(logs.map(({ deviceNo, text }, index) => [seqs[index], deviceNo, text]));
    }),
  ));

test('a block that was damaged, cut or moved is refused as such, and with no other error', () => {
  const place = 'log_block:41';
  fc.assert(
    fc.property(someLogs, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean(), (logs, at, change, isCut) => {
      const bytes = seal.open(sealBlock(seal, aBlock(logs).block), place);
      const place2 = at % bytes.length;
      const damaged = isCut ? bytes.subarray(0, place2) : Buffer.from(bytes);
      if (!isCut) damaged[place2]! ^= change;
      try {
        eachLog(openBlock(seal, seal.seal(damaged, place), 41), () => {});
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableBlock);
        expect(String(error)).toMatch(/log block 41: /);
      }
    }),
    { numRuns: 1000 },
  );
  const sealed = sealBlock(seal, aBlock([{ skipped: 0, deviceNo: 1, text: 'x' }]).block);
  expect(() => openBlock(seal, sealed, 42)).toThrow('log block 42: the seal is broken');
  expect(() => openBlock(seal, Buffer.alloc(0), 41)).toThrow('log block 41: the seal is broken');
  const newer = seal.seal(Buffer.from([9, 0, 0, 0, 0, 1]), place);
  expect(() => openBlock(seal, newer, 41)).toThrow('version 9 is not known here: it is of a newer Gatehouse');
});

const someCounts = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 1_000_000 })), {
  selector: ([deviceNo]) => deviceNo,
  minLength: 1,
});

test('the devices of a block come out with their counts, and SQL finds each of them and no other', () => {
  using database = new DatabaseSync(':memory:');
  const holds = database.prepare(`SELECT ${holdsDevice(1)} AS holds FROM (SELECT ?4 AS devices)`);
  fc.assert(
    fc.property(someCounts, counts => {
      const all = new Map(counts as [DeviceNo, number][]);
      const { devices, deviceCounts } = packBlockDevices(all);
      expect(new Map(blockDevices(devices, deviceCounts))).toEqual(all);
      for (const deviceNo of [...all.keys(), ...[1, 2, 7, 8, 9, 15, 16, 999, 2001, 70_000]] as DeviceNo[])
        expect(holds.get(...deviceBit(deviceNo), devices)!.holds !== 0, `${deviceNo}`).toBe(all.has(deviceNo));
    }),
  );
});
