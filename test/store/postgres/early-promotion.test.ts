import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoreOpenError } from '../../../src/store/prepare.ts';
import { ask, connectHttp } from '../../support/gateway.ts';
import { Postgres, postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, migrateAt, openedPostgresStore, postgresUrl } from '../../support/postgres-store.ts';
import { aRegionGateway } from '../../support/region-gateway.ts';
import { until } from '../../support/until.ts';

const id = 'FACE-T1_A0001';
const databaseOf = (url: string): string => /@\/(\w+)/.exec(url)![1]!;

suiteWithPostgres('tables that no standby has', () => {
  const postgres = postgresOfFile();

  test('take a login over HTTP at a standby that was promoted before its first restartpoint', async () => {
    await using parts = new AsyncDisposableStack();
    const primary = parts.use(await Postgres.start());
    const standby = parts.use(await primary.standby());
    const database = primary.create();
    migrateAt(postgresUrl(primary, database));
    const written = primary.run('postgres', 'SELECT pg_current_wal_lsn()').trim();
    const hasAll = `SELECT pg_last_wal_replay_lsn() >= '${written}'`;
    await until('the standby has all of it', () => standby.run('postgres', hasAll).trim() === 't');
    await primary[Symbol.asyncDispose]();
    standby.run('postgres', 'SELECT pg_promote()');
    await using gateway = await aRegionGateway(postgresUrl(standby, database));
    const connected = await connectHttp(gateway, id);
    expect(connected.status).toBe(200);
    const pulled = await ask(`${gateway.httpUrl}/api/pull/${id}`, {
      headers: { Authorization: String(connected.headers.authorization), Connection: 'close' },
    });
    expect(pulled.status).toBe(200);
  });

  test('have no sequence of their own', async () => {
    const server = await postgres();
    const unlogged = "SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'S'";
    expect(server.run(databaseOf(aDatabase(server)), unlogged)).toBe('');
  });

  test('are looked at by each start, which names a table that cannot be read', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    const file = server.run(databaseOf(url), "SELECT pg_relation_filepath('http_session_pkey')").trim();
    await server.whileStopped(() => {
      const page = openSync(join(server.folder, 'data', file), 'r+');
      writeSync(page, Buffer.alloc(8192));
      closeSync(page);
    });
    await expect(openedPostgresStore(url)).rejects.toThrow(
      /^store\.url: the table http_session cannot be read \(SQLSTATE XX002: index "http_session_pkey" .*TRUNCATE http_session/,
    );
    await expect(openedPostgresStore(url)).rejects.toThrow(StoreOpenError);
    server.run(databaseOf(url), 'TRUNCATE http_session');
    await using store = await openedPostgresStore(url);
    expect(store.healthState()).toBe('ok');
  });

  test('are named by the SQLSTATE when the server refuses a statement about them', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    await using store = await openedPostgresStore(url);
    server.run(databaseOf(url), 'ALTER TABLE http_session RENAME TO away');
    await expect(store.shared.httpSessions.find('any')).rejects.toThrow('http_session');
    expect(store.databaseWarnings()).toContainEqual(
      expect.objectContaining({
        code: 'database_refused',
        reason: expect.stringContaining('SQLSTATE 42P01: relation "http_session" does not exist'),
      }),
    );
  });
});
