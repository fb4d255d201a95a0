import type { DeviceId } from '../../platform/device-id.ts';
import type { Device, Directory } from './directory.ts';
import type { DeviceNo } from './journal.ts';

/**
 * Whose devices are meant: those of a box below, or of no box below. What devices sent is found by
 * the box that they belong to now, which may be another one than at the time of receipt.
 */
export type BoxChoice = DeviceId | 'here';

export const isOfBox = ({ belongsTo }: Pick<Device, 'belongsTo'>, box: BoxChoice): boolean =>
  (belongsTo ?? 'here') === box;

/** The numbers of the devices of a box. */
export function devicesOfBox(directory: Directory, box: BoxChoice): ReadonlySet<DeviceNo> {
  const found = new Set<DeviceNo>();
  for (const device of directory.devices()) if (isOfBox(device, box)) found.add(device.deviceNo);
  return found;
}

/** How a read is limited to what some devices sent. */
export interface OfDevices {
  /** Absent: of all, and of none as well (what only the cloud lists, or a correction added). */
  readonly deviceNos?: ReadonlySet<DeviceNo> | undefined;
}
