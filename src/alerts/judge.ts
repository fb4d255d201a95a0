import type { AlertDetails, AlertKind, AlertRules, AlertSeverity } from '../platform/alerts.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { Coded, Why } from '../words/sentences.ts';

/**
 * Facts by which alerts are judged. A part that is null is unknown at the moment: its alerts stay
 * as they are.
 */
export interface AlertFacts {
  readonly disk: {
    readonly usedPercent: number;
    readonly daysLeft: number | null;
    /** A tenth of the disk, of its inodes, or three days are left, or less: that of `status`. */
    readonly isLow: boolean;
    /** How many are left; null: enough, or the file system does not count them. */
    readonly fewInodes: number | null;
    /** `ok`, or why nothing is acknowledged. */
    readonly state: string;
    /** Records that cannot be read from the disk, at most; null: everything can. */
    readonly unreadableRecords: number | null;
    /** Its database file cannot be written in places. */
    readonly isUnwritable: boolean;
  } | null;
  /** How many days a new card lasts at this rate. */
  readonly wearDays: number | null;
  /** State of the line; null without a cloud. */
  readonly line:
    | ({
        readonly isUp: boolean;
        readonly isRefused: boolean;
        readonly since: UnixMs | null;
        readonly waiting: number;
        readonly oldestMinutes: number;
        readonly parked: number;
      } & Why)
    | null;
  /** Of the copy of the cloud's organization; a box without one has none missing. */
  readonly mirror: { readonly hidden: number; readonly held: number; readonly incomplete: Why } | null;
  /** Devices that were here and are away, by the definition of `status`. */
  readonly silent:
    | readonly { readonly deviceId: string; readonly name: string; readonly since: UnixMs | null }[]
    | null;
  /** Logins that were refused in the last ten minutes. */
  readonly refusedLogins: number | null;
  /** `never`: since when the box has had none. */
  readonly backup: {
    readonly ageDays: number;
    readonly never: boolean;
    /** The threshold by the schedule, two of its intervals and an hour; null: that of the rule. */
    readonly tooOldDays: number | null;
  } | null;
  /** Whether the network sets the clock of the box. */
  readonly clockSynchronized: boolean | null;
  /** Devices whose clock is proved wrong. */
  readonly deviceClocks:
    | readonly { readonly deviceId: string; readonly name: string; readonly seconds: number }[]
    | null;
  /** Device ids that two devices log in with. */
  readonly usedTwice:
    | readonly {
        readonly deviceId: string;
        readonly name: string;
        readonly addresses: readonly string[];
        readonly since: UnixMs;
      }[]
    | null;
  /** Devices that sent a message less than a day ago that is no JSON object. */
  readonly unreadable:
    | readonly ({
        readonly deviceId: string;
        readonly name: string;
        /** All of them, since this moment. */
        readonly count: number;
        readonly since: UnixMs;
      } & Why)[]
    | null;
  readonly certificateDays: number | null;
  /** The bundle that waits; empty: none does. */
  readonly update: string | null;
  /** The machine was started again less than an hour ago. */
  readonly rebooted: boolean | null;
  /** Messages in a row that did not get through, of each channel. */
  readonly channels: readonly ({ readonly name: string; readonly failures: number } & Why)[];
}

/** One thing that may be wrong, and how it stands. */
export interface Judged {
  readonly subject: string;
  /**
   * `between`: better than the threshold, and not yet as good as it must be for the alert to end.
   */
  readonly level: 'clear' | 'between' | 'over';
  readonly severity: AlertSeverity;
  /** Since when it has been so; null: not known. */
  readonly since: UnixMs | null;
  readonly details: AlertDetails;
}

/** Judgements by kind. A kind that is absent is unknown; a subject that is absent is well. */
export type Judgement = ReadonlyMap<AlertKind, readonly Judged[]>;

const wearIsCriticalDays = 60;
const certificateIsCriticalDays = 7;

