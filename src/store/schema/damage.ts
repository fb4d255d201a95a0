import type { DatabaseSync } from 'node:sqlite';
import { resultCodeOf } from './result-codes.ts';

/**
 * Tables of which the box does without the rows that cannot be read: nothing but a read of such a
 * row touches its bytes.
 */
const passedOver: ReadonlySet<string> = new Set(['segment', 'log_block_content']);
const linesMax = 100;

/**
 * Damage that forbids writing to the database; null if there is none, or if only rows of the
 * journal and of log blocks cannot be read, which their readers pass over. Reads every page, so it
 * is for small stores.
 */
export function damageOf(database: DatabaseSync): string | null {
  const found = quickCheck(database, `quick_check(${linesMax})`);
  if (found === null) return null;
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all() as {
    name: string;
  }[];
  const damaged = tables.filter(({ name }) => quickCheck(database, `quick_check("${name}")`) !== null);
  const essential = damaged.filter(({ name }) => !passedOver.has(name)).map(({ name }) => name);
  if (essential.length > 0) return `${essential.join(', ')}: ${found[0]}`;
  // Free pages are no table's; what is in no table that was checked is the file's own structure.
  const free = found.find(line => line.startsWith('Freelist'));
  return free ?? (damaged.length === 0 ? found[0]! : null);
}

/** Complaints of the check; null if the database is whole. */
function quickCheck(database: DatabaseSync, pragma: string): string[] | null {
  try {
    const rows = database.prepare(`PRAGMA ${pragma}`).all() as { quick_check: string }[];
    const lines = rows.map(row => row.quick_check);
    return lines[0] === 'ok' ? null : lines;
  } catch (error) {
    if (resultCodeOf(error) === null) throw error;
    return [(error as Error).message];
  }
}
