import { existsSync, statSync } from 'node:fs';
import { MoveRefused, Owned, own } from '../data-dir/ownership.ts';
import { isResetAsked } from '../data-dir/reset.ts';
import { isRestoreUnfinished } from '../data-dir/restore.ts';
import { openSegment, UnreadableSegment } from '../journal/segment-row.ts';
import { explain, explained, readMeta } from '../prepare.ts';
import { readDirectory } from '../readers/directory.ts';
import { type Connection, databaseFile, openReadOnly } from '../schema/database.ts';
import { resultCodeOf } from '../schema/engine-failures.ts';
import { schemaVersion, versionOf } from '../schema/migrate.ts';
import { readSealKey } from '../schema/sealing.ts';
import { type BoxValue, type Column, WrongType } from './copy.ts';

const again = 'then repeat the command';

/** The process that moves it owns it until it ends: neither a box nor a command writes to it. */
export function ownStopped(dataDir: string): Disposable {
  if (!existsSync(databaseFile(dataDir)))
    throw new MoveRefused(
      `${dataDir}: no store of a box here: name its --data-dir, or its --config with the data_dir that it had`,
    );
  try {
    return own(dataDir);
  } catch (error) {
    if (!(error instanceof Owned)) throw explained(dataDir, error);
    throw new MoveRefused(`${dataDir}: the box is running (process ${error.pid || 'unknown'}): stop it, ${again}`);
  }
}

/**
 * The store of a stopped box as it is moved: read in one transaction, and never written. Throws
 * MoveRefused and StoreOpenError.
 */
export class MoveSource implements Disposable {
  readonly dataDir: string;
  readonly #connection: Connection;
  readonly environment: 'test' | 'production';
  readonly epoch: string;
  /** `meta.seal` of a region: which key its store is sealed with. */
  readonly sealFingerprint: string;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
    if (isResetAsked(dataDir) || isRestoreUnfinished(dataDir))
      throw new MoveRefused(
        `${dataDir}: a reset or a restore was interrupted: start the box, which finishes it, stop it, ${again}`,
      );
    this.#connection = explain(dataDir, () => openReadOnly(dataDir, readSealKey(dataDir, false)));
    const { database, seal } = this.#connection;
    try {
      this.#refuseOtherVersion();
      // Refuses another key, before segments that it does not open are taken for damaged.
      explain(dataDir, () => readDirectory(this.#connection));
      database.exec('BEGIN');
      const meta = explain(dataDir, () => readMeta(database));
      this.environment = meta.get('environment') as 'test' | 'production';
      this.epoch = meta.get('epoch')!;
      this.sealFingerprint = seal.fingerprint('region', 'seal.key');
    } catch (error) {
      database.close();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#connection.database.close();
  }

  get bytes(): number {
    return statSync(databaseFile(this.dataDir)).size;
  }

  tables(): readonly string[] {
    const rows = this.#all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name",
    );
    return rows.map(({ name }) => String(name));
  }

  columnsOf(table: string): readonly string[] {
    return this.#all(`PRAGMA table_info("${table}")`).map(({ name }) => String(name));
  }

  countOf(table: string): number {
    return this.#reading(table, () => Number(this.#all(`SELECT count(*) AS rows FROM "${table}"`)[0]!.rows));
  }

  /** The highest number that a row of this table ever had; 0 where SQLite keeps none. */
  highestOf(table: string): string {
    const asked = 'SELECT CAST(seq AS TEXT) AS seq FROM sqlite_sequence WHERE name = ?';
    const row = this.#connection.sql(asked).get(table);
    return (row as { seq: string } | undefined)?.seq ?? '0';
  }

  /** The number of the last record, also of one that retention has deleted. */
  lastSeq(): number {
    const [row] = this.#all(
      `SELECT max(coalesce((SELECT first_seq + count - 1 FROM segment ORDER BY first_seq DESC LIMIT 1), 0),
         coalesce((SELECT seq FROM projection_cursor), 0)) AS seq`,
    );
    return Number(row!.seq);
  }

  /** Row by row, so that memory does not grow with them; segments are opened too. */
  *rowsOf(table: string, columns: readonly Column[]): Generator<readonly BoxValue[]> {
    const names = columns.map(({ name }) => (name === 'rowid' ? name : `"${name}"`)).join(', ');
    const statement = this.#connection.database.prepare(`SELECT ${names} FROM "${table}" ORDER BY rowid`);
    // Not all numbers of SQLite are exact as a number of JavaScript.
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    const rows = statement.iterate() as unknown as Iterator<BoxValue[]>;
    const check = table === 'segment' ? this.#segmentCheck(columns) : () => {};
    for (;;) {
      const { value, done } = this.#reading(table, () => rows.next());
      if (done) return;
      check(value);
      yield value;
    }
  }

  /** Says which row it is that the database would not take. */
  refuse(table: string, row: number, error: unknown): never {
    if (!(error instanceof WrongType)) throw error;
    throw new MoveRefused(
      `${this.dataDir}: row ${row} of the table ${table} cannot be moved: ${error.message}. The box is as before; this is a bug of the program that wrote it`,
    );
  }

  #segmentCheck(columns: readonly Column[]): (row: readonly BoxValue[]) => void {
    const at = (name: string) => columns.findIndex(column => column.name === name);
    const [firstSeq, sealed] = [at('first_seq'), at('sealed_records')];
    return row => {
      try {
        openSegment(this.#connection.seal, row[sealed] as Uint8Array, Number(row[firstSeq]));
      } catch (error) {
        if (error instanceof UnreadableSegment) throw this.damaged(`its journal, ${error.message}`);
        throw error;
      }
    };
  }

  #reading<T>(table: string, act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (resultCodeOf(error) === null) throw error;
      throw this.damaged(`the table ${table}, ${(error as Error).message}`);
    }
  }

  damaged(where: string): MoveRefused {
    return new MoveRefused(
      `${this.dataDir}: the store is damaged (${where}), so that not all of it can be moved: restore a backup into another data directory (\`gatehouse restore FILE --data-dir DIR\`), and move that one`,
    );
  }

  #refuseOtherVersion(): void {
    const version = versionOf(this.#connection.database);
    if (version > schemaVersion)
      throw new MoveRefused(
        `${this.dataDir}: the store is of a newer Gatehouse: run this command with that one (\`gatehouse version\`)`,
      );
    if (version < schemaVersion)
      throw new MoveRefused(
        `${this.dataDir}: the store is of an older Gatehouse: start the box once with \`gatehouse serve\`, which brings it up to date, stop it, ${again}`,
      );
  }

  #all(text: string): readonly Record<string, unknown>[] {
    return this.#connection.sql(text).all() as Record<string, unknown>[];
  }
}
