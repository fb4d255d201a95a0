import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { databaseFile, type MoveStep, takeBackMoved } from '../../../src/store/index.ts';
import { leftBehind } from '../../../src/store/postgres/move-target.ts';
import { schemaVersion } from '../../../src/store/schema/migrate.ts';
import { seededRandom } from '../../support/clock.ts';
import { contentsOfBox, contentsOfDatabase, fillEmptyTables } from '../../support/moved-store.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, postgresUrl } from '../../support/postgres-store.ts';
import { anEmptyDatabase, aStoppedBox, keyOf, logOf, move, openedRegion } from '../../support/stopped-box.ts';
import { append, registered } from '../../support/store.ts';

suiteWithPostgres('moving the store of a box to PostgreSQL', () => {
  const postgres = postgresOfFile();

  test('every table arrives with all of its rows, in their order, but for those of the list', async () => {
    await using box = await aStoppedBox();
    const filled = fillEmptyTables(box.dataDir, seededRandom(4));
    expect(filled.length).toBeGreaterThan(30);
    const before = contentsOfBox(box.dataDir);
    expect([...before].filter(([, rows]) => rows.length === 0)).toEqual([]);
    const { url } = anEmptyDatabase(await postgres());
    const steps: MoveStep[] = [];
    const outcome = await move(box.dataDir, url, step => void steps.push(step));
    expect(outcome.changedTexts).toBe(0);
    const moved = [...before.keys()].filter(table => !leftBehind.has(table)).sort();
    expect(outcome.tables!.map(({ table }) => table)).toEqual(moved);
    expect(steps.flatMap(step => (step.kind === 'compared' ? [step.table] : []))).toEqual(moved);
    const after = contentsOfDatabase(url, box.dataDir);
    for (const table of moved) {
      const ofRegion = /^(seal|moved_from) \| /;
      const rows = after.get(table)!.filter(row => table !== 'meta' || !ofRegion.test(row));
      expect(rows, table).toEqual(before.get(table));
    }
    for (const table of leftBehind.keys()) expect(after.get(table), table).toEqual([]);
    expect(contentsOfBox(box.dataDir)).toEqual(before);
  });

  test('a region goes on with it: the same records and numbers, and the next ones after the highest', async () => {
    await using box = await aStoppedBox();
    const before = await box.again();
    const { deviceNo: last } = await registered(before.store, 'FACE-T1_A0002');
    const { epoch } = before.store;
    const logs = await before.store.read.logs({ limit: 100 });
    const people = await before.store.read.site({ withSecrets: true });
    await before.store[Symbol.asyncDispose]();
    {
      // As if the last two had been deleted: their numbers are not given out again.
      using database = new DatabaseSync(databaseFile(box.dataDir));
      database.exec("UPDATE sqlite_sequence SET seq = seq + 2 WHERE name = 'device'");
    }
    const { url } = anEmptyDatabase(await postgres());
    await move(box.dataDir, url);
    await using one = await openedRegion(url, box.dataDir);
    await using other = await openedRegion(url, box.dataDir);
    expect(one.epoch).toBe(epoch);
    expect(one.journal.lastSeq).toBe(5);
    expect(await other.read.logs({ limit: 100 })).toEqual(logs);
    expect(await other.read.site({ withSecrets: true })).toEqual(people);
    expect((await registered(one, 'FACE-T1_A0003')).deviceNo).toBe(last + 3);
    await append(other, logOf(last, 'log 5'));
    await other.catchUp();
    const all = await other.read.logs({ limit: 100 });
    expect(all.map(({ seq, text }) => `${seq} ${text}`).sort()).toEqual(
      [0, 1, 2, 3, 4, 5].map(n => `${n + 1} log ${n}`),
    );
    expect((await one.journal.read(0 as never, { bytesMax: 1 << 20 })).records).toHaveLength(6);
  });

  test('the box does not start afterwards, until that is taken back', async () => {
    await using box = await aStoppedBox();
    const { url, name } = anEmptyDatabase(await postgres());
    await move(box.dataDir, url);
    await expect(box.again()).rejects.toThrow(
      `${box.dataDir}: this store was moved to the database ${name} at this machine on `,
    );
    // Once more is no error, and changes nothing.
    expect(await move(box.dataDir, url)).toMatchObject({ tables: null });
    const { url: another } = anEmptyDatabase(await postgres());
    await expect(move(box.dataDir, another)).rejects.toThrow(/was moved to .*--take-back/);
    expect(takeBackMoved(box.dataDir)).toMatchObject({ database: `the database ${name} at this machine` });
    expect(takeBackMoved(box.dataDir)).toBe(null);
    await using started = await box.again();
    expect(await started.store.read.logs({ limit: 9 })).toHaveLength(5);
    await started.store[Symbol.asyncDispose]();
    await expect(move(box.dataDir, url)).rejects.toThrow('is not empty: name one that is');
  });

  test('--dry-run reads all of it, and leaves nothing behind on either side', async () => {
    await using box = await aStoppedBox();
    const { url, server, name } = anEmptyDatabase(await postgres());
    const outcome = await move(box.dataDir, url, () => {}, true);
    expect(outcome.tables!.find(({ table }) => table === 'segment')!.rows).toBeGreaterThan(0);
    expect(server.run(name, "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace").trim()).toBe(
      '0',
    );
    expect(await readdir(box.dataDir)).not.toContain('moved-to-database');
  });

  test('a text with a NUL is taken as the store takes one there, and counted', async () => {
    await using box = await aStoppedBox();
    {
      using database = new DatabaseSync(databaseFile(box.dataDir));
      database.prepare('UPDATE employee SET title = ?').run('a\0b');
    }
    const { url, server, name } = anEmptyDatabase(await postgres());
    expect((await move(box.dataDir, url)).changedTexts).toBe(1);
    expect(server.run(name, 'SELECT title FROM employee')).toBe('a\ufffdb\n');
  });

  describe('refuses', () => {
    test('a box that runs', async () => {
      await using box = await aStoppedBox();
      const { url } = anEmptyDatabase(await postgres());
      await using running = await box.again();
      await expect(move(box.dataDir, url)).rejects.toThrow(
        `${box.dataDir}: the box is running (process ${process.pid}): stop it, then repeat the command`,
      );
      await running.store[Symbol.asyncDispose]();
    });

    test('a directory without a store', async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-moved-'));
      const { url } = anEmptyDatabase(await postgres());
      await expect(move(dataDir, url)).rejects.toThrow(`${dataDir}: no store of a box here: name its --data-dir`);
      await rm(dataDir, { recursive: true });
    });

    test.each([
      [1, 'the store is of a newer Gatehouse: run this command with that one'],
      [-1, 'the store is of an older Gatehouse: start the box once with `gatehouse serve`'],
    ])('the store of another version (%i)', async (by, why) => {
      await using box = await aStoppedBox();
      {
        using database = new DatabaseSync(databaseFile(box.dataDir));
        database.exec(`PRAGMA user_version = ${schemaVersion + by}`);
      }
      const { url } = anEmptyDatabase(await postgres());
      await expect(move(box.dataDir, url)).rejects.toThrow(`${box.dataDir}: ${why}`);
    });

    test('a journal with a damaged segment', async () => {
      await using box = await aStoppedBox();
      {
        using database = new DatabaseSync(databaseFile(box.dataDir));
        database.exec('UPDATE segment SET sealed_records = zeroblob(60) WHERE first_seq = 3');
      }
      const { url, server, name } = anEmptyDatabase(await postgres());
      await expect(move(box.dataDir, url)).rejects.toThrow(
        `${box.dataDir}: the store is damaged (its journal, segment 3: the seal is broken), so that not all of it can be moved: restore a backup`,
      );
      expect(server.run(name, "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace").trim()).toBe(
        '0',
      );
      await using started = await box.again();
      expect(started.store.journal.lastSeq).toBe(5);
    });

    test('a key that is not that of the store', async () => {
      await using box = await aStoppedBox();
      await writeFile(keyOf(box.dataDir), Buffer.alloc(32, 7));
      const { url } = anEmptyDatabase(await postgres());
      await expect(move(box.dataDir, url)).rejects.toThrow('keys/seal.key: does not open this store');
    });

    test('a database that holds something, of a region or of others', async () => {
      await using box = await aStoppedBox();
      const server = await postgres();
      await expect(move(box.dataDir, aDatabase(server))).rejects.toThrow(/test_\d+ at this machine: is not empty/);
      const { url, name } = anEmptyDatabase(await postgres());
      server.run(name, 'CREATE TABLE meta (key text, value text)');
      await expect(move(box.dataDir, url)).rejects.toThrow('is not empty: name one that is');
      expect(server.run(name, 'SELECT count(*) FROM meta').trim()).toBe('0');
    });

    test('a database with another encoding', async () => {
      await using box = await aStoppedBox();
      const server = await postgres();
      server.run('postgres', "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
      await expect(move(box.dataDir, postgresUrl(server, 'latin'))).rejects.toThrow(
        'the encoding of the database is LATIN1, and UTF8 is needed: CREATE DATABASE',
      );
    });

    test('a database that orders texts otherwise', async () => {
      await using box = await aStoppedBox();
      const server = await postgres();
      server.run(
        'postgres',
        "CREATE DATABASE words TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'",
      );
      await expect(move(box.dataDir, postgresUrl(server, 'words'))).rejects.toThrow(
        'for which it needs the collation C',
      );
    });

    test('a user that may make no tables', async () => {
      await using box = await aStoppedBox();
      const { server, name } = anEmptyDatabase(await postgres());
      server.run('postgres', 'CREATE ROLE guest LOGIN');
      const url = postgresUrl(server, name).replace(`//${server.user}@`, '//guest@');
      await expect(move(box.dataDir, url)).rejects.toThrow(
        `the database ${name} at this machine: the user guest may not make tables there: ALTER DATABASE`,
      );
    });

    test('a server that is not there, or a database', async () => {
      await using box = await aStoppedBox();
      await expect(move(box.dataDir, 'postgresql://nobody@127.0.0.1:1/none')).rejects.toThrow(
        /^the database cannot be used \(.*ECONNREFUSED.*\): see that its server runs/,
      );
      await expect(move(box.dataDir, postgresUrl(await postgres(), 'nothing'))).rejects.toThrow(
        '"nothing" does not exist',
      );
      await using started = await box.again();
      expect(started.store.journal.lastSeq).toBe(5);
    });

    test('a value that PostgreSQL does not take, by table and column', async () => {
      await using box = await aStoppedBox();
      {
        using database = new DatabaseSync(databaseFile(box.dataDir));
        database.exec('UPDATE last_seen SET received_at = 1.5');
      }
      const { url } = anEmptyDatabase(await postgres());
      await expect(move(box.dataDir, url)).rejects.toThrow(
        'row 1 of the table last_seen cannot be moved: its column received_at holds the number 1.5 in place of bigint',
      );
    });
  });
});
