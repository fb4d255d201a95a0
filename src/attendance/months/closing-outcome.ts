import type { Period, PeriodRefusal } from '../../store/index.ts';
import type { InTheWay, InTheWayName } from './in-the-way.ts';

/** Last line of a closing. */
export interface ClosingFoot {
  readonly people: number;
  readonly corrections: number;
  readonly wrong_clocks: readonly string[];
  readonly in_the_way: readonly { readonly what: string; readonly count: number }[];
}

/** Why a draft was not finished. `failed`: it was cut again and again. */
type ClosingRefusal =
  | { readonly why: 'nobody' | 'failed' }
  | { readonly why: 'in_the_way'; readonly inTheWay: readonly InTheWay[] };

/** The same as JSON, as the draft keeps it: without the names of people. */
export interface KeptRefusal {
  readonly why: ClosingRefusal['why'];
  readonly in_the_way: readonly { readonly what: InTheWayName; readonly count: number }[];
}

export function refusalText(refusal: ClosingRefusal): string {
  const kept: KeptRefusal = {
    why: refusal.why,
    in_the_way: refusal.why === 'in_the_way' ? countsOf(refusal.inTheWay) : [],
  };
  return JSON.stringify(kept);
}

export const countsOf = (inTheWay: readonly InTheWay[]) => inTheWay.map(({ what, count }) => ({ what, count }));

export type ClosingOutcome =
  | { readonly ok: true; readonly period: Period }
  /** Not begun, or taken away. */
  | { readonly ok: false; readonly why: PeriodRefusal }
  /** The draft stays, with its refusal. */
  | ({ readonly ok: false; readonly draft: number } & ClosingRefusal);
