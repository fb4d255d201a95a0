import type { DatabaseSync } from 'node:sqlite';
import { oldestWriterOf, sayOldest } from './migrate.ts';
import { migrations } from './migrations.generated.ts';

/** Segments that are compressed before they are sealed (journal/sealed-segment.ts). */
const compressedFormat = 2;
/** The first program that reads them has this migration. */
const knownSinceMigration = '20261123131614_segment_format';
/** An update is taken back by itself within minutes, by hand within days. */
const mayReturnMs = 7 * 24 * 3600 * 1000;

/**
 * Whether segments are compressed, from this start on. An older program cannot read them, so after
 * an update they are not, until a start a week later: so long the program from before may come
 * back. From then on the store refuses it, in words.
 */
export function mayCompress(database: DatabaseSync, { isNew, now }: { isNew: boolean; now: number }): boolean {
  database
    .prepare(
      // Earlier when the clock was ahead at that start.
      `INSERT INTO segment_format (version, known_since) VALUES (?, ?)
         ON CONFLICT DO UPDATE SET known_since = min(known_since, excluded.known_since)`,
    )
    .run(compressedFormat, isNew ? 0 : now);
  const { known_since: since } = database
    .prepare('SELECT known_since FROM segment_format WHERE version = ?')
    .get(compressedFormat) as { known_since: number };
  if (now < since + mayReturnMs) return false;
  const oldest = migrations.findIndex(({ name }) => name === knownSinceMigration) + 1;
  if (oldestWriterOf(database) < oldest) sayOldest(database, oldest);
  return true;
}
