import { type AttendanceResults, type DayResult, movedDaysMax, type PersonResults } from '../attendance/index.ts';
import type { Config } from '../config/index.ts';
import type { DateText } from '../platform/shifts.ts';
import { addDays, dayNumber } from '../runtime/calendar-date.ts';
import { wallTime } from '../runtime/wall-time.ts';
import {
  type CorrectionReads,
  correctionItemsMax,
  type DirectoryStore,
  type PeopleReads,
  type PeriodReads,
  type ReadPart,
} from '../store/index.ts';
import type { Report } from './operation.ts';
import { refused } from './problem.ts';
import type { resultDay } from './result-shapes.ts';
import { dayReport } from './schedule-results.ts';

/** A check-in and the work date that it shall belong to. */
interface Move {
  readonly extId: string;
  readonly checkInId: number;
  readonly workDate: DateText;
}

export interface MoveParts {
  readonly store: ReadPart<Pick<PeopleReads, 'punches'> & Pick<PeriodReads, 'frozenRows'> & CorrectionReads> &
    DirectoryStore;
  readonly config: Pick<Config, 'site'>;
  readonly results: Pick<AttendanceResults, 'of' | 'withPunches'>;
}

const punchesMax = 1000;

/**
 * The dates on which a check-in is now. Refuses what cannot be
 * moved, and what a closed month stands against: with one of the two dates frozen the check-in
 * would count twice, or not at all.
 */
export async function movedFrom(parts: MoveParts, move: Move): Promise<DateText[]> {
  const { extId, checkInId, workDate } = move;
  const { dayBounds } = wallTime(parts.config.site.timezone);
  const found = await parts.store.read.punches({
    extId,
    from: dayBounds(addDays(workDate, -movedDaysMax)).from,
    to: dayBounds(addDays(workDate, movedDaysMax)).to,
    limit: punchesMax,
  });
  if (!found.some(({ shownId }) => shownId === checkInId))
    throw refused(404, 'unknown_punch', `${extId} has no such check-in within ${movedDaysMax} days of ${workDate}`);
  const places = await placesOf(parts, move);
  const dates = places.map(({ date }) => date);
  await refuseClosed(parts, extId, [workDate, ...dates]);
  // Where it is only shown, outside the window of the shift, it may still be moved to count.
  if (places.length > 0 && places.every(({ date, counts }) => date === workDate && counts))
    throw refused(409, 'there_already', `this check-in counts on ${workDate} already`);
  return dates;
}

/** Refuses to change dates of a person in months that are closed. */
async function refuseClosed(
  { store }: Pick<MoveParts, 'store'>,
  extId: string,
  dates: readonly DateText[],
): Promise<void> {
  const months = [...new Set(dates.map(date => date.slice(0, 7)))].sort();
  const [row] = await store.read.frozenRows({ months, extIds: [extId] });
  if (row) throw refused(409, 'closed', `${row.month} is closed for ${extId}: open the month again, then move it`);
}

interface Place {
  readonly date: DateText;
  /** Else it is shown there, and counts for nothing. */
  readonly counts: boolean;
}

/** On which dates a check-in counts, or is shown; a shared one on two. */
async function placesOf(
  { results }: Pick<MoveParts, 'results'>,
  { extId, checkInId, workDate }: Move,
): Promise<Place[]> {
  const around = 2 * movedDaysMax;
  const span = { from: addDays(workDate, -around), to: addDays(workDate, around) };
  const places: Place[] = [];
  for await (const { days } of results.of({ ...span, extId, isLive: true }))
    for (const { date, punches } of days) {
      const use = punches.find(({ punch }) => punch.id === checkInId);
      if (use) places.push({ date, counts: use.role !== 'unplaced' });
    }
  return places;
}

/** An approved move, and the undo of one, change two dates: neither may be closed. */
export async function refuseIfClosed(parts: MoveParts, id: number): Promise<void> {
  const rows = await parts.store.read.corrections({ id, limit: correctionItemsMax });
  const reversed = rows[0]?.reverses ?? null;
  if (reversed !== null) return refuseIfClosed(parts, reversed);
  for (const { extId, checkInId, workDate } of rows) {
    if (workDate === null || checkInId === null) continue;
    const places = await placesOf(parts, { extId, checkInId, workDate });
    await refuseClosed(parts, extId, [workDate, ...places.map(({ date }) => date)]);
  }
}

interface ChangedDay {
  readonly date: DateText;
  readonly before: Report<typeof resultDay>;
  readonly after: Report<typeof resultDay>;
}

/** Results of the dates that a move would change, without it and with it. */
export async function changesOfMove(
  parts: MoveParts,
  move: Move,
  signal: AbortSignal | undefined,
): Promise<ChangedDay[]> {
  const { extId, checkInId, workDate } = move;
  const { results, store } = parts;
  const dates = [...new Set([workDate, ...(await movedFrom(parts, move))])].sort();
  const query = { from: dates[0]!, to: dates.at(-1)!, extId, isLive: true, signal };
  const moved = results.withPunches(row => {
    if (row.shownId !== checkInId) return row;
    const mark = row.mark ?? { setAside: false, reason: '', correctionId: 0 };
    return { ...row, mark: { ...mark, workDate } };
  });
  const before = await daysOf(results.of(query));
  const after = await daysOf(moved.of(query));
  return dates.flatMap(date => {
    const [was, next] = [before.get(date), after.get(date)];
    if (!was || !next) return [];
    const { directory } = store;
    const reportOf = (day: DayResult) => dayReport({ ...day, punches: [] }, directory);
    return [{ date, before: reportOf(was), after: reportOf(next) }];
  });
}

async function daysOf(found: AsyncIterable<PersonResults>): Promise<Map<string, DayResult>> {
  const days = new Map<string, DayResult>();
  for await (const one of found) for (const day of one.days) days.set(day.date, day);
  return days;
}

interface Item {
  readonly ext_id: string;
  readonly checkin?: number | undefined;
  readonly work_date?: string | undefined;
}

export function checkInOf({ ext_id, checkin }: Item): { extId: string; checkInId: number } {
  if (checkin === undefined) throw refused(422, 'checkin', 'say which check-in: its id');
  return { extId: ext_id, checkInId: checkin };
}

const isDate = (text: string): boolean => !Number.isNaN(dayNumber(text)) && addDays(text, 0) === text;

export function moveOf(item: Item): Move {
  if (item.work_date === undefined || !isDate(item.work_date))
    throw refused(422, 'work_date', 'say to which date: a work date such as 2026-11-16');
  return { ...checkInOf(item), workDate: item.work_date };
}
