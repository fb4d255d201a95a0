import type { DeviceNo, PersonRow } from '../../store/index.ts';
import type { Place } from './departments-by-date.ts';
import type { FrozenCorrection } from './frozen-month.ts';
import type { DayResult } from './result.ts';
import type { ResultSums } from './sums.ts';

export interface PersonResults {
  /** Of somebody who was deleted: as the month was closed, with a negative `place.id`. */
  readonly person: PersonRow;
  /** Where the person stood: together all of the dates. The last one is that of `person`. */
  readonly places: readonly Place[];
  /** The closing that all of the days come from; null: at least one of them is not closed. */
  readonly closed: ClosedFigures | null;
  readonly days: readonly DayResult[];
  readonly sums: ResultSums;
  /** Terminals of the check-ins in these days and around them; none of a closed month. */
  readonly terminals: readonly DeviceNo[];
}

interface ClosedFigures {
  readonly periodId: number;
  readonly revision: number;
  readonly corrections: readonly FrozenCorrection[];
}
