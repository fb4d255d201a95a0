import { expect, test } from 'vitest';
import { connectSession, whyUnfit } from '../../../src/store/postgres/session.ts';
import { storeFaults } from '../../../src/words/store.ts';
import { type Postgres, postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore, postgresUrl } from '../../support/postgres-store.ts';
import { aProduct, append, applied, registered } from '../../support/store.ts';
import { punch } from '../../support/terminal.ts';

/** By setting: a value with which some statement of the store would fail, or say something else. */
const hostile: Readonly<Record<string, string>> = {
  search_path: 'nowhere',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  client_min_messages: 'error',
  synchronous_commit: 'off',
  statement_timeout: '1ms',
  lock_timeout: '1ms',
  idle_session_timeout: '1ms',
  idle_in_transaction_session_timeout: '1ms',
  row_security: 'on',
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  client_encoding: 'LATIN1',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  TimeZone: 'Asia/Kathmandu',
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'sql_standard',
  jit: 'on',
  tcp_user_timeout: '1ms',
  tcp_keepalives_idle: '7200',
};

const databaseOf = (url: string): string => /@\/(\w+)/.exec(url)![1]!;
const user = 'clerk';

/** A database that belongs to a user without any other right. */
function aDatabaseOfUser(server: Postgres): string {
  const database = databaseOf(aDatabase(server));
  server.run(
    database,
    `DO $$ BEGIN CREATE ROLE ${user} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
     DO $$ DECLARE one text; BEGIN
       EXECUTE format('ALTER DATABASE %I OWNER TO ${user}', current_database());
       FOR one IN SELECT format('ALTER %s %s OWNER TO ${user}', CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass)
           FROM pg_class AS c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S')
             AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype IN ('a', 'i') AND relkind = 'S')
         UNION ALL SELECT format('ALTER FUNCTION %s OWNER TO ${user}', oid::regprocedure) FROM pg_proc
           WHERE pronamespace = 'public'::regnamespace LOOP EXECUTE one; END LOOP; END $$`,
  );
  return postgresUrl({ ...server, folder: server.folder, user }, database);
}

/** A person comes, the record is passed on, and the attendance API pages by it. */
async function story(url: string): Promise<void> {
  await using store = await openedPostgresStore(url);
  await applied(store, {
    products: [aProduct()],
    departments: [{ ext_id: 'd1', name: 'Zürich \\ 装配' }],
    employees: [{ ext_id: 'e1', name: 'Wang Fang', mobile: '', department: { ext_id: 'd1' } }],
  } as never);
  await store.write.initCheckIns({ at: 1, withAll: true });
  const { deviceNo, deviceId } = await registered(store);
  await append(store, {
    ...{ deviceNo, channel: 'device', receivedAt: 1_763_600_000_000, logPath: '', marks: {} },
    payload: Buffer.from(punch(deviceId, 'm1')),
  });
  await store.catchUp();
  expect(await store.read.checkInPage({ after: 0, limit: 10 })).toMatchObject({ count: 1 });
  const { records } = await store.journal.read(0 as never, { bytesMax: 1 << 20 });
  expect(JSON.parse(Buffer.from(records[0]!.payload).toString())).toMatchObject({ mid: 'm1', action: 2001 });
  const { seq } = records[0]!;
  const confirmation = { deviceNo, channel: 'device', upToSeq: seq, floorSeq: seq, at: 1, via: 'mqtt' } as const;
  await store.write.confirm({ confirmations: [confirmation] });
  expect((await store.read.waiting(seq)).byDevice.size).toBe(0);
  expect(store.healthState()).toBe('ok');
}

suiteWithPostgres('a session', () => {
  const postgres = postgresOfFile();

  test.each(Object.entries(hostile))(
    'is as the store needs it where the role or the database has another %s',
    async (name, value) => {
      const server = await postgres();
      for (const whose of ['ROLE clerk IN DATABASE', 'DATABASE']) {
        const url = aDatabaseOfUser(server);
        server.run('postgres', `ALTER ${whose} ${databaseOf(url)} SET ${name} = '${value}'`);
        const client = await connectSession(url, {});
        const [[shown]] = (await client.query({ text: `SHOW ${name}`, rowMode: 'array' })).rows as [[string]];
        expect(shown).not.toBe(value);
        await client.end();
      }
    },
  );

  test.each(['ROLE clerk IN DATABASE', 'DATABASE'])(
    'takes a punch, passes it on and pages by it where all of them are set by ALTER %s',
    async whose => {
      const server = await postgres();
      const url = aDatabaseOfUser(server);
      for (const [name, value] of Object.entries(hostile))
        server.run('postgres', `ALTER ${whose} ${databaseOf(url)} SET ${name} = '${value}'`);
      await story(url);
    },
  );

  test('takes a punch where the address has options of its own', async () => {
    await story(`${aDatabaseOfUser(await postgres())}&options=-c%20search_path%3Dnowhere`);
  });

  test('is refused in words where triggers do not run', async () => {
    const url = aDatabaseOfUser(await postgres());
    const server = await postgres();
    server.run('postgres', `ALTER ROLE clerk IN DATABASE ${databaseOf(url)} SET session_replication_role = replica`);
    await expect(openedPostgresStore(url)).rejects.toThrow(
      /^store\.url: this user has session_replication_role = replica, and origin is needed: see who sets it/,
    );
  });

  test('is refused in words where the database takes no writes', async () => {
    const url = aDatabaseOfUser(await postgres());
    const server = await postgres();
    server.run('postgres', `ALTER DATABASE ${databaseOf(url)} SET default_transaction_read_only = on`);
    await expect(openedPostgresStore(url)).rejects.toThrow(
      `store.url: ${storeFaults.say('database_read_only').reason}`,
    );
  });

  test('is refused in words where the database orders texts otherwise', async () => {
    const server = await postgres();
    server.run(
      'postgres',
      "CREATE DATABASE words TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'",
    );
    await expect(openedPostgresStore(postgresUrl(server, 'words'))).rejects.toThrow(
      /^store\.url: the database does not order texts as a box does, for which it needs the collation C: CREATE DATABASE/,
    );
  });
});

test('a session is refused in words at a server that is too old, and behind a pooler', () => {
  const look = { pid: 7, number: 150_018, version: '15.18', encoding: 'UTF8', isBytewise: true, settings: {} };
  expect(whyUnfit(look, {}, 7)).toBe(null);
  expect(whyUnfit({ ...look, number: 140_000, version: '14.0' }, {}, 7)).toBe(
    'the database is PostgreSQL 14.0: 15 or newer is needed',
  );
  expect(whyUnfit(look, {}, 8)).toMatch(/^a pooler stands between this process and the database \(PgBouncer/);
});
