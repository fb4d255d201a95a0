import type { WallTime } from '../../runtime/wall-time.ts';
import type { PunchEvent } from './events.ts';
import type { Presence } from './presence.ts';
import type { PunchUse } from './result.ts';
import type { FilledSlot } from './slot-result.ts';

type Role = PunchUse['role'];
type Place = Pick<PunchUse, 'segment' | 'reason' | 'minutes'>;

const inside = (segment: number): Place => ({ segment, reason: null, minutes: null });

/** Uses of the punches of a slot. */
export const usesInSlot = (filled: FilledSlot, { ends }: Presence, wall: WallTime): PunchUse[] =>
  filled.events.flatMap((event, place) => {
    const inPairs = filled.slot.shift.counting === 'pairs' && ends.in !== null && filled.events.length > 1;
    const other = inPairs ? roleInPairs(place) : 'between';
    const role = event === ends.in ? 'in' : event === ends.out ? 'out' : other;
    return usesOf(event.punches, role, inside(filled.slot.index), wall);
  });

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
  const counts = role === 'out' ? punches.length - 1 : 0;
  return punches.map(({ punch, at }, index) => ({
    punch,
    counted: at,
    ...place,
    role: index === counts ? role : 'repeat',
    isSecondTime: wall.isSecondTime(at),
  }));
}
