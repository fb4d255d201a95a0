import type { Why } from '../../words/sentences.ts';
import type { AlertChannel, AlertDetails, AlertKind, AlertSeverity } from '../alerts.ts';

/** Texts that each language needs for alerts. */
export interface Said {
  readonly kinds: Readonly<Record<AlertKind, KindWords>>;
  readonly severities: Readonly<Record<AlertSeverity, string>>;
  readonly channels: Readonly<Record<AlertChannel, string>>;
  readonly over: (title: string) => string;
  readonly lasted: (span: string, from: string, to: string) => string;
  readonly since: (moment: string) => string;
  readonly more: (count: number) => string;
  readonly atOnce: string;
  readonly digest: (count: number, open: number) => string;
  readonly digestOver: (title: string, span: string) => string;
  /** Of a message that could not be sent when it was written. */
  readonly asOf: (moment: string) => string;
  readonly test: (site: string) => string;
  readonly testLine: string;
  readonly units: SpanUnits;
}

interface KindWords {
  readonly name: string;
  readonly title: (details: AlertDetails, subject: string) => string;
  /** Of several of the kind. `details.all`: 1 if no device is connected. */
  readonly many: (count: number, details?: AlertDetails) => string;
  readonly means: (details: AlertDetails) => string;
  readonly todo: (details: AlertDetails) => string;
}

export interface SpanUnits {
  readonly days: (days: number) => string;
  readonly hours: (hours: number) => string;
  readonly minutes: (minutes: number) => string;
  readonly seconds: (seconds: number) => string;
}

/** The reason in details, called `why` or by another name; its code and values are beside it. */
export const reasonIn = ({ code, params, ...details }: AlertDetails, name = 'why'): Why => ({
  why: text(details, name),
  code: typeof code === 'string' ? code : undefined,
  params: typeof params === 'object' ? params : undefined,
});

export const text = (details: AlertDetails, name: string): string => String(details[name] ?? '');
export const number = (details: AlertDetails, name: string): number => Number(details[name] ?? 0);
export const nameOf = (details: AlertDetails, subject: string): string => text(details, 'name') || subject;
export const plural = (count: number): string => (count === 1 ? '' : 's');

const minuteMs = 60_000;

/** A span of time in at most two units, such as `1 h 12 min`. */
export function spanIn({ days, hours, minutes, seconds }: SpanUnits, ms: number): string {
  if (ms < minuteMs) return seconds(Math.max(0, Math.round(ms / 1000)));
  const whole = Math.floor(ms / minuteMs);
  const parts = [
    [Math.floor(whole / 1440), days],
    [Math.floor(whole / 60) % 24, hours],
    [whole % 60, minutes],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, word]) => word(count))
    .join(' ');
}
