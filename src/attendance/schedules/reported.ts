import type { UnixMs } from '../../runtime/clock.ts';
import type { DeviceNo, DeviceSeen } from '../../store/index.ts';
import type { PunchList } from './punch-list.ts';
import type { Reported } from './result.ts';

/** Facts about terminals at the time of asking. */
export interface Terminals {
  readonly now: UnixMs;
  readonly seen: ReadonlyMap<DeviceNo, DeviceSeen>;
  isOnline(deviceNo: DeviceNo): boolean;
}

/** Terminals of punches; corrections and the cloud have device numbers as well, and are none. */
export const terminalsOf = ({ deviceNos }: PunchList, { seen }: Pick<Terminals, 'seen'>): DeviceNo[] =>
  deviceNos.filter(deviceNo => seen.has(deviceNo));

/**
 * Up to when all terminals of a person have reported: those that the punches come from. A terminal
 * that is connected has reported everything; one that is not, up to when it was last heard. Who has
 * no punches has no terminal to wait for.
 */
export function reportedUntil(terminals: readonly DeviceNo[], { now, seen, isOnline }: Terminals): Reported {
  let reported: Reported = { until: now, deviceNo: null };
  for (const deviceNo of terminals) {
    const heardAt = seen.get(deviceNo)!.at;
    if (isOnline(deviceNo)) continue;
    if (heardAt < reported.until) reported = { until: heardAt, deviceNo };
  }
  return reported;
}
