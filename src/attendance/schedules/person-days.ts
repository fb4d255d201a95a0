import type { MonthFilter } from '../../platform/day-figures.ts';
import type { DateText, Shift } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { WallTime } from '../../runtime/wall-time.ts';
import type { Leave } from '../../store/index.ts';
import type { HolidayTime } from './counting.ts';
import type { PunchEvent } from './events.ts';
import { segmentOfFreeDay } from './free-day.ts';
import type { Surroundings } from './outside.ts';
import { homeOf, type Loose, type Placed, placed } from './placed.ts';
import { filtersOfEnds } from './plain-filters.ts';
import { type PlainlyPlaced, plainlyPlaced } from './plainly-placed.ts';
import type { PersonPlan, PlanDay } from './plan.ts';
import { presenceFromTo, presenceIn } from './presence.ts';
import type { PunchList } from './punch-list.ts';
import {
  type DayResult,
  type DayState,
  type Flag,
  type Minutes,
  noMinutes,
  type PunchUse,
  type Reported,
  type ScheduleRules,
  type SegmentResult,
  sumOfMinutes,
} from './result.ts';
import { segmentOf, segmentOfLeave, stayedMinutes } from './slot-result.ts';
import { isAllLeave, leaveSpans, type Slot, slotsByDate, slotsOf } from './slots.ts';
import { minutesOf } from './spans.ts';
import type { Known } from './state.ts';
import { usesInPairs, usesInSlot, usesOf, usesOnDayOff } from './uses.ts';
import { windowsOf } from './windows.ts';

/** Everything that the days of a person depend on. */
export interface PersonInput {
  readonly wall: WallTime;
  /** With the margin before and after the dates that are asked for. */
  readonly plan: PersonPlan;
  /** Those of the margin as well. */
  readonly punches: PunchList;
  /** Punches and dates of corrections that wait for approval. */
  readonly asked: readonly AskedCorrection[];
  readonly leaves: readonly Pick<Leave, 'from' | 'to' | 'state'>[];
  /** Called where something is missing. */
  reported(): Reported;
  readonly now: UnixMs;
  readonly rules: ScheduleRules;
}

interface AskedCorrection {
  /** Of the check-in. */
  readonly at: UnixSeconds;
  /** To which it shall belong; null: it stays where it is. */
  readonly workDate: DateText | null;
}

/** A segment, and what became of its check-ins. */
interface Counted {
  readonly segment: SegmentResult;
  readonly uses: PunchUse[];
}

const none: readonly never[] = [];

/**
 * The days of a person: every punch is placed once, then each day is counted when it is asked for.
 */
export class PersonDays {
  readonly #known: Known;
  readonly #holidays: HolidayTime;
  readonly #around: Surroundings;
  readonly #placed: Placed;
  readonly #slots: ReadonlyMap<DateText, readonly Slot[]>;
  readonly #plainly: PlainlyPlaced | null;
  readonly #asked = new Set<DateText>();

