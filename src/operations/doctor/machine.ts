import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import type { UnixMs } from '../../runtime/clock.ts';
import { areInodesLow, inodesOf } from '../../runtime/inodes.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { Finding } from './check.ts';

const dayMs = 24 * 3600_000;
const endsSoonDays = 14;
const lowBytes = 256 * 1024 * 1024;

/** Check of the certificate that devices are shown. */
export function certificateCheck(pem: string, now: UnixMs, timeZone: string): Finding {
  const certificate = new X509Certificate(pem);
  const { day: until } = dayOf(Date.parse(certificate.validTo), timeZone);
  const days = Math.floor((Date.parse(certificate.validTo) - now) / dayMs);
  const facts = { until, days: String(days) };
  const remedy = 'renew it and restart the box; a certificate that the box made renews itself: then look at the clock';
  if (Date.parse(certificate.validFrom) > now)
    return {
      state: 'failed',
      code: 'certificate_early',
      facts,
      message: "the box's certificate is not valid yet",
      remedy: 'set the clock of this box',
    };
  if (days < 0)
    return {
      state: 'failed',
      code: 'certificate_ended',
      facts,
      message: `the box's certificate ended ${until}`,
      remedy,
    };
  if (days < endsSoonDays)
    return { state: 'warn', code: 'certificate_ends', facts, message: `the box's certificate ends ${until}`, remedy };
  return { state: 'ok', code: 'certificate', facts, message: `valid until ${until}` };
}

/** Health of the disk, as the store reports it. */
export interface DiskHealth {
  readonly state: string;
  readonly why: string;
  /** Records that cannot be read, at most; null: nothing is unreadable. */
  readonly unreadable: { readonly records: number } | null;
  /** Its database file cannot be written in places. */
  readonly isUnwritable: boolean;
}

const newCard = 'make a backup, put in a new card and restore the backup there';

/** `health` null: the box does not run. */
export function diskCheck(dataDir: string, health: DiskHealth | null): Finding {
  if (!existsSync(dataDir))
    return {
      state: 'warn',
      code: 'disk_none',
      message: `${dataDir} is not there`,
      remedy: 'name the --data-dir or --config of the box, or start it once',
    };
  const { bavail, bsize, blocks, ...files } = statfsSync(dataDir);
  const free = bavail * bsize;
  const megabytes = String(Math.floor(free / 1_000_000));
  const facts = { megabytes };
  const remedy = 'free some space, or move the box to a larger disk by backup and restore';
  if (health && health.state !== 'ok') {
    const isFull = health.state === 'disk_full';
    const message = `nothing is accepted: ${health.why}`;
    const once = `start the machine again once, which repairs the file system; if it stays so, ${newCard}`;
    return {
      state: 'failed',
      code: isFull ? 'disk_full' : 'disk_fails',
      facts,
      message,
      remedy: isFull ? remedy : once,
    };
  }
  if (!isWritable(dataDir))
    return {
      state: 'failed',
      code: 'disk_read_only',
      facts,
      message: `${dataDir} is on a disk that takes no writes: the system makes it read-only after an error`,
      remedy: `start the machine again, which repairs the file system; if it happens twice, ${newCard}`,
    };
  if (health?.unreadable)
    return {
      state: 'failed',
      code: 'disk_unreadable',
      facts: { ...facts, records: String(health.unreadable.records) },
      message: `the disk cannot be read in places (at most ${health.unreadable.records} records of the journal; gatehouse status says which); the rest works`,
      remedy: newCard,
    };
  if (health?.isUnwritable)
    return {
      state: 'failed',
      code: 'disk_unwritable',
      facts,
      message:
        'the disk cannot be written in places: what is acknowledged is kept in the log of the database, which grows',
      remedy: newCard,
    };
  if (free < Math.min(lowBytes, (blocks * bsize) / 10))
    return { state: 'warn', code: 'disk_low', facts, message: `${megabytes} MB are free`, remedy };
  const inodes = inodesOf(files);
  if (areInodesLow(inodes))
    return {
      state: 'warn',
      code: 'disk_inodes',
      facts: { ...facts, free: String(inodes.free), size: String(inodes.size) },
      message: `${inodes.free} of ${inodes.size} inodes are free: the disk can hold few more files, though it has ${megabytes} MB`,
      remedy: 'find out with `du --inodes` where many files lie and remove them, or move the box to a larger disk',
    };
  return { state: 'ok', code: 'disk', facts, message: `${megabytes} MB are free` };
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
const packages = { bluetooth: 'bluez', wifi: 'network-manager' } as const;

export function radioCheck(radio: 'bluetooth' | 'wifi', state: RadioState): Finding {
  const service = services[radio];
  const facts = { service };
  const off = `or set provisioning.${radio} to off`;
  switch (state) {
    case 'off':
      return { state: 'ok', code: 'radio_off', facts, message: 'switched off in the config' };
    case 'simulated':
      return { state: 'ok', code: 'radio_simulated', facts, message: 'simulated' };
    case 'ready':
      return { state: 'ok', code: 'radio', facts, message: `${service} is there, with an adapter` };
    case 'no_bus':
      return {
        state: 'failed',
        code: 'radio_no_bus',
        facts,
        message: "the system's D-Bus cannot be reached",
        remedy: `start D-Bus on this machine, ${off}`,
      };
    case 'no_service':
      return {
        state: 'failed',
        code: 'radio_no_service',
        facts,
        message: `${service} does not run`,
        remedy: `install and start it (package ${packages[radio]}), ${off}`,
      };
    case 'no_adapter':
      return {
        state: 'failed',
        code: 'radio_no_adapter',
        facts,
        message: `${service} has no adapter`,
        remedy: `plug one in, see that rfkill does not block it, ${off}`,
      };
  }
}
