import type { DeviceId } from '../../platform/device-id.ts';
import type { Connection } from '../schema/database.ts';
import { knowDevice } from '../schema/devices.ts';
import type { Section } from './section.ts';

const upper = (value: unknown): string => String(value ?? '').toUpperCase();

/**
 * Assigned by a person or a file, not merely brought: the devices that a site file lists for a box.
 */
const placed = "belongs_by IN ('site', 'staff')";

/**
 * The boxes below whose batches are accepted, with the devices assigned to them. Devices that a box
 * only brought are not exported: it will bring them again.
 */
export const boxes: Section = {
  name: 'boxes',
  secrets: [],
  defaults: { devices: [] },
  key: item => upper(item.box_id),
  compared: item => (Array.isArray(item.devices) ? { ...item, devices: idsOf(item.devices) } : item),
  read: ({ sql }) =>
    (sql('SELECT box_id, name FROM box_below ORDER BY rowid').all() as { box_id: string; name: string }[]).map(
      ({ box_id, name }) => ({ box_id, name, devices: placedAt({ sql }, box_id) }),
    ),
  forFile: items =>
    items.map(({ devices, ...item }) => ((devices as string[]).length > 0 ? { ...item, devices } : item)),
  write({ sql, later }, item, { at }) {
    const boxId = this.key(item);
    sql(
      'INSERT INTO box_below (box_id, name) VALUES (?, ?) ON CONFLICT (box_id) DO UPDATE SET name = excluded.name',
    ).run(boxId, String(item.name ?? ''));
    const listed = idsOf(item.devices as unknown[]);
    const before = placedAt({ sql }, boxId);
    for (const deviceId of before)
      if (!listed.includes(deviceId))
        later('UPDATE device SET belongs_to = NULL, belongs_by = NULL WHERE device_id = ?', deviceId);
    for (const deviceId of listed) {
      if (before.includes(deviceId)) continue;
      knowDevice({ later }, deviceId as DeviceId, at);
      later("UPDATE device SET belongs_to = ?, belongs_by = 'site' WHERE device_id = ?", boxId, deviceId);
    }
  },
  remove: (connection, key) => void removeBox(connection, key),
};

/**
 * Its devices belong to the next box that brings them, and of its batches nothing is remembered.
 * Returns false if it was not listed.
 */
export function removeBox({ sql }: Pick<Connection, 'sql'>, boxId: string): boolean {
  sql('UPDATE device SET belongs_to = NULL, belongs_by = NULL WHERE belongs_to = ?').run(boxId);
  // Whichever copy of it comes next is taken, and counts from where it is itself.
  sql("DELETE FROM remembered WHERE service IN ('box below', 'box heard') AND key = ?").run(boxId);
  sql('DELETE FROM batch_cursor WHERE box_no IN (SELECT device_no FROM device WHERE device_id = ?)').run(boxId);
  return sql('DELETE FROM box_below WHERE box_id = ?').run(boxId).changes > 0;
}

const placedAt = ({ sql }: Pick<Connection, 'sql'>, boxId: string): string[] =>
  (
    sql(`SELECT device_id FROM device WHERE belongs_to = ? AND ${placed} ORDER BY device_id`).all(boxId) as {
      device_id: string;
    }[]
  ).map(row => row.device_id);

/** As they are stored: in upper case, in order, each once. */
const idsOf = (ids: readonly unknown[]): string[] => [...new Set(ids.map(upper))].sort();
