import { execFile } from 'node:child_process';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { Bridge } from '../../../src/store/postgres/bridge.ts';
import { openPostgres } from '../../../src/store/postgres/database.ts';
import { EngineError } from '../../../src/store/schema/engine-failures.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { postgresUrl } from '../../support/postgres-store.ts';

/**
 * Cancels the statement of a connection once it waits for a standby. By a process of its own: this
 * one sleeps in that statement.
 */
const cancelOnceWaiting = (url: string, pid: number) =>
  promisify(execFile)('psql', [
    ...['--quiet', '--set', 'ON_ERROR_STOP=1', '--dbname', url, '--command'],
    `DO $$ BEGIN
       FOR look IN 1..1000 LOOP
         PERFORM pg_stat_clear_snapshot();
         IF EXISTS (SELECT FROM pg_stat_activity WHERE pid = ${pid} AND wait_event = 'SyncRep') THEN
           PERFORM pg_cancel_backend(${pid});
           RETURN;
         END IF;
         PERFORM pg_sleep(0.02);
       END LOOP;
       RAISE 'it never waited';
     END $$`,
  ]);

suiteWithPostgres('a connection to PostgreSQL', () => {
  const postgres = postgresOfFile();
  const connected = async () => {
    const server = await postgres();
    const url = postgresUrl(server, server.create());
    const database = openPostgres(new Bridge(url));
    return { url, database, [Symbol.dispose]: () => database.close() };
  };
  const failureIn = (act: () => unknown): EngineError => {
    try {
      act();
    } catch (error) {
      if (error instanceof EngineError) return error;
      throw error;
    }
    throw new Error('it did not fail');
  };
  const pidOf = (database: DatabaseSync): number =>
    (database.prepare('SELECT pg_backend_pid() AS pid').get() as { pid: number }).pid;

  test('gives the values that SQLite gives', async () => {
    using connection = await connected();
    const { database } = connection;
    database.exec('CREATE TABLE one (id bigint, note text, bytes bytea)');
    const put = database.prepare('INSERT INTO one (id, note, bytes) VALUES (?, ?, ?)');
    expect(put.run(9_007_199_254_740_991, 'a "quoted" ? text', new Uint8Array([0, 1, 255]))).toEqual({ changes: 1 });
    put.run(-1, null, null);
    expect(database.prepare('SELECT * FROM one ORDER BY id').all()).toEqual([
      { id: -1, note: null, bytes: null },
      { id: 9_007_199_254_740_991, note: 'a "quoted" ? text', bytes: new Uint8Array([0, 1, 255]) },
    ]);
    expect(
      database.prepare('SELECT count(*) AS n, sum(id) AS total, id IS NULL AS none FROM one GROUP BY id').get(),
    ).toEqual({
      n: 1,
      total: expect.any(Number),
      none: 0,
    });
    expect(database.prepare('SELECT 1 AS one WHERE false').get()).toBeUndefined();
  });

  test('keeps a text with a NUL, which PostgreSQL does not take, as the journal keeps one', async () => {
    using connection = await connected();
    expect(connection.database.prepare('SELECT CAST(? AS TEXT) AS said').get('a\0b')).toEqual({ said: 'a\ufffdb' });
  });

  test('goes on after a statement that failed, once its transaction is rolled back', async () => {
    using connection = await connected();
    const { database } = connection;
    database.exec('BEGIN IMMEDIATE');
    const failure = failureIn(() => database.prepare('SELECT nothing').get());
    expect(failure).toMatchObject({ code: '42703', failure: null });
    expect(database.isTransaction).toBe(true);
    database.exec('ROLLBACK');
    expect(database.isTransaction).toBe(false);
    expect(database.prepare('SELECT 1 AS one').get()).toEqual({ one: 1 });
  });

  test('undoes an operation to its savepoint, and keeps the others of its transaction', async () => {
    using connection = await connected();
    const { database } = connection;
    database.exec('CREATE TABLE one (id bigint PRIMARY KEY)');
    database.exec('BEGIN IMMEDIATE');
    database.prepare('INSERT INTO one VALUES (?)').run(1);
    database.exec('SAVEPOINT operation');
    expect(failureIn(() => database.prepare('INSERT INTO one VALUES (?)').run(1)).failure).toBeNull();
    database.exec('ROLLBACK TO operation');
    database.exec('RELEASE operation');
    database.exec('COMMIT');
    expect(database.prepare('SELECT id FROM one').all()).toEqual([{ id: 1 }]);
  });

  test('sends what nobody waits for with the next statement, in the same order', async () => {
    using connection = await connected();
    const { database } = connection;
    database.exec('CREATE TABLE one (id bigint PRIMARY KEY, bytes bytea)');
    database.later('BEGIN');
    const bytes = new Uint8Array([1]);
    database.later('INSERT INTO one (id, bytes) VALUES (?, ?)', 1, bytes);
    bytes[0] = 2;
    database.later('UPDATE one SET id = ? WHERE id = ?', 2, 1);
    expect(database.isTransaction).toBe(false);
    expect(database.prepare('SELECT * FROM one').all()).toEqual([{ id: 2, bytes: new Uint8Array([1]) }]);
    expect(database.isTransaction).toBe(true);
    for (let id = 10; id < 1000; id++) database.later('INSERT INTO one (id) VALUES (?)', id);
    database.exec('COMMIT');
    expect(database.prepare('SELECT count(*) AS many FROM one').get()).toEqual({ many: 991 });
  });

  test('fails with the next statement when one of them fails, and undoes them with their savepoint', async () => {
    using connection = await connected();
    const { database } = connection;
    database.exec('CREATE TABLE one (id bigint PRIMARY KEY)');
    const put = (id: number) => database.later('INSERT INTO one (id) VALUES (?)', id);
    database.exec('BEGIN');
    put(1);
    database.later('SAVEPOINT operation');
    put(2);
    put(1);
    expect(failureIn(() => database.exec('RELEASE operation'))).toMatchObject({ code: '23505', failure: null });
    database.exec('ROLLBACK TO operation');
    database.exec('RELEASE operation');
    database.later('SAVEPOINT operation');
    put(3);
    database.exec('ROLLBACK TO operation');
    database.exec('RELEASE operation');
    put(4);
    database.exec('COMMIT');
    expect(database.prepare('SELECT id FROM one ORDER BY id').all()).toEqual([{ id: 1 }, { id: 4 }]);
    database.exec('BEGIN');
    put(5);
    database.exec('ROLLBACK');
    expect(database.prepare('SELECT count(*) AS many FROM one').get()).toEqual({ many: 2 });
  });

  test('asks the same for many, and has the first row of each', async () => {
    using connection = await connected();
    const ids = Array.from({ length: 600 }, (_, id) => [id]);
    const rows = connection.database.each('SELECT CAST(? AS INTEGER) AS id WHERE CAST(?1 AS INTEGER) <> 7', ids);
    expect(rows).toEqual(ids.map(([id]) => (id === 7 ? undefined : { id })));
  });

  test('is broken for good when the server ends it', async () => {
    using one = await connected();
    const other = openPostgres(new Bridge(one.url));
    other.prepare('SELECT pg_terminate_backend(?)').get(pidOf(one.database));
    other.close();
    expect(failureIn(() => one.database.prepare('SELECT 1').get()).failure).toBe('broken');
    expect(failureIn(() => one.database.exec('BEGIN')).failure).toBe('broken');
  });

  test('is broken when an answer takes longer than its thread may wait', async () => {
    using one = await connected();
    const impatient = openPostgres(new Bridge(one.url, 2000));
    using _ = { [Symbol.dispose]: () => impatient.close() };
    expect(failureIn(() => impatient.prepare('SELECT pg_sleep(60)').get())).toMatchObject({
      failure: 'broken',
      message: 'PostgreSQL has not answered for 2 s',
    });
    expect(failureIn(() => impatient.prepare('SELECT 1').get()).failure).toBe('broken');
  });

  test('does not call a commit done whose wait for the standby was cancelled', async () => {
    using one = await connected();
    const { database, url } = one;
    database.exec('CREATE TABLE one (id bigint)');
    const pid = pidOf(database);
    const other = openPostgres(new Bridge(url));
    using _ = { [Symbol.dispose]: () => other.close() };
    // The server waits for a standby that nobody has, until somebody cancels the wait.
    other.exec("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    other.prepare('SELECT pg_reload_conf()').get();
    try {
      const cancel = cancelOnceWaiting(url, pid);
      // Commits wait only after the checkpointer has read the setting, which may take it a while.
      const commits = () => {
        const end = performance.now() + 20_000;
        while (performance.now() < end) database.exec('INSERT INTO one VALUES (1)');
      };
      expect(failureIn(commits)).toMatchObject({
        failure: 'broken',
        message: expect.stringContaining('synchronous replication'),
      });
      await cancel;
    } finally {
      other.exec('ALTER SYSTEM RESET synchronous_standby_names');
      other.prepare('SELECT pg_reload_conf()').get();
    }
  });

  test('says why it cannot connect', () => {
    const failure = failureIn(() => new Bridge('postgresql://nobody@127.0.0.1:1/none'));
    expect(failure).toMatchObject({ failure: 'broken', message: expect.stringContaining('ECONNREFUSED') });
  });
});
