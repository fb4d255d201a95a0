import { addDays } from '../../runtime/calendar-date.ts';
import type { WallTime } from '../../runtime/wall-time.ts';
import type { Correction, Employment, FrozenRow, Leave, PersonRow } from '../../store/index.ts';
import type { Place } from './departments-by-date.ts';
import type { Plans } from './plan.ts';
import type { PunchList } from './punch-list.ts';
import { reportedUntil, type Terminals, terminalsOf } from './reported.ts';
import { defaultRules } from './result.ts';
import { marginDays, type ResultsInput } from './results.ts';
import type { ResultsOptions, ResultsQuery } from './results-query.ts';

export interface PlansOfPeople {
  readonly plans: Plans;
  readonly employments: ReadonlyMap<string, Employment>;
  readonly leaves: ReadonlyMap<string, readonly Leave[]>;
  /** Corrections that wait for approval. */
  readonly asked: ReadonlyMap<string, readonly Correction[]>;
}

/** A person with all that was read for the days that are asked for. */
export interface KnownPerson {
  readonly person: PersonRow;
  readonly places: readonly Place[];
  /** Closed months among those asked for, and whether they are all of them. */
  readonly rows: readonly FrozenRow[];
  readonly isClosed: boolean;
  readonly punches: PunchList;
  readonly plans: PlansOfPeople;
  readonly terminals: Terminals;
  readonly wall: WallTime;
}

export function inputOf(
  { person: { extId }, places, punches, terminals, wall, ...known }: KnownPerson,
  { from, to }: Pick<ResultsQuery, 'from' | 'to'>,
  rules: ResultsOptions['rules'],
): ResultsInput {
  const { plans, employments, leaves, asked } = known.plans;
  const [first, last] = [addDays(from, -marginDays), addDays(to, marginDays)];
  const employment = employments.get(extId) ?? null;
  // A check-in names a person by external id: nothing is known of who has none.
  const plan = extId === '' ? { days: new Map(), employment } : plans.of({ extId, places, employment }, first, last);
  return {
    ...{ wall, from, to, plan, punches },
    asked: asked.get(extId) ?? [],
    leaves: leaves.get(extId) ?? [],
    reported: () => reportedUntil(terminalsOf(punches, terminals), terminals),
    now: terminals.now,
    rules: { ...defaultRules, ...rules },
  };
}
