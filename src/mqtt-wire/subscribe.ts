import { headerBytes, readU16, writeHeader } from './header.ts';
import { isTopicFilter, readText } from './text.ts';

/**
 * SUBSCRIBE (MQTT 3.1.1, section 3.8) and UNSUBSCRIBE (3.10). Behind the fixed header:
 *
 *     id         u16    packet id, big-endian, not 0
 *     filters           at least one, each:
 *       filter   text   its length in two bytes, then UTF-8
 *       qos      u8     0, 1 or 2; not there in an UNSUBSCRIBE
 */
interface Subscription {
  readonly filter: string;
  readonly qos: number;
}

/**
 * Reads the filters of the packet whose body is between the two; `qosBytes` is 1 for a SUBSCRIBE
 * and 0 for an UNSUBSCRIBE. Null: it is malformed.
 */
export function readFilters(bytes: Buffer, body: number, end: number, qosBytes: 0 | 1): Subscription[] | null {
  const all: Subscription[] = [];
  for (let at = body + 2; at < end; ) {
    const from = at + 2;
    const to = from > end ? from : from + readU16(bytes, at);
    if (to + qosBytes > end) return null;
    const qos = qosBytes === 0 ? 0 : bytes[to]!;
    if (qos > 2) return null;
    const filter = readText(bytes, from, to);
    if (filter === null || !isTopicFilter(filter)) return null;
    all.push({ filter, qos });
    at = to + qosBytes;
  }
  return all.length > 0 && readU16(bytes, body) !== 0 ? all : null;
}

/**
 * SUBACK (section 3.9): head 0x90, the length, the id of the SUBSCRIBE, and for each of its filters
 * the QoS that is granted.
 */
export function suback(id: number, granted: readonly number[]): Buffer {
  const bodyBytes = 2 + granted.length;
  const packet = Buffer.allocUnsafe(headerBytes(bodyBytes) + bodyBytes);
  const body = writeHeader(packet, 0, 0x90, bodyBytes);
  packet.writeUInt16BE(id, body);
  packet.set(granted, body + 2);
  return packet;
}
