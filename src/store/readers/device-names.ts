import { cloudDeviceNo } from '../domains/mirror/tables.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { KnownDevices } from './stored-devices.ts';

/** All empty: no device reported it; the cloud lists it, or a correction added it. */
interface Names {
  readonly deviceId: string;
  readonly name: string;
  readonly serialNumber: string;
}
export type DeviceNames = (deviceNo: number) => Names;

/**
 * The names of devices in records, as in the directory now. Cached, since a page of 500 records
 * asks 500 times.
 */
export function deviceNames(devices: KnownDevices): DeviceNames {
  const known = new Map<number, Names>();
  devices.onChange(() => known.clear());
  return deviceNo => {
    let names = known.get(deviceNo);
    if (!names) {
      names = namesOf(devices, deviceNo);
      known.set(deviceNo, names);
    }
    return names;
  };
}

const ofNoDevice: Names = { deviceId: '', name: '', serialNumber: '' };

function namesOf(devices: KnownDevices, deviceNo: number): Names {
  if (deviceNo <= cloudDeviceNo) return ofNoDevice;
  const device = devices.deviceByNo(deviceNo as DeviceNo);
  if (!device) return { deviceId: `#${deviceNo}`, name: '', serialNumber: `#${deviceNo}` };
  const { deviceId, name } = device;
  return { deviceId, name, serialNumber: deviceId.slice(deviceId.indexOf('_') + 1) };
}
