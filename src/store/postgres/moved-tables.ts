/** `meta.key` of a move's id, until it has ended: until then no region starts there. */
export const unfinishedKey = 'move_unfinished';
/** And from then on. */
export const endedKey = 'moved_from';

/**
 * Tables of a box whose rows stay behind, with the reason. All others are moved: a table that a
 * migration adds is moved without a word here.
 */
export const leftBehind: ReadonlyMap<string, string> = new Map([
  ['room_sample', "the room on the box's own disk, from which its fullness is foretold; the region's is elsewhere"],
]);
