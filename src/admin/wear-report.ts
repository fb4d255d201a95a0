import { z } from '@hono/zod-openapi';
import type { Wear } from '../store/index.ts';
import type { Report } from './operation.ts';

/**
 * Bytes that the box writes to its disk, since `since` unless noted otherwise;
 * docs/operating/disk.md.
 */
export const wear = z.object({
  since: z.number().describe('When the store was opened'),
  records: z.number(),
  payload_bytes: z.number().describe('What devices sent'),
  written_bytes: z
    .number()
    .nullable()
    .describe('Null where the system does not tell; so are the figures that come from it'),
  bytes_per_record: z.number().nullable().describe('Null, too, while there are no records'),
  amplification: z.number().nullable().describe('Written bytes for each byte that devices sent'),
  syncs: z.number(),
  syncs_per_second: z.number().describe('Over the last hour'),
  bytes_per_day: z.number().nullable().describe('At the rate of the last 24 hours; null in the first hour'),
  endurance_tb: z.number().describe('`storage.endurance_tb`, in 10^12 bytes'),
  life_days: z.number().nullable().describe('How long a new card lasts at that rate; null in the first hour'),
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
