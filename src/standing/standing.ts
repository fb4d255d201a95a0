import {
  type Alert,
  type AlertDetails,
  type AlertKind,
  type AlertRules,
  type AlertSeverity,
  alertKinds,
  severityRank,
} from '../platform/alerts.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { Facts } from './facts.ts';
import { type Judged, type Judgement, judge } from './judge.ts';

/** One thing that wants a person: of the box, of a device or channel, or of several of them. */
export interface Standing {
  readonly kind: AlertKind;
  readonly severity: AlertSeverity;
  /** How many devices or channels it is about; 1: also the box. */
  readonly count: number;
  /** The one that it is about; empty: the box, or several. */
  readonly subject: string;
  /** Since when it has been so, of several if they began together; null: not known. */
  readonly since: UnixMs | null;
  /** Of several: `names`, the first of them, and `all`, 1 if no device is connected. */
  readonly details: AlertDetails;
}

/** The list, and the open alerts that are in it, with the figures of now. */
export interface Stands {
  readonly list: readonly Standing[];
  readonly alerts: readonly Alert[];
}

type One = Pick<Judged, 'subject' | 'severity' | 'since' | 'details'>;

/** Number and span by which several are taken to have one cause. */
export const togetherMin = 3;
export const togetherMs = 120_000;
const namesMax = 5;

/**
 * Everything that wants a person at the moment, the worst first: what pages, commands and figures
 * say of the box. Empty: all is well. `open`: alerts that are open. One whose facts are unknown at
 * the moment, or better and not yet well, is in the list; one whose trouble has gone is not.
 */
export function standing(facts: Facts, rules: AlertRules, open: readonly Alert[]): Stands {
  const judgement = judge(facts, rules);
  const alerts = open.flatMap(alert => {
    const judged = judgement.get(alert.kind);
    if (!judged) return [alert];
    const now = judged.find(one => one.subject === alert.subject && one.level !== 'clear');
    return now ? [{ ...alert, details: now.details }] : [];
  });
  const list = alertKinds
    .flatMap(kind => ofKind(kind, onesOf(kind, judgement, alerts), facts))
    .sort((one, other) => severityRank(other.severity) - severityRank(one.severity));
  return { list, alerts };
}

function onesOf(kind: AlertKind, judgement: Judgement, alerts: readonly Alert[]): readonly One[] {
  const open = alerts.filter(one => one.kind === kind);
  const judged = judgement.get(kind);
  if (!judged) return open;
  const isOpen = new Set(open.map(({ subject }) => subject));
  return judged.filter(({ level, subject }) => level === 'over' || (level === 'between' && isOpen.has(subject)));
}

function ofKind(kind: AlertKind, ones: readonly One[], facts: Facts): Standing[] {
  const [first] = ones;
  if (!first) return [];
  const { subject, severity, since, details } = first;
  if (ones.length === 1) return [{ kind, severity, count: 1, subject, since, details }];
  const names = ones.slice(0, namesMax).map(one => String(one.details.name ?? '') || one.subject);
  const isAll = kind === 'silent' && facts.online === 0 && ones.length >= togetherMin;
  return [
    {
      ...{ kind, count: ones.length, subject: '' },
      severity: ones.reduce<AlertSeverity>(
        (worst, one) => (severityRank(one.severity) > severityRank(worst) ? one.severity : worst),
        severity,
      ),
      since: sinceTogether(ones),
      details: { names: names.join(', '), all: Number(isAll) },
    },
  ];
}

/** The first moment, if all began together. */
function sinceTogether(ones: readonly One[]): UnixMs | null {
  const all = ones.map(({ since }) => since);
  if (all.includes(null)) return null;
  const known = all as readonly number[];
  const first = known.reduce((least, one) => Math.min(least, one));
  const last = known.reduce((most, one) => Math.max(most, one));
  return last - first <= togetherMs ? first : null;
}
