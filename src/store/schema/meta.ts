import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Connection } from './database.ts';

/** Single values of the store by name, such as its epoch, and what was chosen on pages. */
export const meta = sqliteTable('meta', { key: text().primaryKey(), value: text().notNull() });

/** A value that was kept as JSON; undefined: none was. */
export function keptValue<Value>({ sql }: Pick<Connection, 'sql'>, key: string): Value | undefined {
  const row = sql('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
  return row && (JSON.parse(row.value) as Value);
}

/** Keeps a value as JSON, in place of the one before. */
export function keepValue({ sql }: Pick<Connection, 'sql'>, key: string, value: unknown): void {
  sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
    key,
    JSON.stringify(value),
  );
}
