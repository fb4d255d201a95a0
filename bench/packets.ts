import { encodeTopic, headerBytes, publishBytes, writeHeader, writePublish } from '../src/mqtt-wire/index.ts';
import { defaultActions } from '../src/platform/actions.ts';

/** MQTT 3.1.1 packets as bytes, so that the load generator spends as little time as possible. */

/** A string of MQTT: its length before it, as a topic has it. */
const text = encodeTopic;

function packet(head: number, body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes(body.length) + body.length);
  body.copy(bytes, writeHeader(bytes, 0, head, body.length));
  return bytes;
}

export function connectPacket(login: {
  readonly clientId: string;
  readonly userName: string;
  readonly password: string;
  /** In seconds; absent: 60. */
  readonly keepAlive?: number | undefined;
}): Buffer {
  const keepAlive = Buffer.alloc(2);
  keepAlive.writeUInt16BE(login.keepAlive ?? 60);
  const flags = 0b1100_0010; // user name, password, clean session
  return packet(
    0x10,
    Buffer.concat([
      text('MQTT'),
      Buffer.from([4, flags]),
      keepAlive,
      text(login.clientId),
      text(login.userName),
      text(login.password),
    ]),
  );
}

export const subscribePacket = (topic: string): Buffer =>
  packet(0x82, Buffer.concat([Buffer.from([0, 1]), text(topic), Buffer.from([0])]));

/** `idAt` is where the two bytes of the packet id stand. */
export function publishPacket(topic: string, payload: Buffer, qos: 0 | 1): { bytes: Buffer; idAt: number } {
  const encoded = encodeTopic(topic);
  const bytes = Buffer.allocUnsafe(publishBytes(encoded, payload.length, qos));
  writePublish(bytes, 0, encoded, payload, qos, 0);
  return { bytes, idAt: bytes.length - payload.length - 2 };
}

/**
 * A log record of exactly `bytes` bytes of JSON; `at` is where a number of ten digits stands in it.
 */
export function logRecord(bytes: number): { payload: Buffer; numberAt: number } {
  const start = '{"n":"';
  const middle = '0000000000","time":1763600000,"level":"info","log":"';
  const end = '"}';
  const filler = 'match: score 0.97 in 84 ms; door: lock released for 3 s; '.repeat(Math.ceil(bytes / 50));
  const rest = bytes - start.length - middle.length - end.length;
  return { payload: Buffer.from(start + middle + filler.slice(0, rest) + end), numberAt: start.length };
}

/**
 * A device message of about `bytes` bytes whose action nobody answers; its mid is the number of ten
 * digits at `numberAt`.
 */
export function envelope(bytes: number): { payload: Buffer; numberAt: number } {
  const start = '{"mid":"';
  const rest = '0000000000","from":"","to":"system","time":1763600000,"action":9999,"data":{"filler":"';
  const filler = 'x'.repeat(Math.max(0, bytes - start.length - rest.length - 3));
  return { payload: Buffer.from(`${start}${rest}${filler}"}}`), numberAt: start.length };
}

/** A message with one check-in of about `bytes` bytes; its mid is the number of ten digits. */
export function checkin(bytes: number): { payload: Buffer; numberAt: number } {
  const start = '{"mid":"';
  const rest = `0000000000","from":"","to":"system","time":1763600000,"action":${defaultActions.checkin_report},"data":{"records":[{"ext_id":"e1","check_type":"fa","check_time":1763600000,"check_data":{"filler":"`;
  const filler = 'x'.repeat(Math.max(0, bytes - start.length - rest.length - 6));
  return { payload: Buffer.from(`${start}${rest}${filler}"}}]}}`), numberAt: start.length };
}
