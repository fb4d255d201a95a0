import { type DateText, inCycle, type Shift, versionsByCode } from '../../platform/shifts.ts';
import { isEmployedOn, type Stints } from '../../platform/stints.ts';
import { addDays, mondayOf, weekdayOf } from '../../runtime/calendar-date.ts';
import type { DayOverride, PlanTarget, RosterRule } from '../../store/index.ts';
import type { Place } from './departments-by-date.ts';
import type { DayKind } from './result.ts';

/** Kind of a date in the national calendar, or in the site's own table in its place. */
export type CalendarKind = 'legal_holiday' | 'rest' | 'makeup';

export interface PlanDay {
  readonly date: DateText;
  readonly kind: DayKind;
  /** Also where a shift is planned, and where the person is not employed. */
  readonly isLegalHoliday: boolean;
  readonly shift: Shift | null;
}

/** The days of a person; undefined outside the dates that were asked for. */
export interface PersonPlan {
  readonly days: ReadonlyMap<DateText, PlanDay>;
  readonly employment: Stints | null;
}

type SharedDays = ReadonlyMap<DateText, PlanDay>;

interface PlannedPerson {
  readonly extId: string;
  /** Where the person stands, in order; together all of the dates that are asked for. */
  readonly places: readonly Pick<Place, 'to' | 'chain'>[];
  readonly employment: Stints | null;
}

interface PlansInput {
  readonly shifts: readonly Shift[];
  readonly rules: readonly RosterRule[];
  readonly overrides: readonly DayOverride[];
  /** Kind of a date; null if the calendar has no entry. */
  readonly calendar: (date: DateText) => CalendarKind | null;
}

const keyOf = (target: PlanTarget): string => (target.kind === 'site' ? 'site' : `${target.kind} ${target.extId}`);

const grouped = <T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
};

const holdsOn = ({ from, to }: Pick<RosterRule, 'from' | 'to'>, date: DateText): boolean =>
  from <= date && (to === null || date <= to);

/** Shifts of one person on each date: rules, single days and the calendar, resolved. */
export class Plans {
  readonly #versions: ReadonlyMap<string, readonly Shift[]>;
  readonly #rules: ReadonlyMap<string, readonly RosterRule[]>;
  readonly #overrides: ReadonlyMap<string, readonly DayOverride[]>;
  readonly #calendar: PlansInput['calendar'];
  /** Targets of the single days. */
  readonly #overridden: ReadonlySet<string>;
  /** Days of everybody who has none of their own, by dates and those who have plans there. */
  readonly #shared = new Map<string, SharedDays>();
  /** The same by the places, which people of one department share. */
  readonly #ofPlaces = new WeakMap<PlannedPerson['places'], { readonly key: string; readonly days: SharedDays }>();