  constructor({ wall, plan, punches, asked, leaves, reported, now, rules }: PersonInput) {
    const leave = leaveSpans(leaves, wall);
    const slots = slotsOf(plan, leave, wall);
    const around = { plan, slots, windowed: windowsOf(slots), leave, wall };
    let known: Reported | undefined;
    this.#known = { now, rules, reported: () => (known ??= reported()) };
    this.#holidays = {
      rule: rules.nightOvertime,
      wall,
      isLegalHoliday: date => plan.days.get(date)?.isLegalHoliday ?? false,
    };
    this.#around = around;
    this.#slots = slotsByDate(slots);
    this.#plainly = plainlyPlaced(punches, around, rules);
    this.#placed = this.#plainly ?? placed(punches, around, rules);
    for (const { at, workDate } of asked) {
      const home = homeOf(at, null, around);
      if (home) this.#asked.add(home.date);
      if (workDate !== null) this.#asked.add(workDate);
    }
  }

  day(plan: PlanDay): DayResult {
    const { date, kind, shift } = plan;
    const loose = this.#placed.looseOn(date);
    const extra = loose.filter(({ reason }) => reason === 'rest_day' || reason === 'holiday').map(({ event }) => event);
    const found = shift?.kind === 'free' ? [this.#freeDay(shift, date, loose)] : this.#segments(date);
    const segments = found.map(({ segment }) => segment);
    return {
      date,
      kind,
      state: stateOfDay(kind, segments, extra.length > 0),
      shift: shift?.code ?? null,
      segments,
      minutes: minutesOfDay(plan, segments, extra),
      flags: this.#flagsOf(date, extra, loose),
      punches: this.#usesOn(plan, found, extra, loose),
    };
  }

  /**
   * Filters that find a day of which nothing but the ends of its slots has to be looked at: those
   * of `day`, for a fraction of the cost. Null: it has to be counted.
   */
  plainFilters(plan: PlanDay): readonly MonthFilter[] | null {
    const { date, shift } = plan;
    const placed = this.#plainly;
    if (!placed || this.#asked.has(date) || placed.looseOn(date).length > 0) return null;
    if (!shift) return none;
    const slots = this.#slots.get(date) ?? none;
    return filtersOfEnds(plan, slots, placed, { holidays: this.#holidays, now: this.#known.now });
  }

  /** By time. */
  #usesOn(
    { date, isLegalHoliday }: PlanDay,
    found: readonly Counted[],
    extra: readonly PunchEvent[],
    loose: readonly Loose[],
  ): readonly PunchUse[] {
    const { wall } = this.#around;
    const setAside = this.#placed.setAsideOn(date);
    const uses = found.length === 1 ? found[0]!.uses : found.flatMap(one => one.uses);
    if (loose.length > 0) {
      const reason = isLegalHoliday ? 'holiday' : 'rest_day';
      uses.push(...usesOnDayOff(extra, { segment: null, reason, minutes: null }, wall));
      for (const { event, reason: why, minutes } of loose)
        if (why !== null && !extra.includes(event))
          uses.push(...usesOf(event.punches, 'unplaced', { segment: null, reason: why, minutes }, wall));
    }
    uses.push(...setAside);
    return isSorted(uses) ? uses : uses.sort(byTime);
  }

  #freeDay(shift: Shift, date: DateText, loose: readonly Loose[]): Counted {
    const events = loose.filter(({ reason }) => reason === null).map(({ event }) => event);
    const { leave, wall } = this.#around;
    const segment = segmentOfFreeDay(shift, date, events, { leave, known: this.#known, holidays: this.#holidays });
    return { segment, uses: usesInPairs(events, { segment: 0, reason: null, minutes: null }, wall) };
  }

  #segments(date: DateText): Counted[] {
    const filled = this.#placed.filledOn(date);
    return (this.#slots.get(date) ?? []).map(slot => {
      const one = filled.find(other => other.slot === slot);
      if (isAllLeave(slot) || !one) return { segment: segmentOfLeave(slot), uses: [] };
      const { presence, segment } = segmentOf(one, {
        known: this.#known,
        holidays: this.#holidays,
        lateOnMinutes: this.#lateOnMinutes(slot),
      });
      return { segment, uses: usesInSlot(one, presence, this.#around.wall) };
    });
  }

  /**
   * Minutes by which somebody who stayed long on the day before may begin later; by that day's
   * planned start.
   */
  #lateOnMinutes(slot: Slot): number {
    const { lateOffLateOn } = slot.shift;
    const isStartMoved = slot.span.from !== slot.planned.from;
    if (slot.index !== 0 || lateOffLateOn.length === 0 || isStartMoved) return 0;
    const before = this.#placed.filledOn(addDays(slot.date, -1)).at(-1);
    if (!before) return 0;
    const stayed = stayedMinutes(presenceIn(before.slot, before, { lateOnMinutes: 0, now: this.#known.now / 1000 }));
    if (stayed === null) return 0;
    return Math.max(0, ...lateOffLateOn.filter(one => stayed >= one.stayed).map(({ later }) => later));
  }

  #flagsOf(date: DateText, extra: readonly PunchEvent[], loose: readonly Loose[]): readonly Flag[] {
    const isAsked = this.#asked.has(date);
    if (!isAsked && loose.length === 0) return none;
    const flags: Flag['flag'][] = [];
    if (isAsked) flags.push('correction_asked');
    if (extra.length === 1) flags.push('missing_out');
    if (extra.length > 2) flags.push('several_punches');
    if (loose.some(({ reason }) => reason === 'on_leave')) flags.push('on_leave');
    return flags.map(flag => ({ flag, minutes: null }));
  }
}

/** Of the segments, and of work on a day off. */
function minutesOfDay(
  { isLegalHoliday }: PlanDay,
  segments: readonly SegmentResult[],
  extra: readonly PunchEvent[],
): Minutes {
  if (extra.length === 0 && segments.length <= 1) return segments[0]?.minutes ?? noMinutes;
  const extraMinutes = minutesOf(presenceFromTo(extra));
  return sumOfMinutes([
    ...segments.map(({ minutes }) => minutes),
    { ...noMinutes, [isLegalHoliday ? 'overtimeHoliday' : 'overtimeRest']: extraMinutes },
  ]);
}

const byTime = (one: PunchUse, other: PunchUse): number =>
  one.counted - other.counted || one.punch.id - other.punch.id || segmentOrder(one, other);

/** Those of one slot are: a sort of few costs more than a look. */
const isSorted = (uses: readonly PunchUse[]): boolean =>
  uses.every((use, place) => place === 0 || byTime(uses[place - 1]!, use) <= 0);

const segmentOrder = (one: PunchUse, other: PunchUse): number => (one.segment ?? -1) - (other.segment ?? -1);

/** Order in which states need attention. */
const worstFirst: readonly DayState[] = [
  'absent',
  'missing_in',
  'missing_out',
  'not_known_yet',
  'running',
  'to_come',
  'ok',
  'not_worked',
  'leave',
];

function stateOfDay(kind: DayResult['kind'], segments: readonly SegmentResult[], hasExtra: boolean): DayState {
  if (segments.length === 1) return segments[0]!.state;
  if (segments.length > 1) return worstFirst.find(state => segments.some(one => one.state === state))!;
  if (kind === 'not_employed' || kind === 'none') return kind;
  return hasExtra ? 'extra' : 'off';
}
