import type { DateText } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import { PersonDays, type PersonInput } from './person-days.ts';
import type { DayResult } from './result.ts';

/**
 * A day depends on the plans and punches of so many days before and after it: a shift lasts two
 * days, its window one more on either side, and slots share the gap between them.
 */
export const marginDays = 5;

/** The dates from `from` to `to`, both inclusive. */
export function datesFrom(from: DateText, to: DateText): DateText[] {
  const dates: DateText[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date);
  return dates;
}

/** Dates on which the results of those from `from` to `to` depend. */
export const datesAround = (from: DateText, to: DateText): DateText[] =>
  datesFrom(addDays(from, -marginDays), addDays(to, marginDays));

export interface ResultsInput extends PersonInput {
  /** Work dates, both inclusive. Plan and punches have `marginDays` before and after them. */
  readonly from: DateText;
  readonly to: DateText;
}

/**
 * Results of a person's dates. Pure: no clock, no store. The same punches in another order give the
 * same, and the dates of a range give what each gives alone.
 */
export function resultsOf(input: ResultsInput): DayResult[] {
  const person = new PersonDays(input);
  const days: DayResult[] = [];
  for (let date = input.from; date <= input.to; date = addDays(date, 1)) {
    const day = input.plan.days.get(date);
    if (day) days.push(person.day(day));
  }
  return days;
}
