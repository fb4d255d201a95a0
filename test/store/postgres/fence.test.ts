import { expect, test } from 'vitest';
import type { DeviceNo, Store, StoreError } from '../../../src/store/index.ts';
import { openingUnnumbered, placeBefore, withPlace } from '../../../src/store/postgres/unnumbered.ts';
import { BrokenSeal, sealWith } from '../../../src/store/schema/sealing.ts';
import { storeFaults } from '../../../src/words/store.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore } from '../../support/postgres-store.ts';

const appended = (store: Store, text: string): Promise<StoreError | null> =>
  new Promise(resolve =>
    store.journal.append(
      {
        ...({ deviceNo: 1 as DeviceNo, channel: 'log', receivedAt: 0, logPath: 'FT1/A0001', marks: {} } as const),
        payload: Buffer.from(text),
      },
      { onCommitted: resolve },
    ),
  );

const texts = async (store: Store): Promise<string[]> => {
  const { records } = await store.journal.read(0 as never, { bytesMax: 1 << 20 });
  return records.map(({ payload }) => Buffer.from(payload).toString());
};

suiteWithPostgres('a process that was fenced', () => {
  const postgres = postgresOfFile();

  test('stores no record and no change any more, and says why; the others go on', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    await using first = await openedPostgresStore(url);
    await using second = await openedPostgresStore(url);
    expect(await appended(first, 'before')).toBeNull();
    server.run(/@\/(\w+)/.exec(url)![1]!, 'UPDATE process SET live = false WHERE id = (SELECT min(id) FROM process)');
    expect(await appended(first, 'after')).toMatchObject({ code: 'broken' });
    expect(first.health()).toMatchObject({ state: 'broken', why: storeFaults.say('process_fenced').reason });
    await expect(first.write.bringDevices({ deviceIds: [], to: 'here', at: 0 })).rejects.toMatchObject({
      code: 'broken',
    });
    expect(await appended(second, 'of another')).toBeNull();
    expect(await texts(second)).toEqual(['before', 'of another']);
  });
});

const seal = sealWith(Buffer.alloc(32, 1));
const flying = openingUnnumbered(seal);
const place = placeBefore(7, 3, 0);

test('a segment that was sealed before its number was known is bound to process, append and index, and says them', () => {
  const stored = withPlace(seal.seal(Buffer.from('records'), place), place);
  expect(stored.subarray(0, 9 + place.length).toString()).toBe(`GHappend\x0c${place}`);
  expect(flying.open(stored, 'segment:12').toString()).toBe('records');
  expect(() => flying.open(withPlace(stored.subarray(21), placeBefore(7, 3, 1)), 'segment:12')).toThrow(BrokenSeal);
});

test('a segment that is bound to its first number is opened as before', () => {
  expect(flying.open(seal.seal(Buffer.from('records'), 'segment:12'), 'segment:12').toString()).toBe('records');
});

test('what is sealed for another table is not opened in the place of a segment', () => {
  const elsewhere = seal.seal(Buffer.from('a secret'), 'device.key:1');
  expect(() => flying.open(withPlace(elsewhere, 'device.key:1'), 'segment:12')).toThrow(BrokenSeal);
});
