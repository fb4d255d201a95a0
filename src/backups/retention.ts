import { mondayOf } from '../runtime/calendar-date.ts';
import type { BackupCopy } from '../store/index.ts';
import type { Keep } from './settings.ts';

type Copy = Pick<BackupCopy, 'name' | 'madeAt' | 'verifiedAt'>;

/**
 * Returns which copies of one target may be deleted: the newest of each of the last `daily` days,
 * `weekly` weeks and `monthly` months that have one stay. Nothing is deleted that is newer than the
 * newest verified copy, nor that copy; so a target on which nothing can be verified loses nothing.
 */
export function expired<One extends Copy>(copies: readonly One[], keep: Keep, dayOf: (at: number) => string): One[] {
  const verified = copies.filter(({ verifiedAt }) => verifiedAt !== null).sort((a, b) => b.madeAt - a.madeAt);
  const [newest] = verified;
  if (!newest) return [];
  const kept = new Set<One>([newest]);
  const periods = [
    [keep.daily, (day: string) => day],
    [keep.weekly, mondayOf],
    [keep.monthly, (day: string) => day.slice(0, 7)],
  ] as const;
  for (const [count, periodOf] of periods) {
    const seen = new Set<string>();
    for (const copy of verified) {
      const period = periodOf(dayOf(copy.madeAt));
      if (seen.has(period) || seen.size >= count) continue;
      seen.add(period);
      kept.add(copy);
    }
  }
  return copies.filter(copy => copy.madeAt < newest.madeAt && !kept.has(copy));
}
