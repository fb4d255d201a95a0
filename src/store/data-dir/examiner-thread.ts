import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { segmentPlace } from '../journal/segment.ts';
import { places } from '../schema/devices.ts';
import { resultCodeOf } from '../schema/engine-failures.ts';
import { isTooNew, oldestWriterOf, schemaVersion, versionOf } from '../schema/migrate.ts';
import { migrations } from '../schema/migrations.generated.ts';
import { BrokenSeal, type Seal, sealWith } from '../schema/sealing.ts';
import { BackupRefused } from './backup-archive.ts';
import type { DatabaseFacts, ExaminerData, ExaminerReply } from './examiner.ts';
import { type GivenNumbers, goOnAboveGiven } from './replaced-store.ts';

/**
 * Checks what was unpacked into `work` before it becomes the store of a box. Reads every page, so
 * it runs in a thread of its own (examiner.ts). Throws BackupRefused if the database is damaged,
 * has a table, index, trigger or view that is not ours, or is sealed with another key than the one
 * in the backup: otherwise somebody who can make a backup could plant something that runs in the
 * box later.
 */
function checkContents(work: string, file: string): void {
  const database = new DatabaseSync(join(work, 'gatehouse.db'));
  try {
    database.exec('PRAGMA trusted_schema = OFF');
    if (isTooNew(database))
      throw new BackupRefused(file, 'newer', 'was made by a newer Gatehouse: update this one first');
    const { integrity_check: found } = database.prepare('PRAGMA integrity_check(1)').get() as {
      integrity_check: string;
    };
    if (found !== 'ok')
      throw new BackupRefused(file, 'damaged', `holds a damaged database: ${found}: take another backup`);
    checkSchema(database, file);
    checkSeal(database, work, file);
  } catch (error) {
    if (error instanceof BackupRefused || resultCodeOf(error) === null) throw error;
    throw new BackupRefused(file, 'damaged', `holds a damaged database: ${(error as Error).message}`);
  } finally {
    database.close();
  }
}

/** Makes it a store of its own, in place of `replaced`: a new epoch, higher numbers. */
function renewContents(work: string, replaced: GivenNumbers | null): void {
  using database = new DatabaseSync(join(work, 'gatehouse.db'));
  goOnAboveGiven(database, replaced);
  database
    .prepare("INSERT INTO meta (key, value) VALUES ('epoch', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
    .run(randomBytes(16).toString('hex'));
}

interface Thing {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

const thingsOf = (database: DatabaseSync): Thing[] =>
  database.prepare('SELECT type, name, sql FROM sqlite_schema').all() as unknown as Thing[];

/** Made by SQLite itself, which reserves these names. */
const isOfSqlite = ({ type, name, sql }: Thing): boolean =>
  (type === 'index' && sql === null && name.startsWith('sqlite_autoindex_')) ||
  (type === 'table' && /^sqlite_(sequence|stat1|stat4)$/.test(name));

/**
 * In a backup of a newer program, columns and tables may have been added (migrations only add), but
 * nothing that runs code.
 */
const isPlain = ({ type, sql }: Thing): boolean =>
  (type === 'table' || type === 'index') &&
  /^CREATE (TABLE|INDEX|UNIQUE INDEX) /.test(sql ?? '') &&
  !/\b(generated|check|virtual|collate|as)\b/i.test((sql ?? '').replace(/'(?:[^']|'')*'|`[^`]*`|"[^"]*"/g, ''));

function checkSchema(database: DatabaseSync, file: string): void {
  const version = versionOf(database);
  const ours = schemaAt(Math.min(version, schemaVersion));
  const newer = version > schemaVersion;
  const refuse = (why: string) => new BackupRefused(file, 'foreign', `holds a database that is not ours: ${why}`);
  const missing = new Map(ours);
  for (const thing of thingsOf(database)) {
    if (isOfSqlite(thing)) continue;
    const key = `${thing.type} ${thing.name}`;
    missing.delete(key);
    if (ours.get(key) === thing.sql || (newer && isPlain(thing))) continue;
    throw refuse(ours.has(key) ? `the ${key} was changed` : `there is a ${key}`);
  }
  const [first] = missing.keys();
  if (first !== undefined) throw refuse(`the ${first} is missing`);
}

/** Schema after the migrations up to a version: `table x` and its SQL. */
function schemaAt(version: number): ReadonlyMap<string, string | null> {
  const database = new DatabaseSync(':memory:');
  try {
    for (const { statements } of migrations.slice(0, version))
      for (const statement of statements) database.exec(statement);
    const things = thingsOf(database).filter(thing => !isOfSqlite(thing));
    return new Map(things.map(({ type, name, sql }) => [`${type} ${name}`, sql]));
  } finally {
    database.close();
  }
}

/** A damaged segment is no reason to refuse the rest: one of the newest so many is enough. */
const segmentsTried = 8;

function checkSeal(database: DatabaseSync, work: string, file: string): void {
  const key = readFileSync(join(work, 'keys', 'seal.key'));
  const wrong = new BackupRefused(file, 'foreign', 'its keys/seal.key does not open its database: take another backup');
  if (key.length !== 32) throw wrong;
  const seal = sealWith(key);
  const products = database.prepare('SELECT product_id, sealed_key FROM product LIMIT 100').all() as {
    product_id: string;
    sealed_key: Uint8Array;
  }[];
  const segments = database
    .prepare(`SELECT first_seq, sealed_records FROM segment ORDER BY first_seq DESC LIMIT ${segmentsTried}`)
    .all() as { first_seq: number; sealed_records: Uint8Array }[];
  if (!products.every(one => opens(seal, one.sealed_key, places.productKey(one.product_id)))) throw wrong;
  const some = segments.some(one => opens(seal, one.sealed_records, segmentPlace(one.first_seq)));
  if (segments.length > 0 && products.length === 0 && !some) throw wrong;
}

function opens(seal: Seal, sealed: Uint8Array, place: string): boolean {
  try {
    seal.open(sealed, place);
    return true;
  } catch (error) {
    if (error instanceof BrokenSeal) return false;
    throw error;
  }
}

/** One examination of a database (examiner.ts); then the thread ends. */
parentPort!.postMessage(reply(workerData as ExaminerData));

function reply(data: ExaminerData): ExaminerReply {
  try {
    if (data.kind === 'facts') return { kind: 'facts', facts: factsOf(data.database) };
    checkContents(data.work, data.file);
    const facts = factsOf(join(data.work, 'gatehouse.db'));
    renewContents(data.work, data.replaced);
    return { kind: 'facts', facts };
  } catch (error) {
    if (error instanceof BackupRefused) return { kind: 'refused', code: error.code, reason: error.reason };
    return { kind: 'failed', message: String((error as Error).message) };
  }
}

function factsOf(path: string): DatabaseFacts {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name",
      )
      .all() as { name: string }[];
    const counts = tables.map(({ name }) => {
      const row = database.prepare(`SELECT count(*) AS count FROM "${name.replaceAll('"', '""')}"`).get();
      return [name, (row as { count: number }).count];
    });
    return {
      schemaVersion: versionOf(database),
      oldestSchemaVersion: oldestWriterOf(database),
      counts: Object.fromEntries(counts),
      statements: statementsIn(database),
    };
  } finally {
    database.close();
  }
}

function statementsIn(database: DatabaseSync): string | null {
  const row = database.prepare("SELECT value FROM remembered WHERE service = 'box' AND key = 'statements'").get();
  return (row as { value: string } | undefined)?.value ?? null;
}
