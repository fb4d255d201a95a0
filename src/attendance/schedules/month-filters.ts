import { isFound, type MonthFilter, monthFilters } from '../../platform/day-figures.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import { PersonDays } from './person-days.ts';
import type { PersonResults } from './person-results.ts';
import type { PlanDay } from './plan.ts';
import { type DayResult, flagsToShow } from './result.ts';
import type { ResultsInput } from './results.ts';

const none: readonly never[] = [];

const factsOf = (day: DayResult) => {
  const { state, segments, minutes } = day;
  const flags = flagsToShow(day);
  return {
    state,
    segmentStates: segments.length > 1 ? segments.map(segment => segment.state) : none,
    late: minutes.late,
    early: minutes.early,
    leave: minutes.leave,
    overtime: minutes.overtimeWorkday + minutes.overtimeRest + minutes.overtimeHoliday,
    flags: flags.length > 0 ? flags.map(({ flag }) => flag) : none,
  };
};

/** Filters that find a person. Nothing of a closed month is left to review. */
export function filtersOf({ days, closed }: Pick<PersonResults, 'days' | 'closed'>): MonthFilter[] {
  const facts = days.map(factsOf);
  return monthFilters.filter(filter => !(filter === 'review' && closed !== null) && facts.some(isFound[filter]));
}

export const isPlanned = ({ kind }: Pick<PlanDay, 'kind'>): boolean => kind !== 'none' && kind !== 'not_employed';

/** Of some days of a person. */
export interface FoundDays {
  readonly filters: Iterable<MonthFilter>;
  /** Whether anything is planned. */
  readonly isPlanned: boolean;
}

/**
 * Filters that find a person in dates that are not closed: those of the days of `resultsOf`, of
 * which only the ones that need it are counted.
 */
export function filtersIn(input: ResultsInput): FoundDays {
  const person = new PersonDays(input);
  const filters = new Set<MonthFilter>();
  const found = { filters, isPlanned: false };
  for (let date = input.from; date <= input.to; date = addDays(date, 1)) {
    const plan = input.plan.days.get(date);
    if (!plan) continue;
    found.isPlanned ||= isPlanned(plan);
    const ofDay = person.plainFilters(plan) ?? filtersOf({ days: [person.day(plan)], closed: null });
    for (const filter of ofDay) filters.add(filter);
  }
  return found;
}