  constructor({ shifts, rules, overrides, calendar }: PlansInput) {
    this.#versions = versionsByCode(shifts);
    this.#rules = grouped(
      [...rules].sort((one, other) => one.recordedAt - other.recordedAt || one.id - other.id),
      ({ target }) => keyOf(target),
    );
    this.#overrides = grouped(
      [...overrides].sort((one, other) => one.id - other.id),
      ({ date, target }) => `${date} ${keyOf(target)}`,
    );
    this.#overridden = new Set(overrides.map(({ target }) => keyOf(target)));
    this.#calendar = calendar;
  }

  /** The dates from `from` to `to`, both inclusive. */
  of(person: PlannedPerson, from: DateText, to: DateText): PersonPlan {
    const { employment } = person;
    const planned = this.#daysOf(person, from, to);
    if (employment === null) return { days: planned, employment };
    const days = new Map<DateText, PlanDay>();
    for (const [date, day] of planned)
      days.set(date, isEmployedOn(employment, date) ? day : { ...day, kind: 'not_employed', shift: null });
    return { days, employment };
  }

  /** As if the person were employed all the time. */
  #daysOf({ extId, places }: PlannedPerson, from: DateText, to: DateText): ReadonlyMap<DateText, PlanDay> {
    const own = keyOf({ kind: 'person', extId });
    if (this.#rules.has(own) || this.#overridden.has(own)) return this.#daysAt(places, [own], from, to);
    const dates = `${from} ${to}`;
    const known = this.#ofPlaces.get(places);
    if (known?.key === dates) return known.days;
    const key = JSON.stringify([dates, this.#targetsAt(places, [])]);
    const days = this.#shared.get(key) ?? this.#daysAt(places, [], from, to);
    this.#shared.set(key, days);
    this.#ofPlaces.set(places, { key: dates, days });
    return days;
  }

  /** Whose plans hold at places, nearest first; without those that have none. */
  #targetsAt(places: PlannedPerson['places'], own: readonly string[]) {
    return places.map(({ to: until, chain }) => ({
      until,
      targets: [...own, ...chain.map(extId => keyOf({ kind: 'department', extId })), 'site'].filter(
        target => this.#rules.has(target) || this.#overridden.has(target),
      ),
    }));
  }

  #daysAt(
    places: PlannedPerson['places'],
    own: readonly string[],
    from: DateText,
    to: DateText,
  ): ReadonlyMap<DateText, PlanDay> {
    const targetsAt = this.#targetsAt(places, own);
    const days = new Map<DateText, PlanDay>();
    for (let date = from; date <= to; date = addDays(date, 1)) {
      const { targets } = targetsAt.find(({ until }) => date <= until) ?? targetsAt.at(-1)!;
      days.set(date, this.#dayOf(targets, date));
    }
    return days;
  }

  #dayOf(targets: readonly string[], date: DateText): PlanDay {
    const ruleOf = (target: string) => this.#rules.get(target)?.findLast(one => holdsOn(one, date));
    const rule = first(targets, ruleOf);
    const overridesOf = (target: string) => this.#overrides.get(`${date} ${target}`);
    const nearest = first(targets, target => overridesOf(target)?.at(-1));
    const plain = first(targets, target => overridesOf(target)?.findLast(one => one.what.kind !== 'shift'));
    const national = this.#calendar(date);
    const isLegalHoliday = plain ? plain.what.kind === 'legal_holiday' : national === 'legal_holiday';
    if (!rule && !nearest) return { date, kind: 'none', isLegalHoliday, shift: null };

    const code = codeOn(date, rule, nearest?.what, national);
    const shift = code === null ? null : this.#shiftOn(code, date);
    const isRest = code === null && restsOn(rule, nearest?.what);
    const kind = isLegalHoliday ? 'legal_holiday' : shift ? 'workday' : isRest ? 'rest' : 'none';
    return { date, kind, isLegalHoliday, shift };
  }

  /** The version that holds on a date; null: the shift does not exist yet, or not at all. */
  #shiftOn(code: string, date: DateText): Shift | null {
    return this.#versions.get(code)?.findLast(({ validFrom }) => validFrom <= date) ?? null;
  }
}

function first<T>(targets: readonly string[], find: (target: string) => T | undefined): T | undefined {
  for (const target of targets) {
    const found = find(target);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A workday or a make-up day that no rule has a shift for is no rest day: nothing is planned. */
const restsOn = (rule: RosterRule | undefined, what: DayOverride['what'] | undefined): boolean =>
  what?.kind === 'rest' || (rule !== undefined && what?.kind !== 'workday' && what?.kind !== 'makeup');

/** The code of the shift of a date; null: none. */
function codeOn(
  date: DateText,
  rule: RosterRule | undefined,
  what: DayOverride['what'] | undefined,
  national: CalendarKind | null,
): string | null {
  const cycleOn = (other: DateText) => (rule ? inCycle(rule.cycle, rule.anchor, other) : null);
  const inWeeks = rule !== undefined && rule.cycle.length % 7 === 0;
  switch (what?.kind) {
    case 'rest':
      return null;
    case 'shift':
      return what.code;
    case 'makeup':
      return cycleOn(addDays(mondayOf(date), what.weekday - 1));
    case 'workday':
      return cycleOn(date) ?? cycleOn(neighbouringWorkday(date));
    case 'legal_holiday':
      return inWeeks ? null : cycleOn(date);
    default:
      // A rota that is no week runs on through the national holidays.
      if (!inWeeks || national === null) return cycleOn(date);
      return national === 'makeup' ? (cycleOn(date) ?? cycleOn(neighbouringWorkday(date))) : null;
  }
}

/** A Saturday works as the Friday before it, a Sunday as the Monday after it. */
const neighbouringWorkday = (date: DateText): DateText => {
  const weekday = weekdayOf(date);
  return weekday === 6 ? addDays(date, -1) : weekday === 7 ? addDays(date, 1) : date;
};
