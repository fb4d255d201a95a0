import {
  flagsAreRight,
  isAcknowledgement,
  isTopicName,
  lengthIsRight,
  packetType,
  readConnect,
  readFilters,
  readText,
  readU16,
  topicEnd,
  topicStart,
  typeOf,
} from '../../../mqtt-wire/index.ts';

/**
 * Why a packet of a device ends the connection (MQTT 3.1.1, section 4.8), by its first byte and its
 * body; null: it may be read. The gateway's own sessions ask the same where they read a packet.
 * The flags of packets other than PUBLISH have been judged before.
 */
export function whyMalformed(head: number, body: Buffer): string | null {
  const type = typeOf(head);
  if (!lengthIsRight(head, body.length)) return 'a packet of a length that it may not have';
  if (isAcknowledgement(type)) return readU16(body, 0) === 0 ? 'an acknowledgement with the packet id 0' : null;
  switch (type) {
    case packetType.connect: {
      const packet = readConnect(body, 0, body.length);
      return typeof packet === 'string' ? packet : null;
    }
    case packetType.publish:
      return flagsAreRight(head) ? whyNoPublish((head >> 1) & 3, body) : 'a packet with flags that it may not have';
    case packetType.subscribe:
    case packetType.unsubscribe:
      return readFilters(body, 0, body.length, type === packetType.subscribe ? 1 : 0) === null
        ? 'a SUBSCRIBE or an UNSUBSCRIBE that is malformed'
        : null;
    default:
      return null;
  }
}

function whyNoPublish(qos: number, body: Buffer): string | null {
  const end = body.length < 2 ? body.length + 1 : topicEnd(body, 0);
  if (end + (qos === 0 ? 0 : 2) > body.length) return 'a PUBLISH too short for its topic or its packet id';
  if (qos > 0 && readU16(body, end) === 0) return 'a PUBLISH with the packet id 0';
  const topic = readText(body, topicStart(0), end);
  if (topic === null) return 'a PUBLISH to a topic with U+0000, or that is no UTF-8';
  return isTopicName(topic) ? null : 'a PUBLISH to an empty topic or a wildcard';
}
