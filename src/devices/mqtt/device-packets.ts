import {
  acknowledgement,
  acknowledgementHead,
  encodeTopic,
  isAcknowledgement,
  isTopicName,
  packetType,
  pubackBytes,
  publishBytes,
  readFilters,
  readText,
  readU16,
  suback,
  topicEnd,
  topicStart,
  writePuback,
  writePublish,
} from '../../mqtt-wire/index.ts';
import { deviceEnds } from '../../words/device-ends.ts';
import type { GivenReason } from '../../words/sentences.ts';
import type { Receipt } from '../pipeline.ts';
import type { Session } from '../session.ts';
import type { MqttGatewayOptions } from './options.ts';
import type { PacketWriter } from './packets.ts';
import { isOwnFilter, judgeForeign, OwnTopics, protocolError } from './rules.ts';

const topicsRemembered = 4;
const pingresp = Buffer.from([0xd0, 0]);

/** The connection that the packets come over. */
interface ConnectionEnd {
  /** Ends it by the rules of the box. `why` is for staff; null: the device ended it. */
  end(why: GivenReason | null): void;
  /** Ends it as an error. */
  fail(why: GivenReason): void;
}

/**
 * Packets of a device that has logged in, and the answers to them:
 *
 *     PUBLISH QoS 0, 1  to the pipeline; PUBACK after the commit
 *     PUBLISH QoS 2     the end (docs/decisions/devices.md)
 *     SUBSCRIBE         SUBACK, for its own topic; the end for any other
 *     UNSUBSCRIBE       UNSUBACK
 *     PINGREQ           PINGRESP
 *     PUBREL, PUBREC    PUBCOMP, PUBREL; nothing is kept of them
 *     PUBACK, PUBCOMP   nothing
 *     DISCONNECT        the end
 *     any other         the end
 *
 * Behind the end nothing is taken and nothing written, also within one chunk.
 */
export class DevicePackets {
  readonly #options: MqttGatewayOptions;
  readonly #device: Session;
  readonly #writer: PacketWriter;
  readonly #connection: ConnectionEnd;
  readonly #topics: OwnTopics;
  /**
   * Topics that were taken last: most devices have two. As text: a small buffer is a piece of one
   * of 64 KiB, which would stay as long as the device, with thousands of answers in it.
   */
  readonly #known: string[] = [];
  /** The receipt of QoS 0 messages, which need no acknowledgement. */
  readonly #unasked: Receipt;
  /** The own topic as it was subscribed, encoded; null before. */
  #subscribed: Buffer | null = null;
  /** A message for the device went to its inbox while it did not read. */
  #hasMore = false;
  #isOpen = true;

  constructor(options: MqttGatewayOptions, device: Session, writer: PacketWriter, connection: ConnectionEnd) {
    this.#options = options;
    this.#device = device;
    this.#writer = writer;
    this.#connection = connection;
    this.#topics = new OwnTopics(options);
    this.#unasked = new Unacknowledged(this, 0);
  }

  /** The packet whose first byte is at `start`, and its body between the two. */
  take(type: number, bytes: Buffer, start: number, body: number, end: number): void {
    if (isAcknowledgement(type) && readU16(bytes, body) === 0)
      return void this.#connection.fail(protocolError('an acknowledgement with the packet id 0'));
    switch (type) {
      case packetType.publish:
        return void this.#publish(bytes, start, body, end);
      case packetType.pingreq:
        return void this.#writer.write(pingresp);
      case packetType.subscribe:
        return void this.#subscribe(bytes, body, end);
      case packetType.unsubscribe:
        return void this.#unsubscribe(bytes, body, end);
      case packetType.puback:
      case packetType.pubcomp:
        return;
      case packetType.pubrec:
        return void this.#writer.write(acknowledgement(acknowledgementHead.pubrel, readU16(bytes, body)));
      case packetType.pubrel:
        return void this.#writer.write(acknowledgement(acknowledgementHead.pubcomp, readU16(bytes, body)));
      case packetType.disconnect:
        return void this.#connection.end(null);
      case packetType.connack:
      case packetType.suback:
      case packetType.unsuback:
      case packetType.pingresp:
        return void this.#connection.end(deviceEnds.say('server_packet'));
      default:
        return void this.#connection.fail(protocolError('sent a second CONNECT, or a packet of no type'));
    }
  }

