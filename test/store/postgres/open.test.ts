import { expect, test } from 'vitest';
import { openOwnReader } from '../../../src/store/index.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore, postgresUrl } from '../../support/postgres-store.ts';
import { aProduct, append, applied, registered } from '../../support/store.ts';
import { until } from '../../support/until.ts';

suiteWithPostgres('opening a store on PostgreSQL', () => {
  const postgres = postgresOfFile();
  const aLog = (deviceNo: number, text: string) =>
    ({
      ...{ deviceNo, channel: 'log', receivedAt: 1_763_600_000_000, logPath: 'FT1/A', marks: {} },
      payload: Buffer.from(text),
    }) as never;

  test('makes the tables in an empty database, and finds everything there the next time', async () => {
    const server = await postgres();
    const url = postgresUrl(server, server.create());
    const first = await openedPostgresStore(url);
    await applied(first, { products: [aProduct()] });
    const { deviceNo } = await registered(first);
    await append(first, aLog(deviceNo, 'a'));
    await first[Symbol.asyncDispose]();
    await using again = await openedPostgresStore(url);
    expect(again.epoch).toBe(first.epoch);
    expect(again.journal.lastSeq).toBe(1);
    await append(again, aLog(deviceNo, 'b'));
    await again.catchUp();
    expect((await again.read.logs({ limit: 9 })).map(({ seq, text }) => [seq, text])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  test('a thread of another part reads it with a connection of its own', async () => {
    const url = aDatabase(await postgres());
    await using store = await openedPostgresStore(url);
    const reader = await openOwnReader(store.readerAddress);
    try {
      await applied(store, { products: [aProduct()], departments: [{ ext_id: 'd1', name: 'Assembly' }] });
      const found = await reader.read.departments({ limit: 9, offset: 0 });
      expect(found).toEqual(await store.read.departments({ limit: 9, offset: 0 }));
      const { deviceNo, deviceId } = await registered(store);
      reader.forget();
      expect(reader.devices.deviceByNo(deviceNo)?.deviceId).toBe(deviceId);
    } finally {
      reader.close();
    }
  });

  test('what one process has written, the others hear of', async () => {
    const url = aDatabase(await postgres());
    await using one = await openedPostgresStore(url);
    await using other = await openedPostgresStore(url);
    const heard: number[] = [];
    other.journal.onCommitted(lastSeq => void heard.push(lastSeq));
    await applied(one, { products: [aProduct()] });
    const { deviceNo, deviceId } = await registered(one);
    await append(one, aLog(deviceNo, 'a'));
    await until('the other one knows', () => other.directory.device(deviceId) && heard.length > 0);
    expect(heard).toEqual([1]);
    // Whichever of the two fills the tables.
    await other.catchUp();
    expect(await other.read.logs({ limit: 9 })).toHaveLength(1);
    await append(other, aLog(deviceNo, 'b'));
    await until('the first one knows', () => one.journal.lastSeq === 2);
  });

  test('of a change of people all processes hear, so that each sends it to its terminals', async () => {
    const url = aDatabase(await postgres());
    await using one = await openedPostgresStore(url);
    await using other = await openedPostgresStore(url);
    const heard: (number | null)[] = [];
    other.onPeopleChange(deviceNo => void heard.push(deviceNo));
    const department = { ext_id: 'd1', name: 'Assembly' };
    const employee = { ext_id: 'e1', name: 'Li Mei', mobile: '13800000000', employee_num: '1', department };
    await applied(one, { departments: [department], employees: [employee as never] });
    await until('the other hears of it', () => heard.includes(null));
    // It does not tell what it was told: nothing goes back and forth.
    const [told, back] = [heard.length, [] as (number | null)[]];
    one.onPeopleChange(deviceNo => void back.push(deviceNo));
    await one.processes.tell('push', '');
    await other.processes.tell('push', '');
    expect([heard.length, back]).toEqual([told, []]);
  });

  test('the tables are filled by another process when the one that did it ends', async () => {
    const url = aDatabase(await postgres());
    const one = await openedPostgresStore(url);
    await applied(one, { products: [aProduct()] });
    const { deviceNo } = await registered(one);
    await append(one, aLog(deviceNo, 'a'));
    await one.catchUp();
    await using other = await openedPostgresStore(url);
    await one[Symbol.asyncDispose]();
    await append(other, aLog(deviceNo, 'b'));
    await other.catchUp();
    expect(await other.read.logs({ limit: 9 })).toHaveLength(2);
  });

  test('a read takes a list', async () => {
    await using store = await openedPostgresStore(aDatabase(await postgres()));
    const head = { chain: 'done', id: 7, hash: 'of an entry that is not there' } as const;
    expect(await store.read.verifyAudit([head])).toMatchObject({ holds: false, broken: { id: 7 } });
  });

  test('is refused with another key, or with none where the database has one', async () => {
    const url = aDatabase(await postgres());
    await (await openedPostgresStore(url))[Symbol.asyncDispose]();
    await expect(openedPostgresStore(url, { key: Buffer.alloc(32, 2) })).rejects.toThrow(
      /keys\/seal\.key: is not the key of this database: copy the file from a process that has it open/,
    );
    await expect(openedPostgresStore(url, { key: null })).rejects.toThrow(/keys\/seal\.key: is missing: copy/);
  });

  test('is refused under another environment', async () => {
    const url = aDatabase(await postgres());
    await (await openedPostgresStore(url))[Symbol.asyncDispose]();
    await expect(openedPostgresStore(url, { environment: 'production' })).rejects.toThrow(
      'store.url: this database was made under environment test, the config says production',
    );
  });

  test('says what is wrong with a server that cannot be reached or a database that is not there', async () => {
    await expect(openedPostgresStore('postgresql://nobody@127.0.0.1:1/none')).rejects.toThrow(
      /^store\.url: the database cannot be used \(.*ECONNREFUSED.*\): see that its server runs/,
    );
    const server = await postgres();
    await expect(openedPostgresStore(postgresUrl(server, 'nothing'))).rejects.toThrow(
      'store.url: the database cannot be used (database "nothing" does not exist)',
    );
  });
});
