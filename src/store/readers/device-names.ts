import type { DeviceNo, Directory } from '../port.ts';

interface Names {
  readonly deviceId: string;
  readonly name: string;
  readonly serialNumber: string;
}
export type DeviceNames = (deviceNo: number) => Names;

const nobody: Names = { deviceId: '', name: '', serialNumber: '' };

/** How records name their device: by what the directory holds now. */
export const deviceNames =
  (directory: Directory): DeviceNames =>
  deviceNo => {
    const device = directory.deviceByNo(deviceNo as DeviceNo);
    if (!device) return deviceNo === 0 ? nobody : { ...nobody, deviceId: `#${deviceNo}`, serialNumber: `#${deviceNo}` };
    const { deviceId, name } = device;
    return { deviceId, name, serialNumber: deviceId.slice(deviceId.indexOf('_') + 1) };
  };
