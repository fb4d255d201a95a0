import { readU16 } from './header.ts';
import { isTopicName, readText } from './text.ts';

/**
 * CONNECT (MQTT 3.1.1, section 3.1). Behind the fixed header, each text with its length of two
 * bytes before it:
 *
 *     name       text   "MQTT"; "MQIsdp" in MQTT 3.1
 *     level      u8     4 is MQTT 3.1.1; the top bit is set by bridges
 *     flags      u8     user name << 7 | password << 6 | retain << 5 | QoS << 3 | will << 2 |
 *                       clean << 1
 *     keepAlive  u16    seconds; 0: none
 *     client id  text
 *     will       text and bytes, topic and message; not there without its flag
 *     user name  text   not there without its flag
 *     password   bytes  not there without its flag
 */
interface Connect {
  readonly level: number;
  readonly keepAliveSeconds: number;
  readonly clientId: string;
  /** Empty when it was not sent. */
  readonly userName: string;
  /** Null when it was not sent. */
  readonly password: string | null;
}

const flag = { userName: 0x80, password: 0x40, retainAndQos: 0x38, qos: 0x18, will: 0x04, reserved: 0x01 } as const;
const names = ['MQTT', 'MQIsdp'];
/** Of MQTT 3.1.1, and of 3.1 before it, which has the same packet. Other levels have another. */
const knownLevels = [3, 4];

/** Reads the CONNECT whose body is between the two. Returns why it is none as a text. */
export function readConnect(bytes: Buffer, body: number, end: number): Connect | string {
  let at = body;
  /** The next part that has its length before it; null: it does not end within the packet. */
  const next = (): Buffer | null => {
    const from = at + 2;
    const to = from > end ? from : from + readU16(bytes, at);
    if (to > end) return null;
    at = to;
    return bytes.subarray(from, to);
  };
  const name = next();
  if (!name || !names.includes(name.toString('latin1'))) return 'a CONNECT of another protocol';
  if (at + 4 > end) return 'a CONNECT that is too short';
  const level = bytes[at]! & 0x7f;
  const flags = bytes[at + 1]!;
  const keepAliveSeconds = readU16(bytes, at + 2);
  if (!knownLevels.includes(level)) return { level, keepAliveSeconds, clientId: '', userName: '', password: null };
  if (flags & flag.reserved) return 'a CONNECT with a reserved flag';
  if (level === 4 && name.length !== 4) return 'a CONNECT of another protocol';
  if (!(flags & flag.will) && flags & flag.retainAndQos) return 'a CONNECT with the flags of a will, without a will';
  if ((flags & flag.qos) === flag.qos) return 'a CONNECT with a will of QoS 3';
  if (flags & flag.password && !(flags & flag.userName)) return 'a CONNECT with a password, without a user name';
  at += 4;
  const clientId = next();
  const willTopic = flags & flag.will ? next() : noWill;
  const willMessage = flags & flag.will ? next() : noBytes;
  const userName = flags & flag.userName ? next() : noBytes;
  const password = flags & flag.password ? next() : noBytes;
  if (!clientId || !willTopic || !willMessage || !userName || !password) return 'a CONNECT that is too short';
  if (at < end) return 'a CONNECT that is too long';
  const [id, topic, user] = [clientId, willTopic, userName].map(text => readText(text, 0, text.length));
  if (id == null || topic == null || user == null) return 'a CONNECT with U+0000 or with what is no UTF-8';
  if (!isTopicName(topic)) return 'a CONNECT with a will to an empty topic or a wildcard';
  return {
    level,
    keepAliveSeconds,
    clientId: id,
    userName: user,
    password: flags & flag.password ? password.toString() : null,
  };
}

const noBytes = Buffer.alloc(0);
const noWill = Buffer.from('none');

/**
 * CONNACK (section 3.2): head 0x20, length 2, flags (0: no session of before), the code, which is 0
 * for an accepted login.
 */
export const connack = (code: 0 | 1 | 2 | 3 | 4 | 5): Buffer => Buffer.from([0x20, 2, 0, code]);
