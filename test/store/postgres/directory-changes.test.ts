import { afterEach, expect, test } from 'vitest';
import { connectToPostgres } from '../../../src/store/postgres/database.ts';
import { DirectoryChanges, lastChangeNo } from '../../../src/store/postgres/directory-changes.ts';
import { MainReads } from '../../../src/store/postgres/main-reads.ts';
import { LiveDirectory, readDirectory } from '../../../src/store/readers/directory.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, migrateAt, openedPostgresStore } from '../../support/postgres-store.ts';
import { aProduct, applied, registered } from '../../support/store.ts';

const sealKey = Buffer.alloc(32, 1);
const nameOf = (url: string): string => /@\/(\w+)/.exec(url)![1]!;

suiteWithPostgres('what others change in the directory', () => {
  const postgres = postgresOfFile();
  const opened: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one[Symbol.asyncDispose]();
  });

  /** A database with a product and some devices, and a second look at its directory. */
  async function aDirectory(serials: readonly string[]) {
    const server = await postgres();
    const url = aDatabase(server);
    const store = await openedPostgresStore(url);
    opened.push(store);
    await applied(store, { products: [aProduct()] });
    for (const serial of serials) await registered(store, `FACE-T1_${serial}`);
    const connection = connectToPostgres({ url, sealKey });
    opened.push({ [Symbol.asyncDispose]: async () => connection.database.close() });
    const no = lastChangeNo(connection);
    const directory = new LiveDirectory(readDirectory(connection));
    const told: (string | null)[] = [];
    directory.onChange(changed => void told.push(changed?.deviceId ?? null));
    const reads = await MainReads.open(url);
    opened.push({ [Symbol.asyncDispose]: () => reads.close() });
    const changes = new DirectoryChanges(reads, connection.seal, directory, no);
    const run = (text: string) => void server.run(nameOf(url), text);
    /** All of it, read anew. */
    const all = () => {
      const fresh = new LiveDirectory(readDirectory(connection));
      return { products: [...fresh.products()], devices: [...fresh.devices()], boxes: [...fresh.boxesBelow()] };
    };
    const known = () => ({
      products: [...directory.products()],
      devices: [...directory.devices()],
      boxes: [...directory.boxesBelow()],
    });
    return { url, store, directory, changes, told, run, all, known };
  }

  test('is read without the rest', async () => {
    const { store, directory, changes, told, all, known } = await aDirectory(['A0001', 'A0002', 'A0003']);
    expect(await changes.catchUp()).toBe(false);
    await registered(store, 'FACE-T1_B0001');
    const { deviceNo } = directory.device('FACE-T1_A0002' as never)!;
    await store.write.setBlocked({ deviceNo, blocked: true });
    expect(await changes.catchUp()).toBe(true);
    expect(told.sort()).toEqual(['FACE-T1_A0002', 'FACE-T1_B0001']);
    expect(directory.device('FACE-T1_A0002' as never)?.blocked).toBe(true);
    expect(known()).toEqual(all());
    expect(await changes.catchUp()).toBe(false);
  });

  test('a device that is gone is forgotten, and known again when it comes back under another number', async () => {
    const { store, directory, changes, told, run, all, known } = await aDirectory(['A0001', 'A0002']);
    const gone = directory.device('FACE-T1_A0001' as never)!;
    run(`DELETE FROM device WHERE device_id = 'FACE-T1_A0001'`);
    await changes.catchUp();
    expect(told).toEqual(['FACE-T1_A0001']);
    expect(known()).toEqual(all());
    await store[Symbol.asyncDispose]();
    run(`INSERT INTO device SELECT (row).* FROM (SELECT jsonb_populate_record(NULL::device, to_jsonb(one)
           || '{"device_no": 77, "device_id": "FACE-T1_A0001"}') AS row FROM device AS one) AS copied`);
    await changes.catchUp();
    expect(directory.deviceByNo(gone.deviceNo)).toBeUndefined();
    expect(directory.device('FACE-T1_A0001' as never)?.deviceNo).toBe(77);
    expect(known()).toEqual(all());
  });

  test('products and boxes below are read as a whole, and devices are left as they are', async () => {
    const { store, changes, told, all, known } = await aDirectory(['A0001']);
    await applied(store, { products: [aProduct(), aProduct({ product_id: 'DOOR' })] });
    expect(await changes.catchUp()).toBe(true);
    expect(told).toContain(null);
    expect(known()).toEqual(all());
    expect(known().products).toHaveLength(2);
  });

  test('how far a device is forwarded and where it came from is no change, and a statement that changes nothing none', async () => {
    const { changes, told, run } = await aDirectory(['A0001']);
    run(`UPDATE device SET forwarded_seq = 7, last_address = '10.0.0.9'`);
    expect(await changes.catchUp()).toBe(false);
    run(`UPDATE device SET name = 'x' WHERE device_no = 999`);
    await changes.catchUp();
    expect(told).toEqual([]);
  });

  test('whoever is far behind reads everything, and what nobody needs any more is removed', async () => {
    const { url, changes, told, run, all, known } = await aDirectory(['A0001', 'A0002']);
    const server = await postgres();
    run(`DO $$ BEGIN
      FOR turn IN 1..5000 LOOP UPDATE device SET name = turn::text WHERE device_id = 'FACE-T1_A0001'; END LOOP;
    END $$`);
    expect(Number(server.run(nameOf(url), 'SELECT count(*) FROM changed_row'))).toBeLessThan(4096 + 256 + 1);
    await changes.catchUp();
    expect(told).toEqual([null]);
    expect(known()).toEqual(all());
  });

  test('a change is never read before its number: whoever has the later number commits later', async () => {
    const { changes, run, directory, all, known } = await aDirectory(['A0001', 'A0002']);
    run(`BEGIN; UPDATE device SET name = 'one' WHERE device_id = 'FACE-T1_A0001';
         UPDATE device SET name = 'two' WHERE device_id = 'FACE-T1_A0002'; ROLLBACK`);
    expect(await changes.catchUp()).toBe(false);
    run(`UPDATE device SET name = 'two' WHERE device_id = 'FACE-T1_A0002'`);
    await changes.catchUp();
    expect(directory.device('FACE-T1_A0002' as never)?.name).toBe('two');
    expect(known()).toEqual(all());
  });

  test('a database of the version before, which names no rows, is given what names them', async () => {
    const { url, run } = await aDirectory(['A0001']);
    run(`DROP TRIGGER device_changed ON device; DROP FUNCTION device_changed;
         DROP TABLE changed_row;
         CREATE OR REPLACE FUNCTION directory_changed() RETURNS trigger LANGUAGE plpgsql
           AS 'BEGIN UPDATE directory_change SET no = no + 1; RETURN NULL; END';
         CREATE OR REPLACE TRIGGER directory_changed AFTER INSERT OR DELETE OR UPDATE OF name ON device
           FOR EACH STATEMENT EXECUTE FUNCTION directory_changed()`);
    migrateAt(url);
    const connection = connectToPostgres({ url, sealKey });
    opened.push({ [Symbol.asyncDispose]: async () => connection.database.close() });
    const reads = await MainReads.open(url);
    opened.push({ [Symbol.asyncDispose]: () => reads.close() });
    const directory = new LiveDirectory(readDirectory(connection));
    const changes = new DirectoryChanges(reads, connection.seal, directory, lastChangeNo(connection));
    run(`UPDATE device SET name = 'Gate' WHERE device_id = 'FACE-T1_A0001'`);
    expect(await changes.catchUp()).toBe(true);
    const server = await postgres();
    expect(Number(server.run(nameOf(url), 'SELECT count(*) FROM changed_row'))).toBe(1);
  });
});
