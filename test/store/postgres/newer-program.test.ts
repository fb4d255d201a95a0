import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/runtime/log.ts';
import { postgresMigrations } from '../../../src/store/postgres/ddl.ts';
import { makeIndexes } from '../../../src/store/postgres/migrate.ts';
import { connected } from '../../../src/store/postgres/side-connection.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, migrateAt, openedPostgresStore } from '../../support/postgres-store.ts';
import { aProduct, append, applied, registered } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const nameOf = (url: string): string => /@\/(\w+)/.exec(url)![1]!;
const aLog = (deviceNo: number) =>
  ({
    ...{ deviceNo, channel: 'log', receivedAt: 1_763_600_000_000, logPath: 'FT1/A', marks: {} },
    payload: Buffer.from('a'),
  }) as never;

/** The migrations of a version that has one more. */
const next = (...statements: string[]) => [...postgresMigrations(), { name: '20991231000000_next', statements }];
const addsColumn = `ALTER TABLE "device" ADD "of_the_next" text DEFAULT 'new' NOT NULL`;

const child = fileURLToPath(new URL('../../support/migrating-child.ts', import.meta.url));

/** In another process, since it blocks the thread; resolves with why it failed. */
const migratedElsewhere = (url: string, statement: string, patienceMs: number): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [child, url, String(patienceMs), statement], (error, said) =>
      error ? reject(error) : resolve(said),
    );
  });

suiteWithPostgres('a newer version of the program on the database of a region', () => {
  const postgres = postgresOfFile();

  test('migrates it while a process of the version before writes, which goes on, and starts again beside it', async () => {
    const url = aDatabase(await postgres());
    const older = await openedPostgresStore(url);
    await applied(older, { products: [aProduct()] });
    const { deviceNo } = await registered(older);
    migrateAt(url, { migrations: next(addsColumn, 'CREATE TABLE "of_the_next" ("id" bigint PRIMARY KEY)') });
    await append(older, aLog(deviceNo));
    await registered(older, 'FACE-T1_B0001');
    await older[Symbol.asyncDispose]();
    await using again = await openedPostgresStore(url);
    await append(again, aLog(deviceNo));
    await registered(again, 'FACE-T1_B0002');
    expect(again.journal.lastSeq).toBe(2);
    const server = await postgres();
    expect(server.run(nameOf(url), 'SELECT max(version) FROM store_schema').trim()).toBe(
      String(postgresMigrations().length + 1),
    );
  });

  test('that must be alone on it does not start while an older process runs, and refuses older ones afterwards', async () => {
    const url = aDatabase(await postgres());
    const breaking = { migrations: next(addsColumn), breaking: new Set(['20991231000000_next']) };
    const older = await openedPostgresStore(url);
    expect(() => migrateAt(url, breaking)).toThrow(
      'store.url: this version changes the database so that older ones must not write to it, and 1 of their processes run: stop every process of the region, then start this one',
    );
    await older[Symbol.asyncDispose]();
    migrateAt(url, breaking);
    await expect(openedPostgresStore(url)).rejects.toThrow(
      'store.url: the database was changed by a newer Gatehouse so that this one must not write to it: update this one',
    );
    migrateAt(url, breaking);
  });

  test('lets others pass while somebody uses a table that it changes, and says so when that goes on', async () => {
    const url = aDatabase(await postgres());
    const holder = await connected(url, { idle_in_transaction_session_timeout: '0' });
    await holder.query('BEGIN');
    await holder.query('SELECT count(*) FROM device');
    const others = await connected(url);
    let passed = 0;
    let isOver = false;
    const passing = (async () => {
      for (; !isOver; passed++) await others.query('SELECT count(*) FROM device');
    })();
    const migrating = migratedElsewhere(url, addsColumn, 3000);
    const isWaiting = 'SELECT 1 FROM pg_locks WHERE NOT granted AND relation = to_regclass($1)';
    const watching = await connected(url);
    await until('it waits', async () => (await watching.query(isWaiting, ['device'])).rows.length);
    const before = passed;
    expect(await migrating).toContain(
      'store.url: the tables cannot be brought up to date while another connection uses one of them all the time',
    );
    expect(passed).toBeGreaterThan(before + 1);
    await holder.query('COMMIT');
    isOver = true;
    await passing;
    for (const client of [holder, others, watching]) await client.end();
    migrateAt(url, { migrations: next(addsColumn) });
  });

  test('leaves the index of a table that was there to be made while others write, also after an attempt that was cut short', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    const name = nameOf(url);
    const index = 'CREATE INDEX "of_the_next" ON "checkin" ("record_id");';
    migrateAt(url, { migrations: next(index) });
    const isValid = () =>
      server.run(name, "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('of_the_next')").trim();
    expect(isValid()).toBe('');
    server.run(name, `${index} UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'of_the_next'::regclass`);
    const writing = await connected(url, { idle_in_transaction_session_timeout: '0' });
    const other = await connected(url);
    await writing.query('BEGIN; UPDATE checkin SET record_id = record_id');
    const making = makeIndexes(url, silentLog);
    const isMaking =
      "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'";
    await until('it waits for the writer', async () => (await other.query(isMaking)).rows.length);
    await other.query('UPDATE checkin SET record_id = record_id');
    await writing.query('COMMIT');
    await making;
    for (const client of [writing, other]) await client.end();
    expect(isValid()).toBe('t');
    expect(server.run(name, 'SELECT count(*) FROM index_to_make').trim()).toBe('0');
  });

  test('no migration writes a table anew, for which all who use it would have to wait', async () => {
    const server = await postgres();
    const database = server.create();
    const files =
      "SELECT coalesce(json_object_agg(oid::regclass::text, relfilenode), '{}') FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace;";
    let before: Record<string, number> = {};
    for (const { name, statements } of postgresMigrations()) {
      const after = JSON.parse(server.run(database, `BEGIN;\n${statements.join(';\n')};\nCOMMIT;\n${files}`));
      expect(after, name).toMatchObject(before);
      before = after;
    }
  });
});
