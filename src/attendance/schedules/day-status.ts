import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { PersonRow, PunchSource } from '../../store/index.ts';
import type { PersonResults } from './person-results.ts';
import type { DayResult, PunchUse, SegmentResult } from './result.ts';

/** Where people stand on a day, in the order in which a clerk looks at them. */
export const statusNames = [
  /** A shift has begun, or is over, without them. */
  'absent',
  'late',
  /** A check-in at the start or the end of a shift is missing, or a part of the day. */
  'missing',
  'present',
  /** The shift has not begun. */
  'expected',
  'leave',
  /** A rest day or a holiday, with or without work. */
  'off',
  /** Nothing is planned for them. */
  'none',
] as const;
export type DayStatus = (typeof statusNames)[number];

/** Of people who came to a shift. */
export const hasCome = (status: DayStatus): boolean =>
  status === 'present' || status === 'late' || status === 'missing';

/**
 * Whether the schedules expected somebody by now. Whoever comes before the shift begins is expected
 * from then on, so that never more people have come than were expected.
 */
export const isDue = (status: DayStatus): boolean => status === 'absent' || hasCome(status);

interface PunchOnDay extends PunchSource {
  /** By a correction, not by a device. */
  readonly isAdded: boolean;
}

/** A person on a day: a view of the result that a month has of it, at the time of asking. */
export interface PersonOnDay {
  readonly person: PersonRow;
  readonly status: DayStatus;
  /** Code of the shift; null: no shift. */
  readonly shift: string | null;
  /** Of the first segment without leave to the end of the last; null: a free shift, or no shift. */
  readonly plannedOn: UnixSeconds | null;
  readonly plannedOff: UnixSeconds | null;
  /** First and last check-in that count; without a shift those of the day. */
  readonly first: PunchOnDay | null;
  readonly last: PunchOnDay | null;
  readonly lateMinutes: number;
  readonly earlyMinutes: number;
  /** Planned times that passed without a check-in. */
  readonly missingAt: readonly UnixSeconds[];
  /** Terminals of the check-ins around the day, by their numbers. */
  readonly terminals: PersonResults['terminals'];
}

/** The view of one result; null: not employed on this day. */
export function onDay({ person, terminals, days: [day] }: PersonResults, now: UnixMs): PersonOnDay | null {
  if (!day || day.kind === 'not_employed') return null;
  const work = day.segments.filter(({ state }) => state !== 'leave');
  const { first, last } = day.segments.length > 0 ? endsOf(day, work) : firstAndLast(day.punches);
  return {
    person,
    terminals,
    shift: day.shift,
    status: statusOf(day, now),
    plannedOn: work[0]?.plannedOn ?? null,
    plannedOff: work.at(-1)?.plannedOff ?? null,
    first,
    last,
    lateMinutes: day.minutes.late,
    earlyMinutes: day.minutes.early,
    missingAt: work.flatMap(segment => missingOf(segment, now)),
  };
}

function statusOf({ kind, segments }: DayResult, now: UnixMs): DayStatus {
  if (segments.length === 0) return kind === 'none' ? 'none' : 'off';
  const work = segments.filter(({ state }) => state !== 'leave');
  if (work.length === 0) return 'leave';
  // As in the sums of a month: whoever came to one part of the day was not absent.
  if (work.some(segment => isAbsent(segment, now))) return work.some(hasEnd) ? 'missing' : 'absent';
  if (work.some(({ minutes }) => minutes.late > 0)) return 'late';
  if (work.some(isMissing)) return 'missing';
  if (work.some(({ in: start }) => start !== null)) return 'present';
  return work.every(({ state }) => state === 'not_worked') ? 'off' : 'expected';
}

/** While a shift runs a month knows no absence; on the day there is one from its beginning. */
function isAbsent(segment: SegmentResult, now: UnixMs): boolean {
  const { state, plannedOn } = segment;
  if (state === 'absent') return true;
  if (hasEnd(segment)) return false;
  return (state === 'running' || state === 'not_known_yet') && plannedOn !== null && plannedOn * 1000 <= now;
}

const hasEnd = ({ in: start, out }: SegmentResult): boolean => start !== null || out !== null;

const isMissing = ({ state, in: start, out }: SegmentResult): boolean =>
  state === 'missing_in' || state === 'missing_out' || (start === null && out !== null);

function missingOf(segment: SegmentResult, now: UnixMs): UnixSeconds[] {
  const { in: start, out, plannedOn, plannedOff, state } = segment;
  if (state === 'not_worked') return [];
  const isOver = isAbsent(segment, now) || state === 'missing_out' || state === 'not_known_yet';
  return [start === null ? plannedOn : null, out === null && isOver ? plannedOff : null].filter(
    at => at !== null && at * 1000 <= now,
  ) as UnixSeconds[];
}

function endsOf({ punches }: DayResult, work: readonly SegmentResult[]) {
  const sourceOf = (id: number | null | undefined) => {
    const found = punches.find(({ punch }) => punch.id === id);
    return found ? sourceFrom(found) : null;
  };
  return {
    first: sourceOf(work.find(segment => segment.in)?.in?.punchId),
    last: sourceOf(work.findLast(segment => segment.out)?.out?.punchId),
  };
}

function firstAndLast(punches: readonly PunchUse[]) {
  const counted = punches.filter(({ role }) => role !== 'set_aside');
  const [first, last] = [counted[0], counted.at(-1)];
  return { first: first ? sourceFrom(first) : null, last: last && last !== first ? sourceFrom(last) : null };
}

const sourceFrom = ({ punch: { at, deviceNo, checkType, source } }: PunchUse): PunchOnDay => ({
  ...{ at, deviceNo, checkType },
  isAdded: source === 'added',
});
