import type { WallTime } from '../../runtime/wall-time.ts';
import type { PunchEvent } from './events.ts';
import type { Presence } from './presence.ts';
import type { PunchUse } from './result.ts';
import type { FilledSlot } from './slot-result.ts';

type Role = PunchUse['role'];
type Place = Pick<PunchUse, 'segment' | 'reason' | 'minutes'>;

/** Uses of the punches of a slot. */
export function usesInSlot({ slot, events }: FilledSlot, { ends }: Presence, wall: WallTime): PunchUse[] {
  const inPairs = slot.shift.counting === 'pairs' && ends.in !== null && events.length > 1;
  const inside: Place = { segment: slot.index, reason: null, minutes: null };
  const uses: PunchUse[] = [];
  for (const [place, event] of events.entries()) {
    const other = inPairs ? roleInPairs(place) : 'between';
    const role = event === ends.in ? 'in' : event === ends.out ? 'out' : other;
    addUses(uses, event.punches, role, inside, wall);
  }
  return uses;
}

/** Of work on a day off: in with the first, out with the last. */
export const usesOnDayOff = (events: readonly PunchEvent[], place: Place, wall: WallTime): PunchUse[] =>
  events.flatMap((event, index) =>
    usesOf(event.punches, index === 0 ? 'in' : index === events.length - 1 ? 'out' : 'between', place, wall),
  );

/** Of a free shift: in and out in turn. */
export const usesInPairs = (events: readonly PunchEvent[], place: Place, wall: WallTime): PunchUse[] =>
  events.flatMap((event, index) => usesOf(event.punches, roleInPairs(index), place, wall));

const roleInPairs = (index: number): Role => (index % 2 === 0 ? 'in' : 'out');

/** The last punch of an end counts, the first of anything else; the others repeat it. */
export function usesOf(punches: PunchEvent['punches'], role: Role, place: Place, wall: WallTime): PunchUse[] {
  const uses: PunchUse[] = [];
  addUses(uses, punches, role, place, wall);
  return uses;
}

function addUses(
  uses: PunchUse[],
  punches: PunchEvent['punches'],
  role: Role,
  { segment, reason, minutes }: Place,
  wall: WallTime,
): void {
  const counts = role === 'out' ? punches.length - 1 : 0;
  for (const [index, { punch, at }] of punches.entries())
    uses.push({
      ...{ punch, counted: at, segment, reason, minutes },
      role: index === counts ? role : 'repeat',
      isSecondTime: wall.isSecondTime(at),
    });
}
