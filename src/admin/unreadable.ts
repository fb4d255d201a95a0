import { z } from '@hono/zod-openapi';
import { firstBytes, unreadableWhy } from '../platform/unreadable.ts';
import type { DeviceNo, DeviceReads, DirectoryStore, ForwardingReads, LedgerRow, ReadPart } from '../store/index.ts';
import { described } from '../words/described.ts';
import type { Report } from './operation.ts';
import { sentenceShape } from './problem.ts';

/** Messages of devices that are no JSON object: in `status`, on a device's page, in its records. */

const why = z.string().describe(described('The likely reason', '可能的原因'));
const firstBytesShape = z
  .string()
  .describe(
    described(
      'The first 64 bytes in ASCII; any other byte as \\x00',
      '前 64 个字节，以 ASCII 表示；其他字节写作 \\x00',
    ),
  );
const counted = { messages: z.number(), since: z.number(), last_at: z.number(), why, ...sentenceShape };

export const unreadableDevices = z
  .array(z.object({ device_id: z.string(), name: z.string(), ...counted }))
  .describe(
    described(
      'Devices that have sent what is no JSON object: kept, forwarded as it is, and in no table',
      '发送过无法读取的消息（不是 JSON 对象）的设备：消息已保存，并原样上传，不在任何列表中',
    ),
  );

export const unreadable = z
  .object({
    ...counted,
    first_bytes: firstBytesShape
      .nullable()
      .describe(described('Null: the journal has removed it', 'null 表示日志中已将其删除')),
  })
  .nullable()
  .describe(
    described(
      'Messages of it that are no JSON object; null: none',
      '该设备发送的无法读取的消息（不是 JSON 对象）；null 表示没有',
    ),
  );

export const unreadableRecord = z
  .object({ why, ...sentenceShape, first_bytes: firstBytesShape })
  .nullable()
  .describe(described('Of a message that is no JSON object', '仅用于不是 JSON 对象的消息'));

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
      return [{ device_id: deviceId, name, messages: count, since, last_at: lastAt, ...unreadableWhy(why) }];
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
    ...{ messages: found.count, since: found.since, last_at: found.lastAt, ...unreadableWhy(found.why) },
    first_bytes: record && firstBytes(record.payload),
  };
}

export const unreadRecord = (of: LedgerRow['unreadable']): Report<typeof unreadableRecord> =>
  of && { ...unreadableWhy(of.why), first_bytes: of.firstBytes };
