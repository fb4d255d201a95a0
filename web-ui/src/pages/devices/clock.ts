import { now } from '../../parts/now.ts';
import { clock, day, moment } from '../../parts/numbers.ts';

/** The time alone for today, else with the date. */
export const whenOf = (at: number): string => (day(at) === day(now.value) ? clock(at) : moment(at));
