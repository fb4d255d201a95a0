import { places } from '../../readers/rows.ts';
import type { Connection } from '../../schema/database.ts';
import { BrokenSeal } from '../../schema/sealing.ts';

/**
 * What was received of these people up to now loses their features and pictures: notes it for
 * erasing.ts, and empties at once what no cloud has to have.
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
 * Whether a record of this number is one that the person's erasing is about: the tables may take it
 * later.
 */
export const isErased = ({ sql }: Connection, extId: string, seq: number): boolean =>
  sql('SELECT 1 FROM erasure WHERE ext_id = ? AND through_seq >= ? LIMIT 1').get(extId, seq) !== undefined;

interface PeopleMessage {
  readonly data?: { readonly upsert?: unknown };
}

const upsertKey = Buffer.from('"upsert"');

/**
 * Messages that wait for a device (null: for all) and tell of these people go on without them. That
 * they are gone is told by the next message.
 */
export function takeOutOfInbox(connection: Connection, extIds: ReadonlySet<string>, deviceNo: number | null): void {
  const { sql, seal } = connection;
  if (extIds.size === 0) return;
  const waiting = sql('SELECT id, sealed_message FROM inbox WHERE ?1 IS NULL OR device_no = ?1').iterate(
    deviceNo,
  ) as Iterable<{ id: number; sealed_message: Uint8Array }>;
  const changed: { id: number; message: Buffer }[] = [];
  for (const { id, sealed_message } of waiting) {
    const message = without(extIds, () => seal.open(sealed_message, places.inbox));
    if (message) changed.push({ id, message });
  }
  for (const { id, message } of changed)
    sql('UPDATE inbox SET sealed_message = ? WHERE id = ?').run(seal.seal(message, places.inbox), id);
}

/** Null: it does not tell of them, or cannot be read, and so reaches nobody. */
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
