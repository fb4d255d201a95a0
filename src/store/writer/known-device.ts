import { type DeviceId, productOf } from '../../platform/device-id.ts';
import type { Connection } from '../schema/database.ts';

/**
 * Gives a device its number when it is first heard of. A known one takes no number, not even one
 * that is lost: blocks of logs have a bit for each.
 */
export const knowDevice = ({ later }: Pick<Connection, 'later'>, deviceId: DeviceId, at: number): void =>
  later(
    `INSERT INTO device (device_id, product_id, name, listed, blocked, first_seen_at, forwarded_seq)
       SELECT ?1, ?2, '', 0, 0, ?3, 0 WHERE NOT EXISTS (SELECT 1 FROM device WHERE device_id = ?1)
       ON CONFLICT (device_id) DO NOTHING`,
    deviceId,
    productOf(deviceId),
    at,
  );
