import type { DateText } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { WallTime } from '../../runtime/wall-time.ts';
import type { Leave } from '../../store/index.ts';
import { eventsOfSlots } from './chained.ts';
import type { HolidayTime } from './counting.ts';
import { countedAt, eventsOf, inOrder, type PunchEvent } from './events.ts';
import { segmentOfFreeDay } from './free-day.ts';
import { type Outside, outsideOf, type Surroundings } from './outside.ts';
import type { PersonPlan, PlanDay } from './plan.ts';
import { presenceFromTo, presenceIn } from './presence.ts';
import {
  type DayResult,
  type DayState,
  type Flag,
  noMinutes,
  type Punch,
  type PunchUse,
  type Reported,
  type ScheduleRules,
  type SegmentResult,
  sumOfMinutes,
} from './result.ts';
import { type FilledSlot, segmentOf, segmentOfLeave, stayedMinutes } from './slot-result.ts';
import { isAllLeave, leaveSpans, type Slot, slotsOf } from './slots.ts';
import { minutesOf } from './spans.ts';
import type { Known } from './state.ts';
import { usesInPairs, usesInSlot, usesOf, usesOnDayOff } from './uses.ts';
import { windowsOf } from './windows.ts';

/** Everything that the days of a person depend on. */
export interface PersonInput {
  readonly wall: WallTime;
  /** With the margin before and after the dates that are asked for. */
  readonly plan: PersonPlan;
  /** Those of the margin as well, in any order. */
  readonly punches: readonly Punch[];
  /** Punches and dates of corrections that wait for approval. */
  readonly asked: readonly AskedCorrection[];
  readonly leaves: readonly Pick<Leave, 'from' | 'to' | 'state'>[];
  readonly reported: Reported;
  readonly now: UnixMs;
  readonly rules: ScheduleRules;
}

interface AskedCorrection {
  /** Of the check-in. */
  readonly at: UnixSeconds;
  /** To which it shall belong; null: it stays where it is. */
  readonly workDate: DateText | null;
}

interface Loose extends Outside {
  readonly event: PunchEvent;
}

/**
 * The days of a person: every punch is placed once, then each day is counted when it is asked for.
 */
export class PersonDays {
  readonly #known: Known;
  readonly #holidays: HolidayTime;
  readonly #around: Surroundings;
  /** By date; of each date in the order of time. */
  readonly #slots = new Map<DateText, Slot[]>();
  readonly #filled = new Map<DateText, FilledSlot[]>();
  readonly #loose = new Map<DateText, Loose[]>();
  readonly #setAside = new Map<DateText, PunchUse[]>();
  readonly #asked = new Set<DateText>();

