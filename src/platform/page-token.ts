/**
 * The position of a caller of `checkin_query` (SPEC 4.8, `next_id`): the id of the last check-in
 * that it has, and how many late ones it has had. A check-in is late when its person became known
 * after it was reported: callers that have not reached it get it in the order of report, and
 * callers that have passed it get it next. So reading from 0 is in report order, and reading on
 * misses nothing and repeats nothing.
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
/** How many late ones can be numbered; further ones appear only in the order of report. */
export const lateMax = 2 ** 22 - 1;

export const encodePageToken = ({ id, late }: PageToken): number => late * idBits + id;

/** Any number from 0 to 2^53 - 1. */
export const decodePageToken = (token: number): PageToken => ({
  id: token % idBits,
  late: Math.floor(token / idBits),
});
