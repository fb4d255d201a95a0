import { stampTime, time } from '../platform/stamp-time.ts';
import { clockEarliest } from '../runtime/clock.ts';
import { endOfWord, keyOf, valuesAt } from '../runtime/top-level.ts';
import type { Channel, JournalRecord } from '../store/index.ts';
import { PayloadRoom } from './payload-room.ts';
import type { UpstreamOptions } from './port.ts';
import type { Outgoing } from './transport.ts';

const read = [time, keyOf('action')];
const found = new Int32Array(read.length);
/** As an action is written by those who write it as a plain number. */
const digitsMax = 9;
/** Logs may wait for a second where messages pass at once: they keep no memory of these. */
const rooms = { device: new PayloadRoom(), log: new PayloadRoom() } as const satisfies Record<Channel, PayloadRoom>;

/**
 * `stamped`: a `time` of 0 becomes the second of receipt. `verbatim`: for a batch, which names the
 * time of receipt beside the original text.
 */
export type Form = 'stamped' | 'verbatim';

export type LeavingRules = Pick<UpstreamOptions, 'leaving' | 'trueTime'>;

/**
 * A record as it goes over the wire: byte for byte, but for a `time` of 0 (CONTRACT 5). The bytes
 * are copied out of the segment, which would stay in memory with them, into one of the buffers of a
 * `PayloadRoom`. `leaving`: where features stay at the site.
 */
export function outgoing(record: JournalRecord, { leaving, trueTime }: LeavingRules, as: Form = 'stamped'): Outgoing {
  const { seq, deviceNo, channel, logPath, payload, marks, code } = record;
  const corrected = marks.clamped ? trueTime(record.receivedAt) : null;
  const receivedAt = corrected ?? record.receivedAt;
  // Better no time than 1970.
  const isDated = !marks.clamped || receivedAt >= clockEarliest;
  const isLog = channel === 'log';
  let stamped = payload;
  let action: Outgoing['action'] = null;
  let stays = false;
  if (!isLog) {
    if (code === undefined) {
      valuesAt(payload, read, found);
      action = plainNumber(payload, found[1]!);
    } else {
      // Read when it was taken: its time is not 0.
      found.fill(-1);
      action = code;
    }
    // Unreadable payloads may contain a face.
    const left = leaving ? (marks.malformed ? null : leaving(payload, action)) : payload;
    stays = left === null;
    stamped = left ?? new Uint8Array(0);
    if (left !== payload) valuesAt(stamped, read, found);
    if (as === 'stamped' && !marks.malformed && isDated)
      stamped = stampTime(stamped, found[0]!, Math.floor(receivedAt / 1000));
  }
  const room = rooms[channel];
  const start = room.put(stamped);
  return {
    seq,
    deviceNo,
    channel,
    topic: isLog ? `log/${logPath}` : 'device',
    bytes: room.bytes,
    start,
    end: start + stamped.length,
    receivedAt,
    passOver: stays || marks.local === true,
    stays: stays && marks.local !== true,
    action,
    refusedHere: marks.invalid === true || marks.malformed === true,
    parkedAt: null,
  };
}

/**
 * The number that begins there; null where nothing does, undefined when it is not written in plain
 * digits.
 */
function plainNumber(json: Uint8Array, start: number): Outgoing['action'] {
  if (start < 0) return null;
  const end = endOfWord(json, start);
  if (end === start || end - start > digitsMax) return undefined;
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = json[at]! - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}
