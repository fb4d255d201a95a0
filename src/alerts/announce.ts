import { type Alert, type AlertKind, alertKinds, severityRank } from '../platform/alerts.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { Moment } from './engine.ts';

/** A message to be put into words: alerts of one kind, or all that quiet hours held back. */
export interface Draft {
  readonly type: 'opened' | 'over' | 'digest';
  readonly alerts: readonly Alert[];
}

interface Silence {
  /** Only what is critical is announced. */
  readonly isQuiet: boolean;
  /** When the quiet hours ended last: what opened or ended before waits for one digest. */
  readonly quietEndedAt: UnixMs | null;
  /** Nothing at all is announced before. */
  readonly mutedUntil: UnixMs;
}

/** How long an alert waits for others of its kind. One that is critical does not wait. */
export interface Grouping {
  readonly waitMs: number;
  /** When each kind was announced last: monotonic. */
  readonly lastAt: ReadonlyMap<string, number>;
}

interface Announced {
  readonly drafts: readonly Draft[];
  readonly alerts: readonly Alert[];
  readonly lastAt: ReadonlyMap<string, number>;
}

/** Kinds that happen once and do not end. */
const moments: ReadonlySet<AlertKind> = new Set(['rebooted']);

/**
 * Which messages go out now. Alerts of a kind go together, at most once in `waitMs`; "it is over"
 * is said only of what was announced; in quiet hours everything but what is critical waits for the
 * digest.
 */
export function announce(
  alerts: readonly Alert[],
  { isQuiet, quietEndedAt, mutedUntil }: Silence,
  { waitMs, lastAt }: Grouping,
  { now, monotonic }: Moment,
): Announced {
  const isMuted = now < mutedUntil;
  const next = new Map(lastAt);
  const changed = new Map<string, Alert>();
  const drafts: Draft[] = [];
  const said = (type: Draft['type'], some: readonly Alert[]) => {
    if (some.length === 0) return;
    drafts.push({ type, alerts: some });
    for (const one of some) changed.set(one.id, announced(one, now));
  };

  const waitsForDigest = (one: Alert): boolean =>
    one.severity !== 'critical' && eventAt(one) < (quietEndedAt ?? Number.NEGATIVE_INFINITY) && isNews(one);
  const held = isMuted || isQuiet ? [] : alerts.filter(waitsForDigest);
  said('digest', held);

  for (const kind of alertKinds)
    for (const type of ['opened', 'over'] as const) {
      const news = alerts.filter(
        one =>
          one.kind === kind &&
          (one.overAt === null) === (type === 'opened') &&
          isNews(one) &&
          !changed.has(one.id) &&
          !isMuted &&
          (!isQuiet || one.severity === 'critical') &&
          (type === 'opened' || one.announcedAt !== null),
      );
      const isCritical = news.some(({ severity }) => severity === 'critical');
      const key = `${type} ${kind}`;
      const isWaited = news.some(one => Math.abs(now - eventAt(one)) >= waitMs);
      if (!isCritical && !isWaited) continue;
      const last = next.get(key);
      if (!isCritical && last !== undefined && monotonic - last < waitMs) continue;
      said(type, news);
      if (news.length > 0) next.set(key, monotonic);
    }

  const after = alerts
    .map(one => changed.get(one.id) ?? one)
    .map(one => (isLeft(one, isQuiet) ? one : { ...one, isDone: true }));
  return { drafts, alerts: after, lastAt: next };
}

const eventAt = (one: Alert): UnixMs => one.overAt ?? one.openedAt;

/** Something is to be said of it. */
function isNews(one: Alert): boolean {
  if (one.isDone) return false;
  if (one.overAt !== null) return !moments.has(one.kind);
  return one.announcedAs === null || severityRank(one.severity) > severityRank(one.announcedAs);
}

const announced = (one: Alert, now: UnixMs): Alert => ({
  ...one,
  announcedAt: one.announcedAt ?? now,
  announcedAs: one.severity,
  isDone: one.overAt !== null,
});

/**
 * An alert that is over is left while a message about it is to come: one that was announced, or one
 * that opened and ended in quiet hours.
 */
function isLeft(one: Alert, isQuiet: boolean): boolean {
  if (one.overAt === null) return true;
  if (one.isDone || moments.has(one.kind)) return false;
  return one.announcedAt !== null || isQuiet;
}
