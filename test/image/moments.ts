import { type Moment, shuffled } from '../power/moments.ts';
import { type LogEntry, sectorBytes } from '../power/write-log.ts';
import { seededRandom } from '../support/clock.ts';
import type { Place, Places } from './places.ts';

const isWithin = ({ at, bytes }: Place, entry: LogEntry) =>
  entry.bytes > 0 && entry.sector * sectorBytes >= at && entry.sector * sectorBytes < at + bytes;

/** What decides what is started: the partition table, and the partition with GRUB's environment. */
const startOf = ({ A }: Places): Place => ({ at: 0, bytes: A.at });

/**
 * Moments of a recording: right after each write to the partition table and to the partition with
 * GRUB's environment, as far as `count` has room for them; half as many right after an
 * acknowledgement; and half as many at any time.
 */
export function momentsOf(
  entries: readonly LogEntry[],
  {
    places,
    acknowledged,
    count,
    seed,
  }: { places: Places; acknowledged: readonly number[]; count: number; seed: number },
): Moment[] {
  const random = seededRandom(seed);
  const start = startOf(places);
  const ofStart = entries.flatMap((entry, at) => (isWithin(start, entry) ? [at + 1] : []));
  const moment = (at: number, kind: Moment['kind'], choice: Moment['choice']): Moment => ({
    ...{ entries: at, kind, choice, seed: Math.floor(random() * 2 ** 32) },
  });
  // As of a card without a cache first, on which nothing of what was written is missing.
  const ofStartKinds = ['all', 'half', 'all', 'torn'] as const;
  return [
    ...shuffled(ofStart, random)
      .slice(0, count)
      .map((at, no) => moment(at, ofStartKinds[no % 4]!, 'flush')),
    ...shuffled([...acknowledged], random)
      .slice(0, count / 2)
      .map(at => moment(at, 'none', 'acknowledgement')),
    ...Array.from({ length: count / 2 }, () => moment(Math.floor(random() * entries.length), 'reordered', 'anywhere')),
  ].sort((one, other) => one.entries - other.entries);
}

/**
 * Two moments of an update to be started for real: half-way through the first writing of slot B, and
 * right after the first write behind it to the partition with GRUB's environment. In requests.
 */
export function momentsInUpdate(entries: readonly LogEntry[], places: Places): [number, number] {
  const inB = entries.flatMap((entry, at) => (isWithin(places.B, entry) ? [at] : []));
  const chosen = entries.findIndex((entry, at) => at > inB.at(-1)! && isWithin(places.card, entry));
  return [inB[Math.floor(inB.length / 2)]!, chosen + 1];
}

/**
 * The moment of a first start at which the data partition has grown and its file system has not: the
 * flush after the last write to the partition table. In requests.
 */
export function momentOfGrowth(entries: readonly LogEntry[]): number {
  const table: Place = { at: 0, bytes: 34 * sectorBytes };
  const written = entries.findLastIndex(entry => isWithin(table, entry));
  return entries.findIndex((entry, at) => at > written && entry.isFlush) + 1;
}
