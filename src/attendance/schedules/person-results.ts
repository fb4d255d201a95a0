import type { PersonRow } from '../../store/index.ts';
import type { FrozenCorrection } from '../months/frozen-month.ts';
import type { DayResult } from './result.ts';
import type { ResultSums } from './sums.ts';

export interface PersonResults {
  /** Of somebody who was deleted: as the month was closed, with a negative `place.id`. */
  readonly person: PersonRow;
  /** External ids: the person's department, then those above it. */
  readonly departments: readonly string[];
  /** The closing that all of the days come from; null: at least one of them is not closed. */
  readonly closed: ClosedFigures | null;
  readonly days: readonly DayResult[];
  readonly sums: ResultSums;
}

interface ClosedFigures {
  readonly periodId: number;
  readonly revision: number;
  readonly corrections: readonly FrozenCorrection[];
}
