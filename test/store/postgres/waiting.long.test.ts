import { expect, test } from 'vitest';
import type { Store, StoreError } from '../../../src/store/index.ts';
import { serverFaults } from '../../../src/store/postgres/server-faults.ts';
import { connected } from '../../../src/store/postgres/side-connection.ts';
import { storeFaults } from '../../../src/words/store.ts';
import { type Postgres, postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore } from '../../support/postgres-store.ts';
import { aProduct, append, applied, registered } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const standbyAway = storeFaults.say('standby_away');

/** A setting of the server, as an operator changes one. */
async function set(server: Postgres, name: string, value: string): Promise<void> {
  server.run('postgres', `ALTER SYSTEM SET ${name} = '${value}'`);
  server.run('postgres', 'SELECT pg_reload_conf()');
  await until(`${name} is ${value}`, () => server.run('postgres', `SHOW ${name}`).trim() === value);
}

/**
 * Takes the standby away. The server's checkpointer tells the others of the setting, which may be
 * after `SHOW` has it: returns when a commit waits.
 */
async function takeStandbyAway(server: Postgres, url: string): Promise<void> {
  await set(server, 'synchronous_standby_names', 'away');
  await until('commits wait', async () => {
    const client = await connected(url);
    const { pid } = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!;
    let isOver = false;
    const commit = client.query("SELECT pg_logical_emit_message(true, '', '')").then(
      () => {},
      () => {},
    );
    void commit.finally(() => {
      isOver = true;
    });
    const of = `FROM pg_stat_activity WHERE pid = ${pid}`;
    const waits = () => server.run('postgres', `SELECT 1 ${of} AND wait_event = 'SyncRep'`).trim() === '1';
    const isWaiting = await until('it waits or is committed', () => (waits() ? 'waits' : isOver && 'over'));
    server.run('postgres', `SELECT pg_terminate_backend(pid) ${of}`);
    await commit;
    return isWaiting === 'waits';
  });
}

const databaseOf = (url: string): string => /@\/(\w+)/.exec(url)![1]!;

const slowCommits = `
  CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON segment DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION pause();`;

const aLog = (deviceNo: number, text: string) =>
  ({
    ...{ deviceNo, channel: 'log', receivedAt: 1_763_600_000_000, logPath: 'FT1/A', marks: {} },
    payload: Buffer.from(text),
  }) as never;

