import type { AlertDetails, AlertKind, AlertRules, AlertSeverity } from '../platform/alerts.ts';
import { alertKindTable } from '../platform/alerts.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { Coded, Why } from '../words/sentences.ts';
import type { Facts } from './facts.ts';

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

/**
 * How the facts stand by the rules. What another trouble explains is well. A kind of which no alert
 * is sent is judged all the same: the list of what wants a person has it.
 */
export function judge(facts: Facts, rules: AlertRules): Judgement {
  const found = new Map<AlertKind, Judged[]>();
  const note = (kind: AlertKind, level: Judged['level'], more: Partial<Judged> = {}) => {
    const one: Judged = { subject: '', level, severity: severityOf(kind), since: null, details: {}, ...more };
    const others = found.get(kind);
    if (others) others.push(one);
    else found.set(kind, [one]);
  };
  const above = (value: number, at: number, release: number) =>
    value >= at ? 'over' : value >= release ? 'between' : 'clear';
  const below = (value: number, at: number, release: number) =>
    value <= at ? 'over' : value <= release ? 'between' : 'clear';
  const atOf = (kind: AlertKind): number => rules[kind].at ?? 0;
  const severityOf = (kind: AlertKind): AlertSeverity => {
    const { severity } = rules[kind];
    return severity === 'off' ? alertKindTable[kind].severity : severity;
  };
  const worse = (kind: AlertKind, isCritical: boolean): AlertSeverity => (isCritical ? 'critical' : severityOf(kind));
  // Known and well: what was open is over.
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
  for (const kind of ['never', 'approval'] as const)
    for (const { deviceId, name } of kind === 'never' ? facts.neverHere : facts.unapproved)
      note(kind, 'over', { subject: deviceId, details: { name } });
  if (facts.rejected > 0) note('rejected', 'over', { details: { count: facts.rejected } });
  if (facts.known === 0) note('no_device', 'over');
  if (facts.refusedLogins !== null)
    note('logins', above(facts.refusedLogins, atOf('logins'), atOf('logins') / 2), {
      details: { count: facts.refusedLogins },
    });
  if (backup) {
    const at = backup.tooOldDays ?? atOf('backup');
    const level = above(backup.ageDays, at, at);
    note('backup', level, { details: { days: Math.floor(backup.ageDays), never: Number(backup.never) } });
    if (backup.never && level === 'clear') note('no_backup', 'over');
  }
  if (facts.recoveryKey !== null && facts.recoveryKey !== 'kept')
    note('recovery_key', 'over', { details: { state: facts.recoveryKey } });
  if (!facts.zone.isConfirmed) note('zone', 'over', { details: { zone: facts.zone.name } });
  if (facts.monthToClose !== null) note('month', 'over', { details: { month: facts.monthToClose } });
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
  for (const { name, ...of } of facts.dailyReports)
    note('daily_report', 'over', { subject: name, details: detailsOf(of) });
  for (const { name, failures, ...of } of facts.channels)
    note('channel', above(failures, atOf('channel'), 1), { subject: name, details: { failures, ...detailsOf(of) } });
  return found;
}

function stateOfDisk({ state, unreadableRecords, isUnwritable }: NonNullable<Facts['disk']>): string {
  if (state !== 'ok') return state;
  if (unreadableRecords !== null) return 'unreadable';
  return isUnwritable ? 'unwritable' : 'ok';
}

/** A reason: its text, code and values. */
const detailsOf = (of: Why): AlertDetails => ({ why: of.why, ...codedDetails(of) });

const codedDetails = ({ code, params }: Coded): AlertDetails =>
  code === undefined ? {} : { code, params: params ?? {} };

const daysOf = (days: number | null): AlertDetails => (days === null ? {} : { days });

function isKnown(kind: AlertKind, facts: Facts): boolean {
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
    case 'rejected':
    case 'approval':
    case 'never':
    case 'no_device':
    case 'no_backup':
    case 'recovery_key':
    case 'zone':
    case 'month':
    case 'daily_report':
    case 'channel':
      return true;
  }
}
