import { span } from '../../parts/numbers.ts';
import { say } from './words.ts';

/** By how much a clock is off: ahead where it is more than 0. */
export const clockWords = (seconds: number): string =>
  seconds > 0 ? say.value.ahead(span(seconds * 1000)) : say.value.behind(span(-seconds * 1000));
