import type { Random } from '../../src/runtime/clock.ts';
import type { LogEntry } from './write-log.ts';

/**
 * What a disk kept of the writes that no flush had confirmed yet: none; all; each with one half;
 * the first ones of another order; all but a part of the last one, whole sectors.
 */
export const kinds = ['none', 'all', 'half', 'reordered', 'torn'] as const;
export type Kind = (typeof kinds)[number];

/** Why a moment was chosen. */
export const choices = ['acknowledgement', 'flush', 'anywhere'] as const;
export type Choice = (typeof choices)[number];

/** The power fails when the disk has had this many requests. */
export interface Moment {
  readonly entries: number;
  readonly kind: Kind;
  /** For what is left to chance. */
  readonly seed: number;
  readonly choice: Choice;
}

/** The part of a recording that moments are drawn from. */
export interface Drawable {
  /** The first request of what is recorded; the end of the log is the last moment. */
  readonly from: number;
  readonly entries: readonly LogEntry[];
  /** The positions of acknowledgements. */
  readonly acknowledged: readonly number[];
}

const pick = <T>(from: readonly T[], random: Random): T => from[Math.floor(random() * from.length)]!;

/**
 * Draws moments, in their order. Half of them stand right after an acknowledgement, before the next
 * request: any later flush would heal what an earlier one did not do. Of the rest, each flush has
 * the moment right before it takes effect, as far as they suffice; then any moments at all.
 */
export function drawMoments({ from, entries, acknowledged }: Drawable, count: number, random: Random): Moment[] {
  const seed = () => Math.floor(random() * 2 ** 32);
  const sharp = acknowledged.filter(position => position >= from);
  const flushes = entries.flatMap((entry, at) => (entry.isFlush && at >= from ? [at] : []));
  const byAcknowledgement = sharp.length > 0 ? Math.ceil(count / 2) : 0;
  const moments: Moment[] = [];
  for (let drawn = 0; drawn < byAcknowledgement; drawn++)
    moments.push({
      entries: pick(sharp, random),
      // Without the writes that nobody confirmed yet, nothing can make up for a missing flush.
      kind: drawn % 2 === 0 ? 'none' : pick(kinds, random),
      seed: seed(),
      choice: 'acknowledgement',
    });
  const boundaries = shuffled(flushes, random).slice(0, count - moments.length);
  for (const at of boundaries) moments.push({ entries: at, kind: pick(kinds, random), seed: seed(), choice: 'flush' });
  while (moments.length < count)
    moments.push({
      entries: from + Math.floor(random() * (entries.length - from + 1)),
      kind: pick(kinds, random),
      seed: seed(),
      choice: 'anywhere',
    });
  return moments.sort((one, other) => one.entries - other.entries);
}

export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const result = [...list];
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [result[at], result[other]] = [result[other]!, result[at]!];
  }
  return result;
}
