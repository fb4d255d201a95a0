import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import type { UnixMs } from '../../runtime/clock.ts';
import { areInodesLow, inodesOf } from '../../runtime/inodes.ts';
import { shortTime } from '../../runtime/short-time.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import { flushTime, unfitPlace } from '../../store/index.ts';
import { found } from '../../words/checks.ts';
import { type Why, withWhy } from '../../words/sentences.ts';
import type { Finding } from './check.ts';

const dayMs = 24 * 3600_000;
const endsSoonDays = 14;
const lowBytes = 256 * 1024 * 1024;

/** Check of the certificate that devices are shown. */
export function certificateCheck(pem: string, now: UnixMs, timeZone: string): Finding {
  const certificate = new X509Certificate(pem);
  const { day: until } = dayOf(Date.parse(certificate.validTo), timeZone);
  const days = Math.floor((Date.parse(certificate.validTo) - now) / dayMs);
  if (Date.parse(certificate.validFrom) > now) return { state: 'failed', ...found('certificate_early') };
  if (days < 0) return { state: 'failed', ...found('certificate_ended', { until }) };
  if (days < endsSoonDays) return { state: 'warn', ...found('certificate_ends', { until }) };
  return { state: 'ok', ...found('certificate', { until }) };
}

/** Health of the disk, as the store reports it. */
export interface DiskHealth extends Why {
  readonly state: string;
  /** Records that cannot be read, at most; null: nothing is unreadable. */
  readonly unreadable: { readonly records: number } | null;
  /** Its database file cannot be written in places. */
  readonly isUnwritable: boolean;
}

/** `health` null: the box does not run. */
export function diskCheck(dataDir: string, environment: 'test' | 'production', health: DiskHealth | null): Finding {
  if (!existsSync(dataDir)) return { state: 'warn', ...found('disk_none', { folder: dataDir }) };
  const unfit = unfitPlace(dataDir, environment);
  if (unfit) return { state: 'failed', ...unfit };
  const { bavail, bsize, blocks, ...files } = statfsSync(dataDir);
  const freeBytes = bavail * bsize;
  const megabytes = Math.floor(freeBytes / 1_000_000);
  if (health && health.state !== 'ok')
    return { state: 'failed', ...found(health.state === 'disk_full' ? 'disk_no_room' : 'disk_fails', withWhy(health)) };
  if (!isWritable(dataDir)) return { state: 'failed', ...found('disk_write_protected', { folder: dataDir }) };
  if (health?.unreadable)
    return { state: 'failed', ...found('disk_unreadable', { records: health.unreadable.records }) };
  if (health?.isUnwritable) return { state: 'failed', ...found('disk_unwritable') };
  if (freeBytes < Math.min(lowBytes, (blocks * bsize) / 10))
    return { state: 'warn', ...found('disk_low', { megabytes }) };
  const inodes = inodesOf(files);
  if (areInodesLow(inodes)) {
    const { free, size } = inodes;
    return { state: 'warn', ...found('disk_inodes', { free, size, megabytes }) };
  }
  return { state: 'ok', ...found('disk', { megabytes }) };
}

/** How fast the disk is believed; null: not measured. */
export function flushFinding(dataDir: string): Finding | null {
  const flush = flushTime(dataDir);
  if (flush === null) return null;
  const params = { ms: shortTime(flush.ms) };
  return flush.isTooFast
    ? { state: 'warn', ...found('disk_flush_too_fast', params) }
    : { state: 'ok', ...found('disk_flush', params) };
}

/** False only if its file system is read-only: another user's doctor may not write there either. */
function isWritable(dataDir: string): boolean {
  try {
    accessSync(dataDir, constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EROFS';
  }
}

/** The state of a radio. `off`: switched off in the config. */
export type RadioState = 'off' | 'simulated' | 'no_bus' | 'no_service' | 'no_adapter' | 'ready';

const services = { bluetooth: 'BlueZ', wifi: 'NetworkManager' } as const;

export function radioCheck(radio: 'bluetooth' | 'wifi', state: RadioState): Finding {
  const params = { service: services[radio], radio };
  switch (state) {
    case 'off':
      return { state: 'ok', ...found('radio_off') };
    case 'simulated':
      return { state: 'ok', ...found('radio_simulated') };
    case 'ready':
      return { state: 'ok', ...found('radio', params) };
    default:
      return { state: 'failed', ...found(`radio_${state}`, params) };
  }
}
