import { now } from '../../parts/now.ts';
import { clock, day, moment, span } from '../../parts/numbers.ts';
import { say } from './words.ts';

/** By how much a clock is off: ahead where it is more than 0. */
export const clockWords = (seconds: number): string =>
  seconds > 0 ? say.value.ahead(span(seconds * 1000)) : say.value.behind(span(-seconds * 1000));

/** The time alone for today, else with the date. */
export const whenOf = (at: number): string => (day(at) === day(now.value) ? clock(at) : moment(at));
