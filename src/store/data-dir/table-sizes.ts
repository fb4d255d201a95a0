import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from '../schema/database.ts';

/** Size of a database, and of its tables, read without counting any rows. */
interface TableSizes {
  readonly pages: number;
  readonly freePages: number;
  readonly pageBytes: number;
  /** The highest row id of each table, which is at least its rows; null: it has none. */
  readonly lastRows: Readonly<Record<string, number | null>>;
}

/** Throws where the database cannot be read. */
export function tableSizes(dataDir: string): TableSizes {
  using database = new DatabaseSync(databaseFile(dataDir), { readOnly: true });
  const number = (sql: string): number | null => {
    const [value] = Object.values(database.prepare(sql).get() ?? {});
    return typeof value === 'number' ? value : null;
  };
  const tables = database
    .prepare("SELECT name, wr FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'")
    .all() as { name: string; wr: number }[];
  return {
    pages: number('PRAGMA page_count') ?? 0,
    freePages: number('PRAGMA freelist_count') ?? 0,
    pageBytes: number('PRAGMA page_size') ?? 0,
    lastRows: Object.fromEntries(
      tables
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map(({ name, wr }) => [name, wr ? null : (number(`SELECT max(rowid) FROM "${name}"`) ?? 0)]),
    ),
  };
}
