import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realClock } from '../../../src/runtime/real-world.ts';
import type { Store } from '../../../src/store/index.ts';
import { storeFaults } from '../../../src/words/store.ts';
import { type Postgres, postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore, postgresUrl } from '../../support/postgres-store.ts';
import { until } from '../../support/until.ts';

const nameOf = (url: string): string => /@\/(\w+)/.exec(url)![1]!;

/** Of one process, through its starts. */
async function aDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-lineage-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await mkdir(join(dataDir, 'keys'));
  await writeFile(join(dataDir, 'keys', 'seal.key'), Buffer.alloc(32, 1));
  return dataDir;
}

const seenBy = (dataDir: string) => until('it has seen it', () => existsSync(join(dataDir, 'database-seen.json')));
const said = (store: Store, pattern: RegExp) =>
  until(`it says ${pattern}`, () => store.databaseWarnings().find(({ reason }) => pattern.test(reason)));
const numbersOf = (server: Postgres, url: string) =>
  server
    .run(
      nameOf(url),
      `SELECT (SELECT value FROM counter WHERE name = 'checkin'),
         (SELECT nextval(pg_get_serial_sequence('access_record', 'id'))), (SELECT nextval('member'))`,
    )
    .trim()
    .split('|')
    .map(Number);
const isRestored =
  /^the database is as it was at 20\S+Z: it was restored, or a failover lost its newest commits; what was acknowledged from then until 20\S+Z is gone here/;
const isCopied = /^the database is a copy of another one, found at 20\S+Z: if processes still run on that one/;

suiteWithPostgres('a database that is not what a process has seen', () => {
  const postgres = postgresOfFile();

  test('is of an earlier state: it says so, has a new epoch, goes on behind the numbers that were given out, and all start again', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    const [dataDir, other] = [await aDataDir(), await aDataDir()];
    const first = await openedPostgresStore(url, { dataDir });
    await seenBy(dataDir);
    await first[Symbol.asyncDispose]();
    const given = numbersOf(server, url);
    // As it was before that start.
    server.run(nameOf(url), "UPDATE beat SET no = 0; SELECT setval('member', 1)");
    const unknowing = await openedPostgresStore(url, { dataDir: other });
    expect(unknowing.epoch).toBe(first.epoch);
    await seenBy(other);
    server.run(nameOf(url), 'UPDATE beat SET no = 0');
    await using again = await openedPostgresStore(url, { dataDir });
    expect(again.epoch).not.toBe(first.epoch);
    await said(again, isRestored);
    expect(await unknowing.lost).toBe(storeFaults.say('process_fenced').reason);
    await unknowing[Symbol.asyncDispose]();
    for (const [index, number] of numbersOf(server, url).entries()) expect(number).toBeGreaterThan(given[index]!);
    await using second = await openedPostgresStore(url, { dataDir: other });
    expect(second.epoch).toBe(again.epoch);
    await said(second, isRestored);
    expect(again.healthState()).toBe('ok');
  });

  test('is a copy of another one: it says so and has a new epoch; the other one says nothing', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    const dataDir = await aDataDir();
    const first = await openedPostgresStore(url, { dataDir });
    await seenBy(dataDir);
    await first[Symbol.asyncDispose]();
    const copied = postgresUrl(server, server.create(nameOf(url)));
    await using copy = await openedPostgresStore(copied);
    expect(copy.epoch).not.toBe(first.epoch);
    await said(copy, isCopied);
    await using original = await openedPostgresStore(url, { dataDir });
    expect(original.epoch).toBe(first.epoch);
    await until('it has looked', async () => {
      const noted = server.run(nameOf(url), 'SELECT count(*) FROM process_note WHERE process > 1');
      return Number(noted) === 1;
    });
    expect(original.databaseWarnings().filter(({ reason }) => isCopied.test(reason))).toEqual([]);
  });
});

suiteWithPostgres('processes that differ', () => {
  const postgres = postgresOfFile();
  const ahead = (ms: number) => ({ ...realClock, now: () => realClock.now() + ms });

  test('in their clocks are named by each of them, and the server is where all of them differ from it', async () => {
    const url = aDatabase(await postgres());
    const dataDir = await aDataDir();
    await using one = await openedPostgresStore(url, { clock: ahead(60_000), dataDir });
    await using other = await openedPostgresStore(url);
    const { reason } = await said(
      other,
      /^the clock of \S+ is \d+ s ahead of that of the database's server: see what sets/,
    );
    // A busy machine answers late: half of that is the error.
    expect(reason).toMatch(new RegExp(`${dataDir} is (59|60|61) s`));
    await said(one, /^the clock of \S+ is (59|60|61) s ahead of/);
    const off = aDatabase(await postgres());
    await using third = await openedPostgresStore(off, { clock: ahead(-60_000) });
    await using _fourth = await openedPostgresStore(off, { clock: ahead(-61_000) });
    await said(third, /^the clock of the database's server is \d+ s ahead of those of all processes/);
  });

  test('in their versions are named by each of them', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    const [dataDir, other] = [await aDataDir(), await aDataDir()];
    await using one = await openedPostgresStore(url, { dataDir });
    await using _two = await openedPostgresStore(url, { dataDir: other });
    const older = `UPDATE process_note SET program = '0.0.9' WHERE name LIKE '%${other}' RETURNING 1`;
    await until('it has said who it is', () => server.run(nameOf(url), older).trim() === '1');
    const { reason } = await said(one, /^processes of different versions run on this database: /);
    expect(reason).toMatch(new RegExp(`0\\.0\\.9 \\(\\S+${other}\\)`));
  });
});
