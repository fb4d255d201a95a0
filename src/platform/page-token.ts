/**
 * Where a caller of `checkin_query` stands (SPEC 4.8, `next_id`): the id of the last check-in that
 * it has, and how many late ones it has had. A check-in is late when its person became known after
 * it was reported: it keeps its place in the order of report for whoever has not come that far, and
 * is given next to whoever has passed it. So a walk from 0 is in report order, and a walk that goes
 * on misses nothing and gets nothing twice.
 *
 * One whole number under 2^53: `late · 2^31 + id`. As long as no check-in was late it is the id
 * alone. Callers take it as opaque.
 */
export interface PageToken {
  readonly id: number;
  readonly late: number;
}

const idBits = 2 ** 31;
/** Check-ins that can be numbered: 50 years at 100 000 a day. */
export const checkInIdMax = idBits - 1;
/** Late ones that can be told apart; those beyond stand in their place alone. */
export const lateMax = 2 ** 22 - 1;

export const encodePageToken = ({ id, late }: PageToken): number => late * idBits + id;

/** Any number from 0 to 2^53 - 1. */
export const decodePageToken = (token: number): PageToken => ({
  id: token % idBits,
  late: Math.floor(token / idBits),
});
