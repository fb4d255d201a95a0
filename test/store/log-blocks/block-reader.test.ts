import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeviceNo } from '../../../src/store/index.ts';
import { packBlockDevices } from '../../../src/store/log-blocks/block.ts';
import { LogBlockReader } from '../../../src/store/log-blocks/block-reader.ts';
import { openForWriting } from '../../../src/store/schema/database.ts';
import { seededRandom } from '../../support/clock.ts';
import { aStore } from '../../support/store.ts';

const random = seededRandom(7);
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

/** More than a reader looks at in one statement, three times over. */
const heads = Array.from({ length: 13_000 }, (_, index) => ({
  first_seq: index * 10 + 1,
  last_seq: index * 10 + 1 + oneOf([0, 3, 9]),
  received_from: index * 60 - oneOf([0, 0, 5000]),
  received_to: index * 60 + oneOf([0, 59, 5000]),
  // A rare device, a device of some hundred blocks in a row, and one of almost all.
  devices: new Map([
    [9 as DeviceNo, 1],
    ...(index % 4000 === 17 ? [[1000 as DeviceNo, 2] as const] : []),
    ...(index > 4000 && index < 4400 ? [[300 as DeviceNo, 3] as const] : []),
  ]),
}));
const seqMax = heads.length * 10 + 20;

test('the blocks that may hold what is asked for are found in both orders, however many others there are', async () => {
  await using opened = await aStore();
  await opened.store[Symbol.asyncDispose]();
  const connection = openForWriting(opened.dataDir, readFileSync(join(opened.dataDir, 'keys', 'seal.key')));
  connection.database.exec('BEGIN');
  for (const { devices, ...head } of heads)
    connection
      .sql('INSERT INTO log_block VALUES (?, ?, ?, ?, 1, 1, ?)')
      .run(...Object.values(head), packBlockDevices(devices).devices);
  connection.database.exec('COMMIT');
  const reader = new LogBlockReader(connection, () => {});
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const time = maybe(fc.integer({ min: -6000, max: heads.length * 60 + 6000 }));
  const seq = fc.integer({ min: -1, max: seqMax });
  const deviceNo = maybe(fc.constantFrom(9, 1000, 300, 8, 2000) as fc.Arbitrary<DeviceNo>);
  fc.assert(
    fc.property(fc.record({ after: seq, before: seq, deviceNo, from: time, to: time }), query => {
      const { after, before, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = query;
      const fitting = heads
        .filter(head => head.last_seq > after && head.first_seq < before)
        .filter(head => head.received_to >= from && head.received_from < to)
        .filter(head => query.deviceNo === undefined || head.devices.has(query.deviceNo))
        .map(head => head.first_seq);
      const found = (order: 'ASC' | 'DESC') =>
        [...reader.heads(query, order)].flatMap(head => (typeof head === 'number' ? [] : [head.first_seq]));
      expect(found('ASC')).toEqual(fitting);
      expect(found('DESC')).toEqual(fitting.toReversed());
      // A turn may end after each, so the places between them never go back.
      const places = [...reader.heads(query, 'ASC')].map(head => (typeof head === 'number' ? head : head.first_seq));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }),
    { numRuns: 60 },
  );
  connection.database.close();
});
