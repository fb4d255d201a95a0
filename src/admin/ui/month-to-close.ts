import type { PeriodReads, ReadPart } from '../../store/index.ts';

const closingsMax = 500;

/**
 * The month before this day of the site, such as `2026-10`, if nothing of it is closed on a site
 * that has closed months before; else null.
 */
export async function monthToClose(
  { read }: ReadPart<Pick<PeriodReads, 'periods'>>,
  day: string,
): Promise<string | null> {
  const [newest] = await read.periods({ limit: 1 });
  if (newest === undefined) return null;
  const before = monthBefore(day);
  const closings = await read.periods({ month: before, limit: closingsMax });
  return closings.some(({ state }) => state !== 'reopened') ? null : before;
}

function monthBefore(day: string): string {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`;
}