  constructor({ wall, plan, punches, asked, leaves, reported, now, rules }: PersonInput) {
    const leave = leaveSpans(leaves, wall);
    const slots = slotsOf(plan, leave, wall);
    const windowed = windowsOf(slots);
    this.#known = { now, reported, rules };
    this.#holidays = {
      rule: rules.nightOvertime,
      wall,
      isLegalHoliday: date => plan.days.get(date)?.isLegalHoliday ?? false,
    };
    this.#around = { plan, slots, windowed, leave, wall };
    for (const slot of slots) addTo(this.#slots, slot.date, slot);

    const counted = punches.map(punch => ({ punch, at: countedAt(punch, rules) }));
    const { ofSlots, others } = eventsOfSlots(windowed, eventsOf(counted, rules), rules);
    for (const [place, one] of windowed.entries()) addTo(this.#filled, one.slot.date, { ...one, ...ofSlots[place]! });
    for (const event of others) {
      const outside = outsideOf(event, this.#around);
      if (outside) addTo(this.#loose, outside.date, { event, ...outside });
    }
    for (const one of inOrder(counted.filter(({ punch }) => punch.isSetAside))) {
      const home = this.#homeOf(one.at, one.punch.workDate);
      if (!home) continue;
      const place = { segment: home.segment, reason: null, minutes: null };
      for (const use of usesOf([one], 'set_aside', place, wall)) addTo(this.#setAside, home.date, use);
    }
    for (const { at, workDate } of asked) {
      const home = this.#homeOf(at, null);
      if (home) this.#asked.add(home.date);
      if (workDate !== null) this.#asked.add(workDate);
    }
  }

  day(plan: PlanDay): DayResult {
    const { date, kind, shift } = plan;
    const { wall } = this.#around;
    const loose = this.#loose.get(date) ?? [];
    const extra = loose.filter(({ reason }) => reason === 'rest_day' || reason === 'holiday').map(({ event }) => event);
    const found = [...this.#freeDay(plan, loose), ...this.#segments(date)];
    const segments = found.map(({ segment }) => segment);
    const reason = plan.isLegalHoliday ? 'holiday' : 'rest_day';
    const punches = [
      ...found.flatMap(({ uses }) => uses),
      ...usesOnDayOff(extra, { segment: null, reason, minutes: null }, wall),
      ...loose
        .filter(({ event, reason }) => reason !== null && !extra.includes(event))
        .flatMap(({ event, reason, minutes }) =>
          usesOf(event.punches, 'unplaced', { segment: null, reason, minutes }, wall),
        ),
      ...(this.#setAside.get(date) ?? []),
    ];
    const extraMinutes = minutesOf(presenceFromTo(extra));
    return {
      date,
      kind,
      state: stateOfDay(kind, segments, extra.length > 0),
      shift: shift?.code ?? null,
      segments,
      minutes: sumOfMinutes([
        ...segments.map(({ minutes }) => minutes),
        { ...noMinutes, [plan.isLegalHoliday ? 'overtimeHoliday' : 'overtimeRest']: extraMinutes },
      ]),
      flags: this.#flagsOf(date, extra, loose),
      punches: punches.sort(
        (one, other) => one.counted - other.counted || one.punch.id - other.punch.id || segmentOrder(one, other),
      ),
    };
  }

  #freeDay({ date, shift }: PlanDay, loose: readonly Loose[]): { segment: SegmentResult; uses: PunchUse[] }[] {
    if (shift?.kind !== 'free') return [];
    const events = loose.filter(({ reason }) => reason === null).map(({ event }) => event);
    const { leave, wall } = this.#around;
    const segment = segmentOfFreeDay(shift, date, events, { leave, known: this.#known, holidays: this.#holidays });
    return [{ segment, uses: usesInPairs(events, { segment: 0, reason: null, minutes: null }, wall) }];
  }

  #segments(date: DateText): { segment: SegmentResult; uses: PunchUse[] }[] {
    const filled = this.#filled.get(date) ?? [];
    return (this.#slots.get(date) ?? []).map(slot => {
      const one = filled.find(other => other.slot === slot);
      if (isAllLeave(slot) || !one) return { segment: segmentOfLeave(slot), uses: [] };
      const { presence, ...segment } = segmentOf(one, {
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
    const before = this.#filled.get(addDays(slot.date, -1))?.at(-1);
    if (!before) return 0;
    const stayed = stayedMinutes(presenceIn(before.slot, before, { lateOnMinutes: 0, now: this.#known.now / 1000 }));
    if (stayed === null) return 0;
    return Math.max(0, ...lateOffLateOn.filter(one => stayed >= one.stayed).map(({ later }) => later));
  }

  #flagsOf(date: DateText, extra: readonly PunchEvent[], loose: readonly Loose[]): Flag[] {
    const flags: Flag['flag'][] = [];
    if (this.#asked.has(date)) flags.push('correction_asked');
    if (extra.length === 1) flags.push('missing_out');
    if (extra.length > 2) flags.push('several_punches');
    if (loose.some(({ reason }) => reason === 'on_leave')) flags.push('on_leave');
    return flags.map(flag => ({ flag, minutes: null }));
  }

  /** The day to which a moment belongs, or to which a correction has moved it. */
  #homeOf(
    at: UnixSeconds,
    movedTo: DateText | null,
  ): { readonly date: DateText; readonly segment: number | null } | null {
    if (movedTo !== null) return { date: movedTo, segment: null };
    const found = this.#around.windowed.find(({ window }) => window.from <= at && at < window.to);
    if (found) return { date: found.slot.date, segment: found.slot.index };
    const outside = outsideOf({ at, movedTo }, this.#around);
    return outside && { date: outside.date, segment: null };
  }
}

function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

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
  if (segments.length > 0) return worstFirst.find(state => segments.some(one => one.state === state))!;
  if (kind === 'not_employed' || kind === 'none') return kind;
  return hasExtra ? 'extra' : 'off';
}
