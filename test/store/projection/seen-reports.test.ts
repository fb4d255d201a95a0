import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeviceNo, Seq } from '../../../src/store/index.ts';
import { SeenReports } from '../../../src/store/projection/seen-reports.ts';
import { openForWriting } from '../../../src/store/schema/database.ts';
import { readSealKey } from '../../../src/store/schema/sealing.ts';
import { aStore } from '../../support/store.ts';

const seenAt = 1_763_600_000_000;

/** The answer for the next report by a list of all that came before. */
function told(before: readonly Told[], { device, key, data }: Told): 'never' | 'before' | 'with other data' {
  const withKey = before.filter(one => one.device === device && one.key === key).map(one => one.data);
  if (withKey.includes(data)) return 'before';
  return new Set(withKey).size === 1 ? 'with other data' : 'never';
}

interface Told {
  readonly device: number;
  readonly key: string;
  readonly data: string;
}

const keys = ['1', '2', 'hashed 1', 'ä'.repeat(30), `${'9'.repeat(60)}1`, `${'9'.repeat(60)}2`];
const anAsked = fc.record({
  device: fc.constantFrom(1, 2),
  key: fc.constantFrom(...keys),
  data: fc.constantFrom('a', 'b', 'c'),
});

test('reports are told apart as a list of all that came tells them, however they are cut into segments', async () => {
  await using opened = await aStore();
  const { dataDir, store } = opened;
  await store[Symbol.asyncDispose]();
  const connection = openForWriting(dataDir, readSealKey(dataDir, false));
  using _closed = { [Symbol.dispose]: () => connection.database.close() };
  fc.assert(
    fc.property(fc.array(fc.array(anAsked, { minLength: 1, maxLength: 12 }), { maxLength: 6 }), segments => {
      connection.database.exec('BEGIN');
      const seen = new SeenReports(connection);
      const before: Told[] = [];
      try {
        for (const segment of segments) {
          const places = segment.map(({ device, key, data }) =>
            seen.ask({ seq: 1 as Seq, deviceNo: device as DeviceNo, receivedAt: seenAt }, ['record', key], data),
          );
          seen.answer();
          for (const [index, one] of segment.entries()) {
            expect(seen.at(places[index]!)).toBe(told(before, one));
            before.push(one);
          }
        }
      } finally {
        connection.database.exec('ROLLBACK');
      }
    }),
  );
});
