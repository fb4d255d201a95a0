import type { DeviceId } from '../../platform/device-id.ts';

/**
 * What stands behind the vendor prefix of a broadcast name (SPEC 2.3): `{product_id}_{last 6 characters of the device id}` or `{model}`. Null: the
 * name is of something else.
 */
export const behindPrefix = (name: string, vendor: string): string | null =>
  name.startsWith(`${vendor}_`) ? name.slice(vendor.length + 1) : null;

/** Whether a device of this id would have this name, by product and last 6 characters. */
export function mayBeNamed(name: string, deviceId: DeviceId, vendor: string): boolean {
  const rest = behindPrefix(name, vendor)?.toUpperCase();
  return rest === `${deviceId.slice(0, deviceId.indexOf('_'))}_${deviceId.slice(-6).padStart(6, '0')}`;
}
