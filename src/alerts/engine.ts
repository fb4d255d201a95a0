import { type Alert, type AlertKind, type AlertRules, alertKinds, severityRank } from '../platform/alerts.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { Judged, Judgement } from '../standing/index.ts';

/** State of the engine between two steps. */
export interface EngineState {
  /** Troubles that have not lasted as long as their rule wants, by `kind subject`. */
  readonly pending: ReadonlyMap<string, { readonly from: number; readonly at: UnixMs }>;
  /** Open alerts, and those of which a message is to come. Oldest first. */
  readonly alerts: readonly Alert[];
  /** Open alerts whose trouble has gone, and since when, by id: monotonic. */
  readonly clearing: ReadonlyMap<string, number>;
}

/** `now` stamps; `monotonic` measures how long something lasts, whatever is done to the clock. */
export interface Moment {
  readonly now: UnixMs;
  readonly monotonic: number;
}

/** Alerts that are open at once; the rest would be devices of one trouble. */
const openMax = 5000;
/** A trouble must be gone for so long, at most the rule's minutes: if it flaps, it is one alert. */
const clearMinutesMax = 2;
const minuteMs = 60_000;

export const engineOf = (alerts: readonly Alert[]): EngineState => ({
  pending: new Map(),
  alerts,
  clearing: new Map(),
});

/**
 * One step: opens an alert for what has been wrong for its rule's minutes, and ends one whose
 * trouble has gone. Changes nothing of a kind that is not known at the moment.
 */
export function step(
  { pending, alerts, clearing }: EngineState,
  judgement: Judgement,
  rules: AlertRules,
  { now, monotonic }: Moment,
  newId: () => string,
): EngineState {
  const stillPending = new Map<string, { from: number; at: UnixMs }>();
  const stillClearing = new Map<string, number>();
  const open = new Map(alerts.filter(({ overAt }) => overAt === null).map(one => [keyOf(one.kind, one.subject), one]));
  const changed = new Map<string, Alert>();
  const opened: Alert[] = [];

  for (const kind of alertKinds) {
    // Of a kind that is off nothing opens, and what was open is over.
    const judged = rules[kind].severity === 'off' ? [] : judgement.get(kind);
    const holdMs = rules[kind].minutes * minuteMs;
    if (!judged) {
      for (const [key, since] of pending) if (kindOf(key) === kind) stillPending.set(key, since);
      continue;
    }
    const seen = new Map(judged.map(one => [keyOf(kind, one.subject), one]));
    for (const [key, one] of seen) {
      const alert = open.get(key);
      if (alert) {
        const kept = one.level === 'over' ? risen(alert, one) : alert;
        if (kept !== alert) changed.set(alert.id, kept);
      } else if (one.level === 'over') {
        const begun = pending.get(key) ?? { from: monotonic, at: now };
        if (monotonic - begun.from < holdMs || open.size + opened.length >= openMax) stillPending.set(key, begun);
        else opened.push(openedOf(kind, one, begun.at, now, newId()));
      }
    }
    const clearMs = Math.min(holdMs, clearMinutesMax * minuteMs);
    for (const [key, alert] of open) {
      if (alert.kind !== kind || (seen.get(key)?.level ?? 'clear') !== 'clear') continue;
      const clearFrom = clearing.get(alert.id) ?? monotonic;
      if (monotonic - clearFrom < clearMs) stillClearing.set(alert.id, clearFrom);
      else changed.set(alert.id, { ...alert, overAt: now });
    }
  }
  // Unknown subjects stay as they were.
  for (const [id, from] of clearing)
    if (!stillClearing.has(id) && alerts.some(one => one.id === id && !judgement.has(one.kind)))
      stillClearing.set(id, from);
  return {
    pending: stillPending,
    alerts: [...alerts.map(one => changed.get(one.id) ?? one), ...opened],
    clearing: stillClearing,
  };
}

const keyOf = (kind: AlertKind, subject: string): string => `${kind} ${subject}`;
const kindOf = (key: string): string => key.slice(0, key.indexOf(' '));

const openedOf = (kind: AlertKind, judged: Judged, pendingSince: UnixMs, now: UnixMs, id: string): Alert => ({
  id,
  kind,
  subject: judged.subject,
  severity: judged.severity,
  since: Math.min(judged.since ?? pendingSince, now),
  openedAt: now,
  announcedAt: null,
  announcedAs: null,
  overAt: null,
  isDone: false,
  details: judged.details,
});

/** An alert only gets worse: half a day at 86 percent does not take back that it was critical. */
function risen(alert: Alert, judged: Judged): Alert {
  if (severityRank(judged.severity) <= severityRank(alert.severity)) return alert;
  return { ...alert, severity: judged.severity, details: judged.details };
}
