import { now } from './now.ts';
import { clock, day, moment } from './numbers.ts';

/** The time alone for today, else with the date. */
export const whenOf = (at: number): string => (day(at) === day(now.value) ? clock(at) : moment(at));
