import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Clocks of freshness: when something was looked at or used last, not what was found. */
const freshness: Readonly<Record<string, readonly string[]>> = {
  mirror_cursor: ['whole_at'],
  attendance_caller: ['used_at', 'used_from', 'used_for'],
  app: ['used_at', 'used_from', 'used_for'],
};

/** Every row of every table, but for the clocks of freshness; by table, to see where two differ. */
export function storeDigest(dataDir: string): Record<string, string> {
  using database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all() as { name: string }[];
  return Object.fromEntries(
    tables.map(({ name }) => {
      const rows = database.prepare(`SELECT * FROM "${name}"`).all();
      const hash = createHash('sha256');
      for (const row of rows) {
        for (const column of freshness[name] ?? []) delete row[column];
        for (const value of Object.values(row)) {
          const isBlob = value instanceof Uint8Array;
          hash.update(isBlob ? `blob of ${value.length};` : `${JSON.stringify(value)};`);
          if (isBlob) hash.update(value);
        }
      }
      return [name, `${rows.length} rows ${hash.digest('hex')}`];
    }),
  );
}
