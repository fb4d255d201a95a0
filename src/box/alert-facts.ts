import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { clockReport, lastBackupAt, wearReport } from '../admin/index.ts';
import type { AlertFacts } from '../alerts/index.ts';
import type { Attendance, AttendanceStatus } from '../attendance/index.ts';
import type { Backups } from '../backups/index.ts';
import { clockSynchronized } from '../operations/index.ts';
import { unreadableWhy } from '../platform/unreadable.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import { areInodesLow } from '../runtime/inodes.ts';
import type { RememberedStore } from '../store/index.ts';
import type { Updates } from '../updates/index.ts';
import { noWhy, whyIn, whyOf } from '../words/sentences.ts';
import type { Gateways } from './gateways.ts';
import type { Storage } from './storage.ts';
import { upstreamConfig } from './uplink.ts';

type Facts = Omit<AlertFacts, 'channels'>;

const minuteMs = 60_000;
const hourMs = 3600_000;
const dayMs = 24 * hourMs;
/** Interval of reading facts that change by the hour. */
const slowEveryMs = 5 * minuteMs;
const loginsWithinMs = 10 * minuteMs;

type SlowFacts = Pick<
  Facts,
  'backup' | 'clockSynchronized' | 'deviceClocks' | 'unreadable' | 'certificateDays' | 'update' | 'rebooted'
>;

interface SlowParts {
  readonly updates: Pick<Updates, 'report'>;
  readonly backups: Pick<Backups, 'report'>;
}

/**
 * Reads what the alerts are measured by, from where `status`, doctor and the pages read it: memory,
 * and every five minutes some rows.
 */
export function alertFacts(
  storage: Storage,
  { devices, upstream }: Gateways,
  { attendance, ...parts }: SlowParts & { readonly attendance: Pick<Attendance, 'status'> },
): () => Promise<Facts> {
  const { config, store, clock } = storage;
  const hasLine = upstreamConfig(config) !== null;
  const refused = new CountedWithin(loginsWithinMs, clock);
  let slow: { readonly at: number; readonly facts: SlowFacts } | null = null;
  return async () => {
    const now = clock.now();
    if (!slow || clock.monotonic() - slow.at >= slowEveryMs)
      slow = { at: clock.monotonic(), facts: await slowFacts(storage, parts, now) };
    const room = store.room();
    const { state, unreadable, isUnwritable } = store.health();
    const { uplink, outbox } = await upstream.status();
    const [takenOver] = upstream.takenOver();
    const oldestMinutes = outbox.oldestAt === null ? 0 : (now - outbox.oldestAt) / minuteMs;
    return {
      ...slow.facts,
      disk: {
        usedPercent: room.sizeBytes === 0 ? 0 : 100 * (1 - room.roomBytes / room.sizeBytes),
        daysLeft: room.daysLeft,
        isLow: room.isLow,
        fewInodes: areInodesLow(room.inodes) ? room.inodes.free : null,
        state,
        unreadableRecords: unreadable?.records ?? null,
        isUnwritable,
      },
      wearDays: wearReport(store.wear(), config.storage.endurance_tb).life_days,
      line: hasLine
        ? {
            // Before its first try nothing is wrong with it; in turns with another box it is not
            // well.
            isUp: takenOver === undefined && (uplink.state === 'up' || uplink.since === null),
            isRefused: uplink.state === 'refused' || takenOver !== undefined,
            since: uplink.since,
            ...(takenOver ? whyOf(takenOver) : whyIn(uplink)),
            waiting: outbox.waiting,
            oldestMinutes,
            parked: outbox.parked,
          }
        : null,
      mirror: mirrorFacts(attendance.status()),
      silent: [...store.directory.devices()]
        .filter(device => devices.stateOf(device) === 'silent')
        .map(({ deviceId, name }) => ({ deviceId, name, since: null })),
      usedTwice: devices.usedTwice(),
      refusedLogins: refused.note(devices.counters().login_refused ?? 0),
    };
  };
}