suiteWithPostgres('a database that makes a region wait', () => {
  const postgres = postgresOfFile();
  const aRegion = async () => {
    const server = await postgres();
    const url = aDatabase(server);
    const store = await openedPostgresStore(url);
    await applied(store, { products: [aProduct()] });
    const { deviceNo } = await registered(store);
    return { server, url, store, deviceNo, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
  };
  const texts = async (store: Store) => (await store.read.logs({ limit: 99 })).map(({ text }) => text);

  test('says that it has to start again when the server has gone, and acknowledges nothing more', async () => {
    await using region = await aRegion();
    const { server, store, deviceNo } = region;
    await server.crash();
    expect(await store.lost).toBe(serverFaults.broken.reason);
    expect(store.health()).toMatchObject({ state: 'broken', why: serverFaults.broken.reason, isDead: true });
    await expect(append(store, aLog(deviceNo, 'a'))).rejects.toThrow(/stopping|connection to the database broke/);
  });

  test('says that a server does not answer, and has to start again after half a minute of it', async () => {
    await using region = await aRegion();
    const { server, store, deviceNo, url } = region;
    const others = 'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    const pids = server.run(databaseOf(url), others).split('\n').filter(Boolean).map(Number);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      const silent = storeFaults.say('database_silent').reason;
      await Promise.all([
        expect(append(store, aLog(deviceNo, 'a'))).rejects.toThrow(silent),
        // The answer to a device that shows a key which another process may know by now.
        expect(store.refreshDirectory()).rejects.toThrow(silent),
      ]);
      expect(store.health().isDead).toBe(false);
      expect(await store.lost).toBe(serverFaults.broken.reason);
      expect(store.health().isDead).toBe(true);
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  });

  test('has to start again when its connection goes while it waits, as after it stood still for seconds', async () => {
    await using region = await aRegion();
    const { server, store, deviceNo, url } = region;
    const holder = await connected(url, { idle_in_transaction_session_timeout: '0' });
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM journal_head FOR UPDATE');
      await expect(append(store, aLog(deviceNo, 'a'))).rejects.toThrow(storeFaults.say('database_silent').reason);
      expect(store.health()).toMatchObject({ state: 'broken', isDead: false });
      server.run(
        databaseOf(url),
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(await store.lost).not.toBe('');
      expect(store.health().isDead).toBe(true);
    } finally {
      await holder.end();
    }
  });

  test('does not call a server silent that answers each of the statements of a long write', async () => {
    await using region = await aRegion();
    const { server, store } = region;
    server.run(
      databaseOf(region.url),
      `CREATE FUNCTION rest() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NEW; END';
       CREATE TRIGGER rest BEFORE INSERT ON department FOR EACH ROW EXECUTE FUNCTION rest();`,
    );
    const departments = Array.from({ length: 8 }, (_, index) => ({ ext_id: `d${index}`, name: `Shop ${index}` }));
    await applied(store, { departments });
    expect(store.healthState()).toBe('ok');
  });

  test('says that a database takes no writes, and goes on when it does', async () => {
    await using region = await aRegion();
    const { server, store, deviceNo } = region;
    await set(server, 'default_transaction_read_only', 'on');
    try {
      await expect(append(store, aLog(deviceNo, 'a'))).rejects.toThrow(serverFaults.read_only.reason);
      expect(store.healthState()).toBe('read_only');
    } finally {
      server.run('postgres', 'SET default_transaction_read_only = off; ALTER SYSTEM RESET ALL');
      await set(server, 'default_transaction_read_only', 'off');
    }
    await append(store, aLog(deviceNo, 'b'));
    expect(store.healthState()).toBe('ok');
  });

  test('warns of commits that take a second, and acknowledges them', async () => {
    await using region = await aRegion();
    const { server, store, deviceNo } = region;
    server.run(databaseOf(region.url), slowCommits);
    await append(store, aLog(deviceNo, 'a'));
    const said = await until('it is said', () =>
      store.databaseWarnings().find(({ reason }) => /waited [1-9]/.test(reason)),
    );
    expect(said.reason).toMatch(/^the database is slow: a write waited [1-9]\.\d s for its commit/);
    expect(store.healthState()).toBe('ok');
  });

  test('warns when a commit waits for no standby', async () => {
    await using region = await aRegion();
    await until('it is said', () => region.store.databaseWarnings().some(({ code }) => code === 'no_standby'));
  });

  test('lets a bounded number wait for a standby, and refuses the rest at once', async () => {
    await using region = await aRegion();
    const { server, store } = region;
    await takeStandbyAway(server, region.url);
    try {
      const ids = Array.from({ length: 600 }, (_, index) => `FACE-T1_B${index}`);
      const answers = await Promise.all(
        ids.map(id =>
          registered(store, id).then(
            () => 'acknowledged',
            (error: StoreError) => error.code,
          ),
        ),
      );
      expect(answers.filter(answer => answer === 'too_busy')).toHaveLength(600 - 512);
      expect(answers.filter(answer => answer === 'broken')).toHaveLength(512);
    } finally {
      await set(server, 'synchronous_standby_names', '');
    }
    await until('it goes on', () => store.healthState() === 'ok');
    await registered(store, 'FACE-T1_C1');
  });

  test('acknowledges nothing while the standby is away, answers so, and goes on by itself', async () => {
    await using region = await aRegion();
    const { server, store, deviceNo } = region;
    await append(store, aLog(deviceNo, 'before'));
    await takeStandbyAway(server, region.url);
    try {
      await expect(append(store, aLog(deviceNo, 'a'))).rejects.toThrow(standbyAway.reason);
      expect(store.health()).toMatchObject({
        state: 'broken',
        why: standbyAway.reason,
        code: 'standby_away',
        isDead: false,
      });
      await expect(append(store, aLog(deviceNo, 'b'))).rejects.toThrow(standbyAway.reason);
      expect(store.databaseWarnings()).toContainEqual(standbyAway);
    } finally {
      await set(server, 'synchronous_standby_names', '');
    }
    await until('it takes records again', () => store.healthState() === 'ok');
    await append(store, aLog(deviceNo, 'after'));
    await store.catchUp();
    // What was refused may be there, as after any answer that was not heard; what was said to be
    // there is.
    expect(await texts(store)).toEqual(expect.arrayContaining(['before', 'after']));
    expect(await texts(store)).not.toContain('b');
  });
});
