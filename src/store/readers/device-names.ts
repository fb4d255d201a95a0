import type { Directory } from '../port/directory.ts';
import type { DeviceNo } from '../port/journal.ts';

interface Names {
  readonly deviceId: string;
  readonly name: string;
  readonly serialNumber: string;
}
export type DeviceNames = (deviceNo: number) => Names;

/**
 * How records name their device: by what the directory holds now. Remembered, since a page of 500
 * records asks 500 times.
 */
export function deviceNames(directory: Directory): DeviceNames {
  const known = new Map<number, Names>();
  directory.onChange(() => known.clear());
  return deviceNo => {
    let names = known.get(deviceNo);
    if (!names) {
      names = namesOf(directory, deviceNo);
      known.set(deviceNo, names);
    }
    return names;
  };
}

function namesOf(directory: Directory, deviceNo: number): Names {
  const device = directory.deviceByNo(deviceNo as DeviceNo);
  if (!device) return { deviceId: `#${deviceNo}`, name: '', serialNumber: `#${deviceNo}` };
  const { deviceId, name } = device;
  return { deviceId, name, serialNumber: deviceId.slice(deviceId.indexOf('_') + 1) };
}
