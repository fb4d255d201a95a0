import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from '../../src/store/index.ts';
import { Bridge } from '../../src/store/postgres/bridge.ts';
import type { seededRandom } from './clock.ts';

type Value = null | number | bigint | string | Uint8Array;

/** Of each table its columns and rows, as text, in the order of SQLite's rowid. */
export type Contents = ReadonlyMap<string, readonly string[]>;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

const tablesOf = (database: DatabaseSync): string[] =>
  (
    database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'")
      .all() as { name: string }[]
  ).map(({ name }) => name);

const columnsOf = (database: DatabaseSync, table: string): Column[] =>
  database
    .prepare(`PRAGMA table_info("${table}")`)
    .all()
    .map(({ name, type, notnull, pk }) => ({
      name: String(name),
      type: String(type).toLowerCase(),
      isNullable: notnull === 0 && pk === 0,
    }));

/** Its primary key is SQLite's rowid. */
const isNumbered = (database: DatabaseSync, table: string): boolean => {
  const keys = database
    .prepare(`PRAGMA table_info("${table}")`)
    .all()
    .filter(({ pk }) => Number(pk) > 0);
  return keys.length === 1 && String(keys[0]!.type).toLowerCase() === 'integer';
};

/** Puts rows of any values into each table of a stopped box that has none, and returns which. */
export function fillEmptyTables(dataDir: string, random: ReturnType<typeof seededRandom>): string[] {
  using database = new DatabaseSync(databaseFile(dataDir));
  const empty = tablesOf(database).filter(
    table => (database.prepare(`SELECT count(*) AS rows FROM "${table}"`).get() as { rows: number }).rows === 0,
  );
  const texts = ['', 'a', "O'Neil \\ \t\n", '林小美', '😀', 'x'.repeat(300), '\\N', '"{}"', 'é'];
  let number = 0;
  const aValue = ({ type, isNullable }: Column): Value => {
    if (isNullable && random() < 0.3) return null;
    number++;
    if (type === 'integer') return BigInt(number) + (random() < 0.2 ? 9_007_199_254_740_993n : 0n);
    if (type === 'blob') return randomBytes(Math.floor(random() * 200));
    return `${number} ${texts[Math.floor(random() * texts.length)]}`;
  };
  for (const table of empty) {
    const columns = columnsOf(database, table);
    const places = columns.map(() => '?').join(', ');
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const insert = database.prepare(`INSERT INTO "${table}" (${names}) VALUES (${places})`);
    // The number of the new row, that it returns, may be too large.
    insert.setReadBigInts(true);
    for (let row = 0; row < 5; row++) insert.run(...(columns.map(aValue) as never[]));
    // Holes in the numbers are kept, and the order in which rows came.
    if (!isNumbered(database, table)) database.exec(`UPDATE "${table}" SET rowid = rowid * 10 WHERE rowid < 4`);
  }
  return empty;
}

const asText = (value: Value): string =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value === null ? 'null' : String(value);

const line = (row: readonly Value[]): string => row.map(asText).join(' | ');

/** What a box has, read without the code that moves it. */
export function contentsOfBox(dataDir: string): Contents {
  using database = new DatabaseSync(databaseFile(dataDir), { readOnly: true });
  const rowsOf = (table: string) => {
    const names = columnsOf(database, table).map(({ name }) => `"${name}"`);
    const statement = database.prepare(`SELECT ${names.join(', ')} FROM "${table}" ORDER BY rowid`);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return (statement.all() as unknown as Value[][]).map(line);
  };
  return new Map(tablesOf(database).map(table => [table, rowsOf(table)]));
}

/**
 * The same of a database, of the tables that this box has. Rows of a table without a number of its
 * own stand in the order of the box where the database has them too, in any order.
 */
export function contentsOfDatabase(url: string, dataDir: string): Contents {
  const ofBox = contentsOfBox(dataDir);
  using database = new DatabaseSync(databaseFile(dataDir), { readOnly: true });
  const bridge = new Bridge(url);
  try {
    const ask = (text: string) => bridge.call({ text, values: [] }).rows as readonly Value[][];
    const rowsOf = (table: string): readonly string[] => {
      const columns = columnsOf(database, table);
      // Not all numbers are exact in JavaScript.
      const asked = columns.map(({ name, type }) => (type === 'integer' ? `"${name}"::text` : `"${name}"`));
      const rows = (order: string) => ask(`SELECT ${asked.join(', ')} FROM "${table}" ${order}`).map(line);
      if (isNumbered(database, table)) return rows(`ORDER BY "${table}"."${columns[0]!.name}"`);
      const [found] = ask(
        `SELECT count(*) FROM information_schema.columns WHERE table_name = '${table}' AND column_name = 'rowid'`,
      );
      if (found![0] === 1) return rows('ORDER BY rowid');
      const order = new Map((ofBox.get(table) ?? []).map((row, at) => [row, at]));
      return rows('').sort((one, other) => (order.get(one) ?? -1) - (order.get(other) ?? -1));
    };
    return new Map([...ofBox.keys()].map(table => [table, rowsOf(table)]));
  } finally {
    bridge.close();
  }
}
