import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Server } from './servers.ts';

/** How far the tables are behind the journal when the load ends, and how long until they are level: read from the store's own file. */
export async function tableLag(server: Server, withinMs: number): Promise<string> {
  const dir = server.dataDir;
  const file = readdirSync(dir).find(name => /\.(db|sqlite3?)$/.test(name));
  if (file === undefined) return 'the table lag could not be read';
  using database = new DatabaseSync(join(dir, file), { readOnly: true, timeout: 1000 });
  const journal = database.prepare('SELECT coalesce(max(first_seq + count - 1), 0) AS seq FROM segment');
  const tables = database.prepare('SELECT seq FROM projection_cursor WHERE id = 1');
  const behind = () => Number(journal.get()!.seq) - Number(tables.get()?.seq ?? 0);
  const begun = performance.now();
  const first = behind();
  while (behind() > 0 && performance.now() - begun < withinMs) await wait(20);
  const left = behind();
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  return left > 0
    ? `the tables were ${first.toLocaleString('en-US')} records behind and still ${left.toLocaleString('en-US')} after ${seconds} s`
    : `the tables were ${first.toLocaleString('en-US')} records behind and level after ${seconds} s`;
}
