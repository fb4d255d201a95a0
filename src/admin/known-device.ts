import { parseDeviceId } from '../platform/device-id.ts';
import type { Device, DirectoryStore } from '../store/index.ts';
import { refused } from './problem.ts';

export function deviceOf({ store }: { readonly store: DirectoryStore }, text: string): Device | undefined {
  const id = parseDeviceId(text);
  return id.ok ? store.directory.device(id.value) : undefined;
}

/** Throws what an operation refuses with: 404. */
export function knownDevice(parts: { readonly store: DirectoryStore }, text: string): Device {
  const device = deviceOf(parts, text);
  if (!device) throw refused(404, 'unknown', 'there is no such device');
  return device;
}
