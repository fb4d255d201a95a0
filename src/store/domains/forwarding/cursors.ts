import type { Channel, DeviceNo } from '../../port/journal.ts';
import type { Connection } from '../../schema/database.ts';

/** How far a device's messages and logs are forwarded. */
export type Cursors = Readonly<Record<Channel, number>>;

/** Undefined for a device that was removed from the site. */
export const cursorsOf = ({ sql }: Connection, deviceNo: DeviceNo): Cursors | undefined =>
  sql(
    `SELECT max(forwarded_seq, forwarded_message_seq) AS device, max(forwarded_seq, forwarded_log_seq) AS log
       FROM device WHERE device_no = ?`,
  ).get(deviceNo) as Cursors | undefined;
