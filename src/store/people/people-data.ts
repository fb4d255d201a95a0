import type { UnixMs } from '../../runtime/clock.ts';
import { inboxPlace } from '../domains/gateway/inbox.ts';
import type { Device, PeopleDataWord, Product } from '../port/directory.ts';
import type { Connection } from '../schema/database.ts';
import { storedDevice } from '../schema/devices.ts';
import { BrokenSeal } from '../schema/sealing.ts';

/** How the `mid` of the box's own messages about people begins. */
const personSyncMid = 'person-sync-';

/**
 * The `mid` of a `person_sync`: which change it ends with, and when it was sent. An answer under it
 * bounds the device's clock.
 */
export const personSyncMidOf = (changeNo: number, sentAt: UnixMs): string =>
  `${personSyncMid}${changeNo}-${sentAt.toString(36)}`;

const sentAtOf = new RegExp(`^${personSyncMid}\\d+-([0-9a-z]{1,9})$`);

/** An answer that took longer bounds nothing. */
const answeredWithinMs = 7 * 86_400_000;

/**
 * When the `person_sync` was sent whose `mid` a message gives back; null for any other `mid`, and
 * for a time that cannot be (the device may write what it likes).
 */
export function personSyncSentAt(mid: string, receivedAt: UnixMs): UnixMs | null {
  if (!mid.startsWith(personSyncMid)) return null;
  const found = sentAtOf.exec(mid);
  const sentAt = found ? Number.parseInt(found[1]!, 36) : Number.NaN;
  return sentAt <= receivedAt && sentAt > receivedAt - answeredWithinMs ? sentAt : null;
}

/**
 * Whether a device is confirmed, and so receives people's data (CONTRACT 7, `person_sync`): it is
 * listed in the site file, staff approved it, or it logged in with a key of its own. A product key
 * alone is not enough, since every device of the product has it. After staff have allowed the
 * product key again, the device has to log in with its own key first.
 */
export function isConfirmed({ peopleData, listed, keyConfirmedAt, productKeyUntil }: ConfirmationFacts): boolean {
  if (peopleData === 'yes') return true;
  if (peopleData === 'no') return false;
  if (peopleData === null && listed) return true;
  return keyConfirmedAt !== null && productKeyUntil === null;
}

type ConfirmationFacts = Pick<Device, 'peopleData' | 'listed' | 'keyConfirmedAt' | 'productKeyUntil'>;

/** `none`: devices of its product receive no data of people. */
export type PeopleDataState = 'allowed' | 'waits' | 'refused' | 'none';

export function peopleDataState(device: Device, product: Product | undefined): PeopleDataState {
  if (!product?.faceFeatures) return 'none';
  if (isConfirmed(device)) return 'allowed';
  return device.peopleData === 'no' ? 'refused' : 'waits';
}

/** How the box's own messages about people begin: with the `mid`. */
const messageHead = Buffer.from(`{"mid":"${personSyncMid}`);

/** Sets whether a device gets people's data. Null: the site file and the device's keys decide. */
export function setPeopleDataWord(connection: Connection, deviceNo: number, word: PeopleDataWord | null): void {
  connection.sql('UPDATE device SET people_data = ? WHERE device_no = ?').run(word, deviceNo);
  dropUnlessConfirmed(connection, deviceNo);
}

/**
 * Removes messages about people from the inbox of a device, unless the device is confirmed. The
 * people in them count as not sent, so a device that is confirmed later gets them, and the removal
 * of those who were deleted meanwhile. False: it is confirmed, or no device.
 */
export function dropUnlessConfirmed(connection: Connection, deviceNo: number): boolean {
  const { sql, seal } = connection;
  const device = storedDevice(connection, { deviceNo });
  if (!device || isConfirmed(device)) return false;
  const waiting = sql('SELECT id, sealed_message FROM inbox WHERE device_no = ?').iterate(deviceNo) as Iterable<{
    id: number;
    sealed_message: Uint8Array;
  }>;
  const found: number[] = [];
  for (const { id, sealed_message } of waiting)
    if (seal.open(sealed_message, inboxPlace).subarray(0, messageHead.length).equals(messageHead)) found.push(id);
  for (const id of found) sql('DELETE FROM inbox WHERE id = ?').run(id);
  if (found.length > 0)
    sql('UPDATE person_sync SET change_no = min(change_no, last_from_no) WHERE device_no = ?').run(deviceNo);
  return true;
}

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
