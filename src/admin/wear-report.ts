import { z } from '@hono/zod-openapi';
import type { Wear } from '../store/index.ts';
import { described } from '../words/described.ts';
import type { Report } from './operation.ts';

/**
 * Bytes that the box writes to its disk, since `since` unless noted otherwise;
 * docs/operating/disk.md.
 */
export const wear = z.object({
  since: z.number().describe(described('When the store was opened', '存储打开的时间')),
  records: z.number(),
  payload_bytes: z.number().describe(described('What devices sent', '设备所发的')),
  written_bytes: z
    .number()
    .nullable()
    .describe(
      described(
        'Null where the system does not tell; so are the figures that come from it',
        '系统不提供时为 null；由其得出的数字也是',
      ),
    ),
  bytes_per_record: z
    .number()
    .nullable()
    .describe(described('Null, too, while there are no records', '没有记录时也为 null')),
  amplification: z
    .number()
    .nullable()
    .describe(described('Written bytes for each byte that devices sent', '设备每发送一字节所写入的字节数')),
  syncs: z.number(),
  syncs_per_second: z.number().describe(described('Over the last hour', '最近一小时')),
  bytes_per_day: z
    .number()
    .nullable()
    .describe(
      described(
        'At the rate of the last 24 hours; null in the first hour',
        '按最近 24 小时的速度；第一个小时内为 null',
      ),
    ),
  endurance_tb: z
    .number()
    .describe(described('`storage.endurance_tb`, in 10^12 bytes', '`storage.endurance_tb`，单位 10^12 字节')),
  life_days: z
    .number()
    .nullable()
    .describe(
      described(
        'How long a new card lasts at that rate; null in the first hour',
        '按此速度新卡可用多久；第一个小时内为 null',
      ),
    ),
});
export type WearReport = Report<typeof wear>;

const terabyte = 1e12;

/** `enduranceTb`: how much may be written to the disk in its life (`storage.endurance_tb`). */
export function wearReport(measured: Wear, enduranceTb: number): WearReport {
  const { records, payloadBytes, writtenBytes, bytesPerDay } = measured;
  return {
    since: measured.since,
    records,
    payload_bytes: payloadBytes,
    written_bytes: writtenBytes,
    bytes_per_record: writtenBytes === null || records === 0 ? null : Math.round(writtenBytes / records),
    amplification: writtenBytes === null || payloadBytes === 0 ? null : rounded(writtenBytes / payloadBytes, 10),
    syncs: measured.syncs,
    syncs_per_second: rounded(measured.syncsPerSecond, 1000),
    bytes_per_day: bytesPerDay === null ? null : Math.round(bytesPerDay),
    endurance_tb: enduranceTb,
    life_days: bytesPerDay ? Math.floor((enduranceTb * terabyte) / bytesPerDay) : null,
  };
}

const rounded = (value: number, steps: number): number => Math.round(value * steps) / steps;
