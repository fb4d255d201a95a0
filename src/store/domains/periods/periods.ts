import type { PartOf, ReadsOf, WritesOf } from '../../domain.ts';
import { reads } from './reads.ts';
import { writes } from './writes.ts';

export type { ClosingDraft, FrozenRow, Period, PeriodChange, PeriodState } from './tables.ts';
export type { NewFrozenRow, PeriodOutcome, PeriodRefusal } from './writes.ts';

/**
 * Months that were closed. The figures of a closed month are kept as they were; nothing computes
 * them again (docs/decisions/schedules.md).
 */
export const periods = { reads, writes };

export type PeriodReads = ReadsOf<typeof periods>;
export type PeriodWrites = WritesOf<typeof periods>;
export type PeriodStore = PartOf<typeof periods>;
