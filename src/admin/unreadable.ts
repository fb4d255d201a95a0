import { z } from '@hono/zod-openapi';
import { firstBytes, unreadableReasons } from '../platform/unreadable.ts';
import type { DeviceNo, DeviceReads, DirectoryStore, ForwardingReads, LedgerRow, ReadPart } from '../store/index.ts';
import type { Report } from './operation.ts';

/** Messages of devices that are no JSON object: in `status`, on a device's page, in its records. */

const why = z.string().describe('The likely reason');
const firstBytesShape = z.string().describe('The first 64 bytes in ASCII; any other byte as \\x00');
const counted = { messages: z.number(), since: z.number(), last_at: z.number(), why };

export const unreadableDevices = z
  .array(z.object({ device_id: z.string(), name: z.string(), ...counted }))
  .describe('Devices that have sent what is no JSON object: kept, forwarded as it is, and in no table');

export const unreadable = z
  .object({ ...counted, first_bytes: firstBytesShape.nullable().describe('Null: the journal has removed it') })
  .nullable()
  .describe('Messages of it that are no JSON object; null: none');

export const unreadableRecord = z
  .object({ why, first_bytes: firstBytesShape })
  .nullable()
  .describe('Of a message that is no JSON object');

/** Devices that have sent such messages, the one with the newest first. */
export async function devicesUnread({
  read,
  directory,
}: ReadPart<Pick<DeviceReads, 'malformed'>> & DirectoryStore): Promise<Report<typeof unreadableDevices>> {
  const all = await read.malformed();
  return all
    .toSorted((one, other) => other.lastAt - one.lastAt)
    .flatMap(({ deviceNo, count, since, lastAt, why }) => {
      const device = directory.deviceByNo(deviceNo);
      if (!device) return [];
      const { deviceId, name } = device;
      return [{ device_id: deviceId, name, messages: count, since, last_at: lastAt, why: unreadableReasons[why] }];
    });
}

/** Those of one device; null: it has sent none. */
export async function unreadableOf(
  read: Pick<DeviceReads, 'malformed'> & Pick<ForwardingReads, 'record'>,
  deviceNo: DeviceNo,
): Promise<Report<typeof unreadable>> {
  const found = (await read.malformed()).find(one => one.deviceNo === deviceNo);
  if (!found) return null;
  const record = await read.record(found.lastSeq);
  return {
    ...{ messages: found.count, since: found.since, last_at: found.lastAt, why: unreadableReasons[found.why] },
    first_bytes: record && firstBytes(record.payload),
  };
}

export const unreadRecord = (of: LedgerRow['unreadable']): Report<typeof unreadableRecord> =>
  of && { why: unreadableReasons[of.why], first_bytes: of.firstBytes };
