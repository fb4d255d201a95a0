import type { Wear } from '../store/index.ts';
import type { WearReport } from './status-report.ts';

const terabyte = 1e12;

/** `enduranceTb`: how much may be written to the disk in its life (`storage.endurance_tb`). */
export function wearReport(wear: Wear, enduranceTb: number): WearReport {
  const { records, payloadBytes, writtenBytes, bytesPerDay } = wear;
  return {
    since: wear.since,
    records,
    payload_bytes: payloadBytes,
    written_bytes: writtenBytes,
    bytes_per_record: writtenBytes === null || records === 0 ? null : Math.round(writtenBytes / records),
    amplification: writtenBytes === null || payloadBytes === 0 ? null : rounded(writtenBytes / payloadBytes, 10),
    syncs: wear.syncs,
    syncs_per_second: rounded(wear.syncsPerSecond, 1000),
    bytes_per_day: bytesPerDay === null ? null : Math.round(bytesPerDay),
    endurance_tb: enduranceTb,
    life_days: bytesPerDay ? Math.floor((enduranceTb * terabyte) / bytesPerDay) : null,
  };
}

const rounded = (value: number, steps: number): number => Math.round(value * steps) / steps;
