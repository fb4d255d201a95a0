import type { UnixSeconds } from '../runtime/clock.ts';
import { endOfWord, keyOf } from '../runtime/top-level.ts';

export const time = keyOf('time');

/**
 * Puts `seconds` in place of a top-level `"time": 0` (SPEC 2.5: a device may send 0) and leaves
 * every other byte as it was. A `time` that is missing or anything but a zero, and bytes that are
 * no JSON object, come back as they are. With a doubled key the last one counts, as it does for
 * JSON.parse. `start`: where `valuesAt` finds the value of `time`, -1 for nowhere.
 */
export function stampTime(json: Uint8Array, start: number, seconds: UnixSeconds): Uint8Array {
  // Most devices have a clock: 0 or -0, or it is none.
  if (start < 0 || (json[start] !== 0x30 && json[start] !== 0x2d)) return json;
  const end = endOfWord(json, start);
  if (!/^-?0(\.0+)?([eE][+-]?\d+)?$/.test(Buffer.from(json.subarray(start, end)).toString('latin1'))) return json;
  const digits = Buffer.from(String(seconds));
  const stamped = new Uint8Array(json.length - (end - start) + digits.length);
  stamped.set(json.subarray(0, start));
  stamped.set(digits, start);
  stamped.set(json.subarray(end), start + digits.length);
  return stamped;
}
