import type { PeriodReads, ReadPart } from '../../store/index.ts';

const closingsMax = 500;

/**
 * The month before this day of the site, such as `2026-10`, if nothing of it is closed on a site
 * that has closed it or a month before it; else null.
 */
export async function monthToClose(
  { read }: ReadPart<Pick<PeriodReads, 'periods'>>,
  day: string,
): Promise<string | null> {
  const before = monthBefore(day);
  const closings = (await read.periods({ limit: closingsMax })).filter(({ month }) => month <= before);
  const isClosed = closings.some(({ month, state }) => month === before && state !== 'reopened');
  return closings.length === 0 || isClosed ? null : before;
}

function monthBefore(day: string): string {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`;
}
