import type { UnixSeconds } from '../../runtime/clock.ts';
import type { DeviceNo } from '../../store/index.ts';
import type { Punch } from './result.ts';

/**
 * Check-ins of a person. Days look at the times of all of them and show a few: an object is made
 * of one when somebody asks for it.
 */
export interface PunchList {
  /** Of the check-in at each place. */
  readonly times: ArrayLike<UnixSeconds>;
  /** By time, then by id, and no correction has set one aside or moved it to another date. */
  readonly isPlain: boolean;
  /** Where they come from, each once. */
  readonly deviceNos: readonly DeviceNo[];
  of(place: number): Punch;
}

export const everyPunch = (list: PunchList): Punch[] => Array.from(list.times, (_, place) => list.of(place));

/** Of objects, in any order. */
export function punchList(punches: readonly Punch[]): PunchList {
  const isInOrder = (one: Punch, place: number) => {
    const before = punches[place - 1];
    return !before || before.at < one.at || (before.at === one.at && before.id < one.id);
  };
  return {
    times: punches.map(({ at }) => at),
    isPlain: punches.every((one, place) => !one.isSetAside && one.workDate === null && isInOrder(one, place)),
    deviceNos: [...new Set(punches.map(({ deviceNo }) => deviceNo))],
    of: place => punches[place]!,
  };
}
