import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import {
  clockReport,
  keptRecoveryKey,
  lastBackupAt,
  monthToClose,
  waitsForPeopleData,
  wearReport,
} from '../admin/index.ts';
import type { Attendance, AttendanceStatus } from '../attendance/index.ts';
import type { Backups } from '../backups/index.ts';
import { clockSynchronized } from '../operations/index.ts';
import type { DeviceState } from '../platform/device-state.ts';
import { unreadableWhy } from '../platform/unreadable.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import { areInodesLow } from '../runtime/inodes.ts';
import { dayOf } from '../runtime/wall-time.ts';
import type { Facts as AllFacts, NamedDevice } from '../standing/index.ts';
import type { Device, RememberedStore } from '../store/index.ts';
import type { Updates } from '../updates/index.ts';
import { noWhy, whyIn, whyOf } from '../words/sentences.ts';
import type { Gateways } from './gateways.ts';
import type { Storage } from './storage.ts';
import { upstreamConfig } from './uplink.ts';

type Facts = Omit<AllFacts, 'channels'>;

const minuteMs = 60_000;
const hourMs = 3600_000;
const dayMs = 24 * hourMs;
/** Interval of asking the system what changes by the hour. */
const systemEveryMs = 5 * minuteMs;
/** For so long a report that was given up is told of. */
const reportMs = 36 * hourMs;
const loginsWithinMs = 10 * minuteMs;

type SystemFacts = Pick<Facts, 'clockSynchronized' | 'update' | 'rebooted'>;

interface Asked {
  readonly updates: Pick<Updates, 'report'>;
  /** Null in a region. */
  readonly backups: Pick<Backups, 'report'> | null;
}

/**
 * Reads what tells whether something wants a person, from where `status`, doctor and the pages read
 * it: memory and a few rows, and every five minutes the system.
 */
export function standingFacts(
  storage: Storage,
  { devices, upstream }: Gateways,
  { attendance, ...parts }: Asked & { readonly attendance: Pick<Attendance, 'status'> },
): () => Promise<Facts> {
  const { config, settings, store, clock, time } = storage;
  const hasLine = upstreamConfig(config) !== null;
  const refused = new CountedWithin(loginsWithinMs, clock);
  const silentSince = new SilentSince(clock);
  let system: { readonly at: number; readonly facts: SystemFacts } | null = null;
  return async () => {
    const now = clock.now();
    if (!system || clock.monotonic() - system.at >= systemEveryMs)
      system = { at: clock.monotonic(), facts: await systemFacts(storage, parts) };
    const room = store.room();
    const { state, unreadable, isUnwritable } = store.health();
    const { uplink, outbox } = await upstream.status();
    const [takenOver] = upstream.takenOver();
    const oldestMinutes = outbox.oldestAt === null ? 0 : (now - outbox.oldestAt) / minuteMs;
    const known = [...store.directory.devices()];
    const inState = (state: DeviceState) => known.filter(device => devices.stateOf(device) === state);
    return {
      ...system.facts,
      // A box that does not know the time is set by nothing, whatever the system says.
      ...(time.doubt === null ? {} : { clockSynchronized: false }),
      ...(await keptFacts(storage, parts, now)),
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
      silent: silentSince.note(inState('silent')),
      known: known.length,
      online: devices.status().online,
      neverHere: inState('never').map(named),
      unapproved: known.filter(one => waitsForPeopleData(one, store.directory)).map(named),
      rejected: devices.status().refused,
      zone: { name: config.site.timezone, isConfirmed: settings.settings().timezone.isConfirmed },
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

const named = ({ deviceId, name }: Device): NamedDevice => ({ deviceId, name });

async function systemFacts({ store, clock }: Storage, { updates }: Asked): Promise<SystemFacts> {
  const { found, impossible } = await updates.report();
  return {
    clockSynchronized: await clockSynchronized(),
    update: impossible === null ? (found[0]?.name ?? '') : '',
    rebooted: await wasRebooted(store, clock),
  };
}

type KeptFacts = Pick<
  Facts,
  'backup' | 'recoveryKey' | 'deviceClocks' | 'unreadable' | 'certificateDays' | 'monthToClose' | 'dailyReports'
>;

async function keptFacts(
  { config, store, certificates }: Storage,
  { backups }: Asked,
  now: UnixMs,
): Promise<KeptFacts> {
  const lastSeen = await store.read.lastSeen();
  const deviceClocks = [...store.directory.devices()].flatMap(({ deviceNo, deviceId, name }) => {
    const { wrong, offset_s: seconds } = clockReport(lastSeen.get(deviceNo));
    return wrong && seconds !== null ? [{ deviceId, name, seconds: Math.round(seconds) }] : [];
  });
  const validTo = Date.parse(new X509Certificate(certificates.current().cert).validTo);
  return {
    backup: backups && (await backupNow(backups, store, now)),
    recoveryKey: backups && (await keptRecoveryKey(store.read)),
    deviceClocks,
    unreadable: await unreadableNow(store, now),
    certificateDays: (validTo - now) / dayMs,
    monthToClose: await monthToClose(store, dayOf(now, config.site.timezone).day),
    dailyReports: await givenUpReports(config, store, now),
  };
}

async function backupNow(
  backups: NonNullable<Asked['backups']>,
  store: Storage['store'],
  now: UnixMs,
): Promise<Facts['backup']> {
  const { nextAt, lastGoodAt, tooOldMs } = await backups.report();
  // Where a schedule is, a backup made by hand does not hide that it fails.
  const madeAt = lastGoodAt ?? (await lastBackupAt(store.read));
  const since = madeAt ?? (await firstStart(store, now));
  return {
    ageDays: Math.max(0, now - since) / dayMs,
    never: madeAt === null,
    tooOldDays: nextAt === null ? null : tooOldMs / dayMs,
  };
}

/** Of entries that are still there, until the report of another day has an outcome. */
async function givenUpReports({ attendance }: Storage['config'], { read }: Storage['store'], now: UnixMs) {
  const last = new Map((await read.dailyReportsSince(now - reportMs)).map(one => [one.name, one]));
  const givenUp = [...last.values()].filter(({ state }) => state === 'given_up');
  if (givenUp.length === 0) return [];
  const names = new Set([...attendance.daily_reports, ...(await read.dailyReports())].map(({ name }) => name));
  return givenUp.filter(({ name }) => names.has(name)).map(({ name, ...of }) => ({ name, ...whyIn(of) }));
}

/** Devices whose last unreadable message is less than a day old, also by a clock that was ahead. */
async function unreadableNow({ read, directory }: Storage['store'], now: UnixMs): Promise<Facts['unreadable']> {
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

/** Since when devices are silent: as far as this program has seen them go. */
class SilentSince {
  readonly #clock: Clock;
  /** Moments by device id; null: silent when this program looked first. */
  #since: ReadonlyMap<string, UnixMs | null> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(silent: readonly Device[]): NonNullable<Facts['silent']> {
    const [before, now] = [this.#since, this.#clock.now()];
    const at = (deviceId: string): UnixMs | null =>
      before ? (before.has(deviceId) ? before.get(deviceId)! : now) : null;
    this.#since = new Map(silent.map(({ deviceId }) => [deviceId, at(deviceId)]));
    return silent.map(one => ({ ...named(one), since: this.#since!.get(one.deviceId) ?? null }));
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