/** How the facts stand by the rules. What a rule leaves out or another trouble explains is well. */
export function judge(facts: AlertFacts, rules: AlertRules): Judgement {
  const found = new Map<AlertKind, Judged[]>();
  const note = (kind: AlertKind, level: Judged['level'], more: Partial<Judged> = {}) => {
    const { severity } = rules[kind];
    if (severity === 'off') return;
    const one: Judged = { subject: '', level, severity, since: null, details: {}, ...more };
    const others = found.get(kind);
    if (others) others.push(one);
    else found.set(kind, [one]);
  };
  const above = (value: number, at: number, release: number) =>
    value >= at ? 'over' : value >= release ? 'between' : 'clear';
  const below = (value: number, at: number, release: number) =>
    value <= at ? 'over' : value <= release ? 'between' : 'clear';
  const atOf = (kind: AlertKind): number => rules[kind].at ?? 0;
  const worse = (kind: AlertKind, isCritical: boolean): AlertSeverity => {
    const { severity } = rules[kind];
    return isCritical || severity === 'off' ? 'critical' : severity;
  };
  // A kind that is off, or known and well: what was open is over.
  for (const kind of Object.keys(rules) as AlertKind[]) if (isKnown(kind, facts)) found.set(kind, []);

  const { disk, line, wearDays, backup, certificateDays } = facts;
  if (disk) {
    const isUnreadable = disk.unreadableRecords !== null;
    const isBad = disk.isLow || disk.state !== 'ok' || isUnreadable || disk.isUnwritable;
    const level = isBad ? 'over' : above(disk.usedPercent, atOf('disk'), atOf('disk') - 5);
    const details = {
      percent: Math.round(disk.usedPercent),
      state: stateOfDisk(disk),
      ...daysOf(disk.daysLeft),
      ...(disk.fewInodes === null ? {} : { inodes: disk.fewInodes }),
      ...(isUnreadable ? { records: disk.unreadableRecords } : {}),
    };
    note('disk', level, { severity: worse('disk', isBad), details });
  }
  if (wearDays !== null)
    note('wear', below(wearDays, atOf('wear'), atOf('wear') * 1.1), {
      severity: worse('wear', wearDays < wearIsCriticalDays),
      details: { days: Math.round(wearDays) },
    });
  if (line) {
    const { isUp, isRefused, since, waiting } = line;
    const details = { ...detailsOf(line), waiting, refused: Number(isRefused), ...daysOf(disk?.daysLeft ?? null) };
    note('line', isUp ? 'clear' : 'over', { since, severity: worse('line', isRefused), details });
    // While the line is away, everything waits: that alert says so.
    note('backlog', isUp ? above(line.oldestMinutes, atOf('backlog'), atOf('backlog') / 2) : 'clear', {
      details: { minutes: Math.round(line.oldestMinutes), waiting },
    });
    note('refused_records', above(line.parked, atOf('refused_records'), 1), { details: { count: line.parked } });
  }
  if (facts.mirror) {
    const { hidden, held, incomplete } = facts.mirror;
    const missing = hidden + held;
    note('missing_at_cloud', missing > 0 || incomplete.why !== '' ? 'over' : 'clear', {
      details: { missing, held, incomplete: incomplete.why, ...codedDetails(incomplete) },
    });
  }
  // Devices that the box itself takes nothing from are not silent: the disk's alert says why.
  for (const { deviceId, name, since } of facts.silent ?? [])
    note('silent', 'over', { subject: deviceId, since, details: { name } });
  if (facts.refusedLogins !== null)
    note('logins', above(facts.refusedLogins, atOf('logins'), atOf('logins') / 2), {
      details: { count: facts.refusedLogins },
    });
  if (backup) {
    const at = backup.tooOldDays ?? atOf('backup');
    note('backup', above(backup.ageDays, at, at), {
      details: { days: Math.floor(backup.ageDays), never: Number(backup.never) },
    });
  }
  if (facts.clockSynchronized !== null) note('box_clock', facts.clockSynchronized ? 'clear' : 'over');
  for (const { deviceId, name, seconds } of facts.deviceClocks ?? [])
    note('device_clock', 'over', { subject: deviceId, details: { name, seconds } });
  for (const { deviceId, name, count, since, ...of } of facts.unreadable ?? [])
    note('unreadable', 'over', { subject: deviceId, since, details: { name, count, ...detailsOf(of) } });
  for (const { deviceId, name, since, addresses } of facts.usedTwice ?? [])
    note('used_twice', 'over', { subject: deviceId, since, details: { name, addresses: addresses.join(' and ') } });
  if (certificateDays !== null)
    note('certificate', below(certificateDays, atOf('certificate'), atOf('certificate')), {
      severity: worse('certificate', certificateDays < certificateIsCriticalDays),
      details: { days: Math.floor(certificateDays) },
    });
  if (facts.update) note('update', 'over', { details: { file: facts.update } });
  if (facts.rebooted) note('rebooted', 'over');
  for (const { name, failures, ...of } of facts.channels)
    note('channel', above(failures, atOf('channel'), 1), { subject: name, details: { failures, ...detailsOf(of) } });
  return found;
}

function stateOfDisk({ state, unreadableRecords, isUnwritable }: NonNullable<AlertFacts['disk']>): string {
  if (state !== 'ok') return state;
  if (unreadableRecords !== null) return 'unreadable';
  return isUnwritable ? 'unwritable' : 'ok';
}

/** A reason: its text, code and values. */
const detailsOf = (of: Why): AlertDetails => ({ why: of.why, ...codedDetails(of) });

const codedDetails = ({ code, params }: Coded): AlertDetails =>
  code === undefined ? {} : { code, params: params ?? {} };

const daysOf = (days: number | null): AlertDetails => (days === null ? {} : { days });

function isKnown(kind: AlertKind, facts: AlertFacts): boolean {
  switch (kind) {
    case 'disk':
      return facts.disk !== null;
    case 'wear':
      return facts.wearDays !== null;
    case 'missing_at_cloud':
      return facts.mirror !== null;
    case 'silent':
      return facts.silent !== null;
    case 'logins':
      return facts.refusedLogins !== null;
    case 'backup':
      return facts.backup !== null;
    case 'box_clock':
      return facts.clockSynchronized !== null;
    case 'device_clock':
      return facts.deviceClocks !== null;
    case 'unreadable':
      return facts.unreadable !== null;
    case 'used_twice':
      return facts.usedTwice !== null;
    case 'certificate':
      return facts.certificateDays !== null;
    case 'update':
      return facts.update !== null;
    case 'rebooted':
      return facts.rebooted !== null;
    // A box whose cloud was taken out of its config has no line to warn of.
    case 'line':
    case 'backlog':
    case 'refused_records':
    case 'channel':
      return true;
  }
}
