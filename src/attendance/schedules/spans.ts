import type { UnixSeconds } from '../../runtime/clock.ts';

/** From the first second, inclusive, to the last, exclusive. */
export interface Span {
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
}

/** Common part of both; null if there is none. */
export function overlap(one: Span, other: Span): Span | null {
  const from = Math.max(one.from, other.from);
  const to = Math.min(one.to, other.to);
  return from < to ? { from, to } : null;
}

export function overlaps(spans: readonly Span[], within: Span): Span[] {
  const found: Span[] = [];
  for (const span of spans) {
    const part = overlap(span, within);
    if (part) found.push(part);
  }
  return found;
}

/** Parts of a span that remain, in order. */
export function without(span: Span, cuts: readonly Span[]): Span[] {
  let left = span.from < span.to ? [span] : [];
  for (const cut of cuts)
    left = left.flatMap(one =>
      [
        { from: one.from, to: Math.min(one.to, cut.from) },
        { from: Math.max(one.from, cut.to), to: one.to },
      ].filter(({ from, to }) => from < to && cut.from < cut.to),
    );
  return left;
}

/** Each second once, however often the spans have it. */
export function union(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && span.from <= last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else if (span.from < span.to) joined.push(span);
  }
  return joined;
}

/** Of spans that do not overlap. */
export const minutesOf = (spans: readonly Span[]): number =>
  spans.reduce((minutes, { from, to }) => minutes + (to - from) / 60, 0);