  /** Resolves to false when the device is not subscribed, or does not read. */
  handOver(payload: Uint8Array): Promise<boolean> {
    const topic = this.#subscribed;
    if (topic === null) return Promise.resolve(false);
    if (this.#writer.isFull) {
      this.#hasMore = true;
      return Promise.resolve(false);
    }
    const start = this.#writer.room(publishBytes(topic, payload.length, 0));
    writePublish(this.#writer.buffer, start, topic, payload, 0, 0);
    return this.#writer.taken();
  }

  /** The device reads again. */
  onDrain(): void {
    if (this.#hasMore) this.#emptyInbox();
  }

  /** The connection is over. */
  close(): void {
    this.#isOpen = false;
  }

  /** A message was committed, or not. The PUBACKs of a commit are written together. */
  onCommitted(id: number, error: Error | null): void {
    if (!this.#isOpen) return;
    if (error) this.#connection.fail({ reason: error.message });
    else if (id !== 0) this.#acknowledge(id);
  }

  #acknowledge(id: number): void {
    const start = this.#writer.room(pubackBytes);
    writePuback(this.#writer.buffer, start, id);
  }

  #publish(bytes: Buffer, start: number, body: number, end: number): void {
    const qos = (bytes[start]! >> 1) & 3;
    const idBytes = qos === 0 ? 0 : 2;
    const to = end - body < 2 ? end + 1 : topicEnd(bytes, body);
    if (to + idBytes > end)
      return void this.#connection.fail(protocolError('a PUBLISH too short for its topic or its packet id'));
    const id = qos === 0 ? 0 : readU16(bytes, to);
    // MQTT-2.3.1-1.
    if (qos > 0 && id === 0) return void this.#connection.fail(protocolError('a PUBLISH with the packet id 0'));
    const topic = this.#topicAt(bytes, topicStart(body), to);
    if (topic === null)
      return void this.#connection.fail(protocolError('a PUBLISH to a topic with U+0000, or that is no UTF-8'));
    if (qos < 2 && this.#topics.mayTake(this.#device, topic)) {
      const receipt = qos === 0 ? this.#unasked : new Unacknowledged(this, id);
      this.#topics.take(this.#device, topic, bytes.subarray(to + idBytes, end), receipt);
    } else this.#refuse(topic, qos, id);
  }

  /** Topic at a place; null if it is not MQTT text. */
  #topicAt(bytes: Buffer, from: number, to: number): string | null {
    for (const known of this.#known) if (known.length === to - from && isAt(bytes, from, known)) return known;
    const text = readText(bytes, from, to);
    // Others than ASCII have fewer characters than bytes, and `isAt` would not find them.
    if (text === null || text.length !== to - from || !this.#topics.mayTake(this.#device, text)) return text;
    if (this.#known.length === topicsRemembered) this.#known.shift();
    this.#known.push(text);
    return text;
  }

  /** A PUBLISH that is not for the pipeline. */
  #refuse(topic: string, qos: number, id: number): void {
    const { note } = this.#options;
    if (!isTopicName(topic))
      return void this.#connection.fail(protocolError('a PUBLISH to an empty topic or a wildcard'));
    if (qos === 2) {
      note(this.#device, 'qos2', topic.slice(0, 120));
      return void this.#connection.end(deviceEnds.say('sent_qos_2'));
    }
    const why = judgeForeign(this.#options, this.#device, topic);
    if (why !== null) this.#connection.end(why);
    else if (qos === 1) this.#acknowledge(id);
  }

  #subscribe(bytes: Buffer, body: number, end: number): void {
    const filters = readFilters(bytes, body, end, 1);
    if (filters === null) return void this.#connection.fail(protocolError('a SUBSCRIBE that is malformed'));
    const { deviceId } = this.#device.device;
    const foreign = filters.find(({ filter }) => !isOwnFilter(filter, deviceId))?.filter.slice(0, 120);
    if (foreign !== undefined) {
      this.#options.note(this.#device, 'foreign_subscribe', foreign);
      const own = `$client/${this.#device.clientId}`;
      return void this.#connection.end(deviceEnds.say('foreign_filter', { filter: foreign, own }));
    }
    this.#subscribed = encodeTopic(filters.at(-1)!.filter);
    // Messages go out with QoS 0 (SPEC 4.1); 1 is granted to devices that insist (CONTRACT 7).
    const granted = filters.map(({ qos }) => Math.min(qos, 1));
    this.#writer.write(suback(readU16(bytes, body), granted));
    this.#emptyInbox();
  }

  #unsubscribe(bytes: Buffer, body: number, end: number): void {
    const filters = readFilters(bytes, body, end, 0);
    if (filters === null) return void this.#connection.fail(protocolError('an UNSUBSCRIBE that is malformed'));
    if (filters.some(({ filter }) => isOwnFilter(filter, this.#device.device.deviceId))) this.#subscribed = null;
    this.#writer.write(acknowledgement(acknowledgementHead.unsuback, readU16(bytes, body)));
  }

  #emptyInbox(): void {
    this.#hasMore = false;
    void this.#options.inbox().empty(this.#device.deviceNo);
  }
}

/** A topic is short: comparing it here takes less time than a call into native code. */
function isAt(bytes: Buffer, from: number, wanted: string): boolean {
  for (let index = wanted.length - 1; index >= 0; index--)
    if (bytes[from + index] !== wanted.charCodeAt(index)) return false;
  return true;
}

/** A message that is not acknowledged yet; id 0: it need not be. */
class Unacknowledged implements Receipt {
  readonly #packets: DevicePackets;
  readonly #id: number;

  constructor(packets: DevicePackets, id: number) {
    this.#packets = packets;
    this.#id = id;
  }

  onCommitted(error: Error | null): void {
    this.#packets.onCommitted(this.#id, error);
  }
}
