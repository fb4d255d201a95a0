import { encodeTopic, publishBytes, writePublishHead } from '../mqtt-wire/index.ts';
import type { Outgoing } from './transport.ts';

/**
 * Records as PUBLISH packets of QoS 1, not retained and never a duplicate: after a connection broke
 * a record is sent as a new packet.
 */
const qos = 1;
/** Devices repeat the same few topics; a box has some thousands of devices. */
const topicsRemembered = 4096;

const topics = new Map<string, Buffer>();

function topicOf(topic: string): Buffer {
  const known = topics.get(topic);
  if (known) return known;
  const bytes = encodeTopic(topic);
  if (topics.size === topicsRemembered) topics.clear();
  topics.set(topic, bytes);
  return bytes;
}

/** How many bytes a record is as a packet. Throws a RangeError where MQTT has no packet for it. */
export const frameBytes = ({ topic, start, end }: Outgoing): number => publishBytes(topicOf(topic), end - start, qos);

/**
 * Writes a record's packet to `at`, where `frameBytes` are free. Returns where the next one goes.
 */
export function writeFrame(target: Buffer, at: number, { topic, bytes, start, end }: Outgoing, id: number): number {
  const payload = writePublishHead(target, at, topicOf(topic), end - start, qos, id);
  return payload + bytes.copy(target, payload, start, end);
}
