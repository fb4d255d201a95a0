import { planErrors } from '../words/plans.ts';
import type { Reason } from '../words/sentences.ts';
import type { DateText, PlanProblem } from './shifts.ts';

/** Days in which somebody is employed, both inclusive. Null: without that end. */
export interface Stint {
  readonly from: DateText | null;
  /** "Has left on". */
  readonly to: DateText | null;
}

/**
 * When somebody is employed: the last stint, and those before it in order. They do not overlap;
 * only the first may lack its first day, and only the last its last day.
 */
export interface Stints extends Stint {
  readonly earlier: readonly Stint[];
}

/** All of them, in order. */
export const stintsOf = ({ from, to, earlier }: Stints): readonly Stint[] => [...earlier, { from, to }];

/** Whether a person is employed on a date; null stints: always. */
export const isEmployedOn = (stints: Stints | null, date: DateText): boolean =>
  stints === null ||
  stintsOf(stints).some(({ from, to }) => (from === null || from <= date) && (to === null || date <= to));

/** The first thing that is wrong with a list, its path as in `Stints`; null: nothing is. */
export function stintProblem(stints: Stints): PlanProblem | null {
  const all = stintsOf(stints);
  const problem = (place: number, field: keyof Stint, why: Reason): PlanProblem => ({
    path: place === all.length - 1 ? [field] : ['earlier', place, field],
    ...why,
  });
  for (const [place, { from, to }] of all.entries()) {
    const before = all[place - 1]?.to;
    if (from === null && place > 0) return problem(place, 'from', planErrors.say('no_first_day'));
    if (from !== null && before && from <= before)
      return problem(place, 'from', planErrors.say('stints_overlap', { from, before }));
    if (to === null && place < all.length - 1) return problem(place, 'to', planErrors.say('no_last_day'));
    if (from !== null && to !== null && to < from) return problem(place, 'to', planErrors.say('last_before_first'));
  }
  return null;
}

/**
 * The stints of somebody of whom a first and a last day are said and nothing of earlier ones, which
 * stay. A first day after the last day of the stint in force is a return: that stint becomes an
 * earlier one. Anything else corrects the stint in force.
 */
export function stintsAfter(before: Stints | null, { from, to }: Stint): Stints {
  if (before === null) return { from, to, earlier: [] };
  return { from, to, earlier: isReturn(before, { from, to }) ? stintsOf(before) : before.earlier };
}

const isReturn = ({ to }: Stint, { from }: Stint): boolean => from !== null && to !== null && from > to;

/** A stint as the site file writes it. Absent or empty: null. */
interface SiteStint {
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}
/** The employment of a person as the site file writes it. */
export interface SiteStints extends SiteStint {
  readonly earlier?: readonly SiteStint[] | '' | undefined;
}

const stintOfSite = ({ from, to }: SiteStint): Stint => ({ from: from || null, to: to || null });

export const stintsOfSite = (item: SiteStints): Stints => ({
  ...stintOfSite(item),
  earlier: (item.earlier || []).map(stintOfSite),
});

/** With all fields; empty: none. */
export const siteStintsOf = ({ from, to, earlier }: Stints) => ({
  from: from ?? '',
  to: to ?? '',
  earlier:
    earlier.length > 0
      ? earlier.map(one => ({ ...(one.from && { from: one.from }), ...(one.to && { to: one.to }) }))
      : ('' as const),
});

/**
 * The stints of a person after an entry of a file, or a row of a list, is applied. With `earlier`
 * the entry is the whole list. Without it a first day after the last day of the stint in force is a
 * return (`stintsAfter`), which takes no last day from that stint; any other entry corrects the
 * stint in which its first day lies, or the next one. A file from before a return therefore says
 * nothing against it. An absent field leaves its day alone, as does an empty one where a day is
 * needed.
 */
export function siteStintsAfter(before: Stints, said: SiteStints): Stints {
  const { from, to, earlier } = said;
  if (earlier !== undefined) {
    const whole = stintsOfSite({ ...said, from: from ?? before.from });
    return to === undefined && !isReturn(before, whole) ? { ...whole, to: before.to } : whole;
  }
  if (isReturn(before, stintOfSite(said))) return stintsAfter(before, stintOfSite(said));
  const all = [...stintsOf(before)];
  const last = all.length - 1;
  const place = Math.max(
    0,
    from
      ? all.findIndex(stint => stint.to === null || stint.to >= from)
      : all.findLastIndex(stint => !to || stint.from === null || stint.from <= to),
  );
  const old = all[place]!;
  all[place] = {
    from: from || (from === undefined || place > 0 ? old.from : null),
    to: to || (to === undefined || place < last ? old.to : null),
  };
  return { ...all[last]!, earlier: all.slice(0, last) };
}
