import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openStore, openStoreForReading, restoreBackup } from '../../src/store/index.ts';
import { notForOlderPrograms, schemaVersion } from '../../src/store/schema/migrate.ts';
import { migrations } from '../../src/store/schema/migrations.generated.ts';
import { backedUpTo, recovery } from '../support/backups.ts';
import { aProduct, append, applied, aStore, registered } from '../support/store.ts';

/**
 * After an update is taken back, the older program finds a store that the newer one has migrated.
 */

/**
 * As a newer program leaves it, that only added; or one that says it must not be written by an
 * older one.
 */
function migratedByNewer(dataDir: string, { harmful = false } = {}): void {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  for (const { name } of tables) database.exec(`ALTER TABLE "${name}" ADD added_later TEXT DEFAULT 'newer' NOT NULL`);
  database.exec('CREATE TABLE of_the_newer (id INTEGER PRIMARY KEY)');
  database.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
  if (harmful)
    database
      .prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('oldest_schema_version', ?)")
      .run(String(schemaVersion + 1));
  database.close();
}

const versionAt = (dataDir: string): number => {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true });
  const { user_version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  database.close();
  return user_version;
};

const aLog = (deviceNo: never) => ({
  deviceNo,
  channel: 'log' as const,
  receivedAt: 1_763_600_000_000,
  logPath: 'FT1/A0001',
  marks: {},
  payload: Buffer.from('from the older program'),
});

test('an older program opens a store to which a newer one only added, writes to it, and leaves its version alone', async () => {
  await using opened = await aStore();
  await opened.store[Symbol.asyncDispose]();
  migratedByNewer(opened.dataDir);
  const store = await opened.reopen();
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  await append(store, aLog(deviceNo as never));
  await store.catchUp();
  expect((await store.read.logTail({ limit: 9 })).rows).toHaveLength(1);
  await store[Symbol.asyncDispose]();
  expect(versionAt(opened.dataDir)).toBe(schemaVersion + 1);
  await using read = await openStoreForReading({ dataDir: opened.dataDir });
  expect(read.environment).toBe('test');
});

test('a store that says an older program must not write to it is refused, to read and to write', async () => {
  await using opened = await aStore();
  await opened.store[Symbol.asyncDispose]();
  migratedByNewer(opened.dataDir, { harmful: true });
  await expect(openStore(opened.options)).rejects.toThrow(/newer Gatehouse.*restore a backup from before/);
  await expect(openStoreForReading({ dataDir: opened.dataDir })).rejects.toThrow(/newer Gatehouse/);
});

test.each([false, true])('a backup of such a store says the same about itself (harmful: %s)', async harmful => {
  await using opened = await aStore();
  await opened.store[Symbol.asyncDispose]();
  migratedByNewer(opened.dataDir);
  const store = await opened.reopen();
  if (harmful) migratedHarmfully(opened.dataDir);
  const file = `${opened.dataDir}-backup`;
  await backedUpTo(store, file);
  await store[Symbol.asyncDispose]();
  const dataDir = `${opened.dataDir}-restored`;
  try {
    const restored = restoreBackup({ file, dataDir, key: recovery.key });
    if (harmful) await expect(restored).rejects.toThrow(/newer Gatehouse/);
    else expect(await restored).toMatchObject({ environment: 'test' });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    await rm(file);
  }
});

function migratedHarmfully(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { timeout: 5000 });
  database
    .prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('oldest_schema_version', ?)")
    .run(String(schemaVersion + 1));
  database.close();
}

test('what a stopped store of an older program does not have yet is named, with what brings it up to date', async () => {
  await using opened = await aStore();
  await opened.store[Symbol.asyncDispose]();
  const database = new DatabaseSync(join(opened.dataDir, 'gatehouse.db'));
  database.exec(`DROP TABLE audit_chain; PRAGMA user_version = ${schemaVersion - 1}`);
  database.close();
  await using store = await openStoreForReading({ dataDir: opened.dataDir });
  expect(await store.read.site({ withSecrets: false })).toMatchObject({});
  await expect(store.read.verifyAudit([])).rejects.toThrow(
    `${opened.dataDir}: the store is of an older Gatehouse and does not have this yet: start the box once with \`gatehouse serve\``,
  );
});

test('a stopped store whose devices lack a column is not opened, and the refusal says what brings it up to date', async () => {
  await using opened = await aStore();
  await opened.store[Symbol.asyncDispose]();
  const database = new DatabaseSync(join(opened.dataDir, 'gatehouse.db'));
  database.exec(`ALTER TABLE device DROP COLUMN people_data; PRAGMA user_version = ${schemaVersion - 1}`);
  database.close();
  await expect(openStoreForReading({ dataDir: opened.dataDir })).rejects.toThrow(
    `${opened.dataDir}: the store is of an older Gatehouse and does not have this yet: start the box once with \`gatehouse serve\``,
  );
});

test('migrations only add, or say that no older program may write to the store after them', () => {
  const created = new Set<string>();
  const adds = (statement: string): boolean => {
    const table = /^CREATE TABLE `(\w+)`/.exec(statement)?.[1];
    if (table !== undefined) created.add(table);
    const unique = /^CREATE UNIQUE INDEX `\w+` ON `(\w+)`/.exec(statement)?.[1];
    const column = /^ALTER TABLE `\w+` ADD `\w+`/.test(statement);
    return (
      table !== undefined ||
      // On a table that older programs fill it would refuse their rows.
      (unique !== undefined && created.has(unique)) ||
      statement.startsWith('CREATE INDEX ') ||
      (column && (!statement.includes('NOT NULL') || statement.includes('DEFAULT')))
    );
  };
  const breaking = migrations
    .slice(1)
    .filter(({ name, statements }) => !notForOlderPrograms.has(name) && !statements.every(adds));
  expect(breaking.map(({ name }) => name)).toEqual([]);
});

test('every row is written with the names of its columns, so that one more does not refuse it', () => {
  const folder = fileURLToPath(new URL('../../src/store/', import.meta.url));
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    name => name.endsWith('.ts') && !name.endsWith('.generated.ts'),
  );
  const nameless = files.flatMap(name =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/INTO \w+ VALUES/g)].map(([text]) => `${name}: ${text}`),
  );
  expect(nameless).toEqual([]);
});
