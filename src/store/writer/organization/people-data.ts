import { inboxPlace } from '../../domains/gateway/inbox.ts';
import type { PeopleDataWord } from '../../port/directory.ts';
import { isConfirmed, personSyncMid } from '../../port/people-data.ts';
import { storedDevice } from '../../readers/rows.ts';
import type { Connection } from '../../schema/database.ts';

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
