import type { Scenario } from '../scenario.ts';
import { httpPushes } from './http-pushes.ts';
import { plainLoad } from './plain-load.ts';
import { recovery } from './recovery.ts';

/** What goes on while the power is cut, in the order of the page. */
export const scenarios: readonly Scenario[] = [plainLoad, httpPushes, recovery];
