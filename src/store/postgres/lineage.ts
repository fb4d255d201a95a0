import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';

/** Any number: whoever looks which database this is holds this lock of it. */
const lineageLock = 4_709_116;

/**
 * Progress of the database that a process has seen, in its data directory: a database that is less
 * far is an earlier state. All of it was committed when it was noted.
 */
interface Seen {
  readonly epoch: string;
  /** The number of the process itself. */
  readonly process: number;
  /** Of the table of that name: raised every few seconds, by each process. */
  readonly beat: number;
  /** By the database's clock. */
  readonly at: number;
  /** The highest numbers of check-ins and access records. */
  readonly checkinId: number;
  readonly accessId: number;
}

/** Numbers of check-ins and access records that may have been given out since it was written. */
const idsSince = 100_000;
const processesSince = 1000;

/** Note in `meta` on a database that was replaced by another state. */
export interface NotedChange {
  /** The epoch that it had before. */
  readonly of: string;
  readonly noticedAt: number;
  /** Of an earlier state: when that was, and until when more was acknowledged. */
  readonly stateAt: number;
  readonly until: number;
}

const seenFile = (dataDir: string): string => join(dataDir, 'database-seen.json');

export function readSeen(dataDir: string): Seen | null {
  try {
    return JSON.parse(readFileSync(seenFile(dataDir), 'utf8')) as Seen;
  } catch {
    // None yet, or one that was cut short by a power cut: then nothing is compared.
    return null;
  }
}

export async function writeSeen(dataDir: string, seen: Seen): Promise<void> {
  const file = seenFile(dataDir);
  await writeFile(`${file}.new`, JSON.stringify(seen), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

const asked = `SELECT beat.no, beat.at, now_ms() AS now,
    (SELECT value FROM meta WHERE key = 'epoch') AS epoch, (SELECT value FROM meta WHERE key = 'database') AS database,
    (SELECT value FROM meta WHERE key = 'restored') AS restored,
    (SELECT system_identifier FROM pg_control_system())::text || '/' ||
      (SELECT oid FROM pg_database WHERE datname = current_database()) AS here
  FROM beat`;

type Recognized = { readonly epoch: string; readonly is: 'known' | 'earlier' | 'copy' };

/**
 * Looks whether the database is the one that this process has seen. One of an earlier state, or a
 * copy of another one, gets a new epoch, as a box that was restored from a backup: a box above does
 * not take its records for those of before. All processes that have it open start again. Of an
 * earlier state the numbers that callers page by go on behind those that were given out. Throws
 * what the client throws.
 */
export async function recognize(client: Client, seen: Seen | null): Promise<Recognized> {
  await client.query('BEGIN');
  await client.query(`SELECT pg_advisory_xact_lock(${lineageLock})`);
  const [row] = (await client.query<Record<string, string | null>>(asked)).rows as [Record<string, string>];
  const { epoch, database, here } = row as { epoch: string; database: string | null; here: string };
  const isCopy = database !== null && database !== here;
  const isEarlier = seen !== null && seen.epoch === epoch && seen.beat > Number(row.no);
  const noted = row.restored ? (JSON.parse(row.restored) as NotedChange) : null;
  // Another process was the first to notice.
  const wasEarlier = seen !== null && seen.epoch === noted?.of && seen.at > noted.stateAt;
  const put = (key: string, value: string) =>
    client.query(
      'INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      [key, value],
    );
  await put('database', here);
  let now = epoch;
  if (isCopy || isEarlier) {
    now = randomBytes(16).toString('hex');
    await put('epoch', now);
    const change = { of: epoch, noticedAt: Number(row.now), stateAt: Number(row.at), until: seen?.at ?? 0 };
    await put(isEarlier ? 'restored' : 'copied', JSON.stringify(change satisfies NotedChange));
    await client.query('UPDATE process SET live = false WHERE live');
    // Two databases must not remove each other's files.
    if (isCopy) await client.query(`DELETE FROM meta WHERE key = 'files'`);
  } else if (wasEarlier && seen.at > noted.until)
    await put('restored', JSON.stringify({ ...noted, until: seen.at } satisfies NotedChange));
  if (isEarlier || wasEarlier) await goOnBehind(client, seen);
  await client.query('COMMIT');
  return { epoch: now, is: isEarlier ? 'earlier' : isCopy ? 'copy' : 'known' };
}

/** No number that was given out comes again for another record. */
async function goOnBehind(client: Client, { checkinId, accessId, process }: Seen): Promise<void> {
  await client.query(`UPDATE counter SET value = greatest(value, $1::bigint) WHERE name = 'checkin'`, [
    checkinId + idsSince,
  ]);
  await client.query(
    `INSERT INTO counter (name, value) VALUES ('access', $1::bigint)
      ON CONFLICT (name) DO UPDATE SET value = greatest(counter.value, excluded.value)`,
    [accessId + idsSince],
  );
  const behind = (sequence: string, last: number) =>
    client.query('SELECT setval($1::regclass, greatest(nextval($1::regclass), $2::bigint))', [sequence, last]);
  const { rows } = await client.query<{ name: string }>(`SELECT pg_get_serial_sequence('access_record', 'id') AS name`);
  await behind(rows[0]!.name, accessId + idsSince);
  await behind('member', process + processesSince);
}
