import { inboxPlace } from '../../domains/gateway/inbox.ts';
import type { Connection } from '../../schema/database.ts';
import { BrokenSeal } from '../../schema/sealing.ts';

/**
 * Notes for erasing.ts that records received up to now lose the features and pictures of these
 * people, and empties at once what the cloud does not need.
 */
export function erase(connection: Connection, extIds: ReadonlySet<string>, at: number): void {
  const { sql } = connection;
  const { seq } = sql(
    `SELECT max((SELECT seq FROM projection_cursor WHERE id = 1),
       coalesce((SELECT first_seq + count - 1 FROM segment ORDER BY first_seq DESC LIMIT 1), 0)) AS seq`,
  ).get() as { seq: number };
  for (const extId of extIds) {
    sql('INSERT INTO erasure (ext_id, at, through_seq) VALUES (?, ?, ?)').run(extId, at, seq);
    sql('DELETE FROM organization_write WHERE subject = ?').run(`features of ${extId}`);
  }
  takeOutOfInbox(connection, extIds, null);
}

/**
 * Up to which record each of these people was erased, 0 if nobody asked for it. Such a record may
 * be projected only later.
 */
export const erasedThrough = ({ each }: Connection, extIds: readonly string[]): number[] =>
  each(
    'SELECT coalesce(max(through_seq), 0) AS seq FROM erasure WHERE ext_id = ?',
    extIds.map(extId => [extId]),
  ).map(row => (row as { seq: number }).seq);

interface PeopleMessage {
  readonly data?: { readonly upsert?: unknown };
}

const upsertKey = Buffer.from('"upsert"');

/**
 * Removes these people from messages that wait for a device (null: for all). The next message tells
 * the device that they were deleted.
 */
export function takeOutOfInbox(connection: Connection, extIds: ReadonlySet<string>, deviceNo: number | null): void {
  const { sql, seal } = connection;
  if (extIds.size === 0) return;
  const waiting = sql('SELECT id, sealed_message FROM inbox WHERE device_no = ?1 OR ?1 IS NULL').iterate(
    deviceNo,
  ) as Iterable<{ id: number; sealed_message: Uint8Array }>;
  const changed: { id: number; message: Buffer }[] = [];
  for (const { id, sealed_message } of waiting) {
    const message = without(extIds, () => seal.open(sealed_message, inboxPlace));
    if (message) changed.push({ id, message });
  }
  for (const { id, message } of changed)
    sql('UPDATE inbox SET sealed_message = ? WHERE id = ?').run(seal.seal(message, inboxPlace), id);
}

/**
 * Message without these people; null if it does not contain them, or cannot be read and is never
 * delivered.
 */
function without(extIds: ReadonlySet<string>, open: () => Buffer): Buffer | null {
  try {
    const bytes = open();
    if (!bytes.includes(upsertKey)) return null;
    const message = JSON.parse(bytes.toString('utf8')) as PeopleMessage | null;
    const upsert = message?.data?.upsert;
    if (!Array.isArray(upsert)) return null;
    const left = upsert.filter(one => !extIds.has(String((one as { ext_id?: unknown } | null)?.ext_id)));
    if (left.length === upsert.length) return null;
    return Buffer.from(JSON.stringify({ ...message, data: { ...message!.data, upsert: left } }));
  } catch (error) {
    if (error instanceof BrokenSeal || error instanceof SyntaxError) return null;
    throw error;
  }
}
