import type { PartOf, ReadsOf, WritesOf } from '../../domain.ts';
import { reads } from './reads.ts';
import * as writes from './writes.ts';

/**
 * Plans: shifts, who works which from when, single days, who is employed from when to when, and
 * leave. What somebody worked is nowhere stored: it is computed from these and the punches
 * (docs/decisions/schedules.md).
 */
export const plans = { reads, writes };

export type ScheduleStore = PartOf<typeof plans>;
export type ScheduleReads = ReadsOf<typeof plans>;
export type ScheduleWrites = WritesOf<typeof plans>;
