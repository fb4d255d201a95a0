/**
 * `next_id` of `checkin_query` (SPEC 4.8): the id of the last check-in that a caller has. An id is
 * given when a check-in becomes visible, so whoever goes on from there misses nothing and gets
 * nothing twice, and a number of 32 bits holds it.
 */

const idBits = 2 ** 31;

/** Check-ins that can be numbered: 50 years at 100 000 a day. */
export const checkInIdMax = idBits - 1;

/**
 * A `next_id` of an older program, over 2^31 as soon as somebody had become known late:
 * `late · 2^31 + id`. Its ids were given at receipt, and `late` said how many of those who became
 * known later the caller had had. Callers hold such numbers for as long as they like.
 */
export interface OldNextId {
  readonly id: number;
  readonly late: number;
}

/** `nextId`: any number from 0 to 2^53 - 1. Null: it is a plain id. */
export const oldNextId = (nextId: number): OldNextId | null =>
  nextId < idBits ? null : { id: nextId % idBits, late: Math.floor(nextId / idBits) };

/** For the next page of a caller that is still in the part that an older program wrote. */
export const writtenOldNextId = ({ id, late }: OldNextId): number => late * idBits + id;
