import type { PartOf, ReadsOf, WritesOf } from '../../domain.ts';
import { reads } from './reads.ts';
import * as writes from './writes.ts';

/** Corrections of check-ins. */
export const corrections = { reads, writes };

export type CorrectionStore = PartOf<typeof corrections>;
export type CorrectionReads = ReadsOf<typeof corrections>;
export type CorrectionWrites = WritesOf<typeof corrections>;
