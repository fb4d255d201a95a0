import type { Channel, DeviceNo } from '../port/journal.ts';
import { channelBits, type SegmentSummary } from './segment.ts';

/**
 * The `devices` column: pairs of u32, device number and count. First those of messages, then a pair
 * of zeros, then those of logs; without logs the pair of zeros is left out. Older segments have no
 * such pair, and one pair for each device, whatever its records are. Older programs read both
 * forms.
 */
export function packDevices({ device: messages, log: logs }: SegmentSummary['forwardable']): Buffer {
  const pairs = messages.size + (logs.size === 0 ? 0 : logs.size + 1);
  const bytes = Buffer.alloc(pairs * 8);
  let at = 0;
  for (const [device, count] of messages) {
    at = bytes.writeUInt32BE(device, at);
    at = bytes.writeUInt32BE(count, at);
  }
  // There is no device 0, and nothing is counted for it.
  if (logs.size > 0) at += 8;
  for (const [device, count] of logs) {
    at = bytes.writeUInt32BE(device, at);
    at = bytes.writeUInt32BE(count, at);
  }
  return bytes;
}

/**
 * Lists each device with its count, once for each channel; `channel` is null where the segment does
 * not say it (`channels`: its column).
 */
export function eachDevice(
  devices: Uint8Array,
  channels: number,
  take: (device: DeviceNo, count: number, channel: Channel | null) => void,
): void {
  someDevice(devices, channels, (device, channel, count) => {
    take(device, count, channel);
    return false;
  });
}

/** The same up to the first that is the right one. Returns whether there is one. */
export function someDevice(
  devices: Uint8Array,
  channels: number,
  isIt: (device: DeviceNo, channel: Channel | null, count: number) => boolean,
): boolean {
  const view = new DataView(devices.buffer, devices.byteOffset, devices.byteLength);
  let channel: Channel | null = null;
  if (channels === channelBits.device) channel = 'device';
  else if (channels === channelBits.log) channel = 'log';
  else if (markAt(view) >= 0) channel = 'device';
  for (let at = 0; at + 8 <= devices.length; at += 8) {
    const device = view.getUint32(at);
    if (device === 0) channel = 'log';
    else if (isIt(device as DeviceNo, channel, view.getUint32(at + 4))) return true;
  }
  return false;
}

function markAt(view: DataView): number {
  for (let at = 0; at + 8 <= view.byteLength; at += 8) if (view.getUint32(at) === 0) return at;
  return -1;
}
