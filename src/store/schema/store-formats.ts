import type { DatabaseSync } from 'node:sqlite';
import { oldestWriterOf, sayOldest } from './migrate.ts';
import { migrations } from './migrations.generated.ts';

/**
 * What a store may hold that older programs cannot read: its number in the table `segment_format`,
 * and the migration that the first program that reads it has.
 */
const formats = {
  /** Segments that are compressed before they are sealed (journal/sealed-segment.ts). */
  compressedSegments: { version: 2, since: '20261123131614_segment_format' },
  /** Logs in blocks in place of rows (log-blocks/block.ts). */
  logBlocks: { version: 3, since: '20261123165319_log_blocks' },
} as const;

/** An update is taken back by itself within minutes, by hand within days. */
const mayReturnMs = 7 * 24 * 3600 * 1000;

/**
 * Whether the store is written in a format, from this start on. Not after an update, until a start
 * a week later: so long the program from before may come back. From then on, whatever the clock
 * says, it is, and the store refuses that program in words.
 */
export function mayWrite(
  database: DatabaseSync,
  format: keyof typeof formats,
  { isNew, now }: { isNew: boolean; now: number },
): boolean {
  const { version, since: migration } = formats[format];
  database
    .prepare(
      // Earlier when the clock was ahead at that start.
      `INSERT INTO segment_format (version, known_since) VALUES (?, ?)
         ON CONFLICT (version) DO UPDATE SET known_since = min(segment_format.known_since, excluded.known_since)`,
    )
    .run(version, isNew ? writtenAlready : now);
  const { known_since: since } = database
    .prepare('SELECT known_since FROM segment_format WHERE version = ?')
    .get(version) as { known_since: number };
  if (since !== writtenAlready && now < since + mayReturnMs) return false;
  const oldest = migrations.findIndex(({ name }) => name === migration) + 1;
  if (oldestWriterOf(database) < oldest) sayOldest(database, oldest);
  database.prepare('UPDATE segment_format SET known_since = ? WHERE version = ?').run(writtenAlready, version);
  return true;
}

const writtenAlready = 0;
