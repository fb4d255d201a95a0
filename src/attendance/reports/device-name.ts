import { cloudDeviceNo, type DeviceNo } from '../../store/index.ts';

interface NamedDevice {
  readonly deviceId: string;
  readonly name: string;
}

/** Name of a device for people, else its serial; empty for corrections and records of the cloud. */
export function deviceName(
  devices: { deviceByNo(deviceNo: DeviceNo): NamedDevice | undefined },
  deviceNo: DeviceNo,
): string {
  const device = devices.deviceByNo(deviceNo);
  if (!device) return deviceNo <= cloudDeviceNo ? '' : `#${deviceNo}`;
  const { deviceId, name } = device;
  return name || deviceId.slice(deviceId.indexOf('_') + 1);
}
