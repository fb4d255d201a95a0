import { type AlertLanguage, alertPath, alertPaths, alertTitle, alertWords, span } from '../platform/alert-words.ts';
import { type Alert, type AlertContent, type AlertSeverity, severityRank } from '../platform/alerts.ts';
import type { UnixMs } from '../runtime/clock.ts';
import { wallTime } from '../runtime/wall-time.ts';
import { togetherMin, togetherMs } from '../standing/index.ts';
import type { Draft } from './announce.ts';

export interface Letterhead {
  readonly site: string;
  readonly language: AlertLanguage;
  readonly timeZone: string;
  /** Where the pages are, without a slash at the end; empty: not known. */
  readonly pages: () => string;
}

/** Names in one message; the page has them all. */
const namedMax = 10;

/** Puts a message into the language of the site. */
export function compose(draft: Draft, head: Letterhead, now: UnixMs): AlertContent {
  const { type, alerts } = draft;
  const first = alerts[0]!;
  const kind = alerts.every(one => one.kind === first.kind) ? first.kind : null;
  const { title, lines } = type === 'digest' ? digest(alerts, head, now) : ofKind(draft, head, now);
  const path = alerts.length === 1 ? alertPath(first) : kind ? alertPaths[kind] : '/system/alerts';
  return {
    type,
    at: now,
    kind,
    severity: worst(alerts),
    title: `[${head.site}] ${title}`,
    lines,
    link: linkTo(head, path),
    alerts: alerts.map(({ kind, subject, severity, since, overAt, details }) => ({
      ...{ kind, subject, severity, since, overAt, details },
    })),
  };
}

export const composeTest = (head: Letterhead, now: UnixMs): AlertContent => ({
  ...{ type: 'test', at: now, kind: null, severity: 'note', alerts: [] },
  title: alertWords[head.language].test(head.site),
  lines: [alertWords[head.language].testLine],
  link: linkTo(head, '/system/alerts'),
});

const linkTo = ({ pages }: Letterhead, path: string): string => {
  const base = pages();
  return base === '' ? '' : `${base}${path}`;
};

const worst = (alerts: readonly Alert[]): AlertSeverity =>
  alerts.map(({ severity }) => severity).sort((one, other) => severityRank(other) - severityRank(one))[0]!;

function ofKind({ type, alerts }: Draft, head: Letterhead, now: UnixMs): { title: string; lines: string[] } {
  const { language } = head;
  const said = alertWords[language];
  const first = alerts[0]!;
  const words = said.kinds[first.kind];
  const isOver = type === 'over';
  const title = alerts.length === 1 ? alertTitle(first, language) : words.many(alerts.length);
  const hint = isOver ? [] : [words.means(first.details), words.todo(first.details)];
  if (alerts.length === 1) {
    const when = isOver ? lasted(first, head, now) : said.since(moment(first.since, head, now));
    return { title: isOver ? said.over(title) : title, lines: [when, ...hint] };
  }
  const since = Math.min(...alerts.map(one => one.since));
  const named = alerts.slice(0, namedMax).map(one => {
    const when = isOver ? span((one.overAt ?? now) - one.since, language) : moment(one.since, head, now);
    return `${nameOf(one, language)} (${when})`;
  });
  const rest = alerts.length > namedMax ? [said.more(alerts.length - namedMax)] : [];
  const isTogether =
    !isOver &&
    first.kind === 'silent' &&
    alerts.length >= togetherMin &&
    alerts.every(one => one.since - since <= togetherMs);
  return {
    title: isOver ? said.over(title) : title,
    lines: [
      ...(isOver ? [] : [said.since(moment(since, head, now))]),
      ...(isTogether ? [said.atOnce] : []),
      ...named,
      ...rest,
      ...hint,
    ],
  };
}

const nameOf = (one: Alert, language: AlertLanguage): string =>
  String(one.details.name ?? '') || one.subject || alertTitle(one, language);

function lasted(one: Alert, head: Letterhead, now: UnixMs): string {
  const over = one.overAt ?? now;
  const { language } = head;
  return alertWords[language].lasted(
    span(over - one.since, language),
    moment(one.since, head, now),
    moment(over, head, now),
  );
}

function digest(alerts: readonly Alert[], head: Letterhead, now: UnixMs): { title: string; lines: string[] } {
  const { language } = head;
  const said = alertWords[language];
  const lines = alerts.slice(0, namedMax * 2).map(one => {
    const title = alertTitle(one, language);
    return one.overAt === null
      ? `${title}. ${said.since(moment(one.since, head, now))}`
      : said.digestOver(title, span(one.overAt - one.since, language));
  });
  const rest = alerts.length > namedMax * 2 ? [said.more(alerts.length - namedMax * 2)] : [];
  const open = alerts.filter(({ overAt }) => overAt === null).length;
  return { title: said.digest(alerts.length, open), lines: [...lines, ...rest] };
}

/** `08:12`, with the day if it is another one than today's. */
function moment(at: UnixMs, { timeZone }: Letterhead, now: UnixMs): string {
  const whole = inZone(at, timeZone);
  return whole.slice(0, 10) === inZone(now, timeZone).slice(0, 10) ? whole.slice(11) : whole;
}

/** `2026-11-23 08:12` */
export const inZone = (at: UnixMs, timeZone: string): string =>
  wallTime(timeZone)
    .text(at / 1000)
    .slice(0, 16);