/** Facts about the mirror; null if nothing was fetched since the start: completeness is unknown. */
function mirrorFacts({ mirror }: AttendanceStatus): Facts['mirror'] {
  if (!mirror) return { hidden: 0, held: 0, incomplete: noWhy };
  const { state, hidden, held, incomplete: why, incomplete_said: said } = mirror;
  return state === 'never' ? null : { hidden, held, incomplete: { why, ...said } };
}

async function slowFacts(
  { store, clock, time, certificates }: Storage,
  { updates, backups }: SlowParts,
  now: UnixMs,
): Promise<SlowFacts> {
  const lastSeen = await store.read.lastSeen();
  const deviceClocks = [...store.directory.devices()].flatMap(({ deviceNo, deviceId, name }) => {
    const { wrong, offset_s: seconds } = clockReport(lastSeen.get(deviceNo));
    return wrong && seconds !== null ? [{ deviceId, name, seconds: Math.round(seconds) }] : [];
  });
  const { found, impossible } = await updates.report();
  const scheduled = await backups.report();
  const isScheduled = scheduled.nextAt !== null;
  // Where a schedule is, a backup made by hand does not hide that it fails.
  const backupAt = scheduled.lastGoodAt ?? (await lastBackupAt(store.read));
  const since = backupAt ?? (await firstStart(store, now));
  const validTo = Date.parse(new X509Certificate(certificates.current().cert).validTo);
  return {
    backup: {
      ageDays: Math.max(0, now - since) / dayMs,
      never: backupAt === null,
      tooOldDays: isScheduled ? scheduled.tooOldMs / dayMs : null,
    },
    // A box that does not know the time is set by nothing, whatever the system says.
    clockSynchronized: time.doubt === null ? await clockSynchronized() : false,
    deviceClocks,
    unreadable: await unreadableNow(store, now),
    certificateDays: (validTo - now) / dayMs,
    update: impossible === null ? (found[0]?.name ?? '') : '',
    rebooted: await wasRebooted(store, clock),
  };
}

/** Devices whose last unreadable message is less than a day old, also by a clock that was ahead. */
async function unreadableNow({ read, directory }: Storage['store'], now: UnixMs): Promise<SlowFacts['unreadable']> {
  return (await read.malformed()).flatMap(({ deviceNo, lastAt, count, since, why }) => {
    const device = directory.deviceByNo(deviceNo);
    if (!device || Math.abs(now - lastAt) >= dayMs) return [];
    return [{ deviceId: device.deviceId, name: device.name, count, since, ...unreadableWhy(why) }];
  });
}

const service = 'box';

/** A box that has never made a backup counts from its first start. */
async function firstStart({ read, write }: RememberedStore, now: UnixMs): Promise<UnixMs> {
  const key = 'first start';
  const kept = await read.remembered(service, key);
  if (!kept) await write.remember({ service, key, value: '', at: now });
  return kept?.at ?? now;
}

/** For an hour after the machine was started again; the first start of a box is none. */
async function wasRebooted({ read, write, once }: Storage['store'], clock: Clock): Promise<boolean> {
  // The processes of a region stand on machines of their own.
  const key = once ? `boot ${hostname()}` : 'boot';
  const now = clock.now();
  const kept = await read.remembered(service, key);
  const boot = bootId();
  if (boot === null) return false;
  const [id, kind] = kept?.value.split(' ') ?? [];
  if (id !== boot) {
    await write.remember({ service, key, value: `${boot} ${kept ? 'again' : 'first'}`, at: now });
    return kept !== null;
  }
  return kind === 'again' && now - kept!.at < hourMs;
}

/** Another at each start of the machine; null: the system does not say. */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

/** By how much a count, which begins at 0 with the program, has risen within some time. */
class CountedWithin {
  readonly #ms: number;
  readonly #clock: Clock;
  readonly #samples: { readonly at: number; readonly count: number }[];

  constructor(ms: number, clock: Clock) {
    this.#ms = ms;
    this.#clock = clock;
    this.#samples = [{ at: clock.monotonic(), count: 0 }];
  }

  note(count: number): number {
    const at = this.#clock.monotonic();
    this.#samples.push({ at, count });
    while (this.#samples.length > 1 && at - this.#samples[1]!.at >= this.#ms) this.#samples.shift();
    return count - this.#samples[0]!.count;
  }
}
