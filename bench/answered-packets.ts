import type { Socket } from 'node:net';
import {
  bodyBytesOf,
  bodyStart,
  idBytesOf,
  readU16,
  topicEnd,
  packetType as type,
  typeOf,
  writePuback,
} from '../src/mqtt-wire/index.ts';

const connack = Buffer.from([0x20, 2, 0, 0]);
const pingresp = Buffer.from([0xd0, 0]);

/**
 * Accepts and acknowledges everything that arrives on a socket, with one write for each read.
 * `onPublish` is told where in `bytes` the topic of a PUBLISH begins and ends, and where its
 * payload ends.
 */
export function answerAll(
  socket: Socket,
  onPublish: (bytes: Buffer, topicFrom: number, topicTo: number, end: number) => void,
): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    rest = answered(socket, rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk, onPublish);
  });
}

/** Answers the complete packets, and returns the remaining bytes. */
function answered(socket: Socket, bytes: Buffer, onPublish: Parameters<typeof answerAll>[1]): Buffer {
  const answers = Buffer.allocUnsafe(bytes.length + 4);
  let used = 0;
  let at = 0;
  while (at + 2 <= bytes.length) {
    const body = bodyStart(bytes, at);
    if (body < 0) break;
    const end = body + bodyBytesOf(bytes, at, body);
    if (end > bytes.length) break;
    const kind = typeOf(bytes[at]!);
    if (kind === type.publish) {
      const topicTo = topicEnd(bytes, body);
      if (idBytesOf(bytes[at]!) > 0) used = writePuback(answers, used, readU16(bytes, topicTo));
      onPublish(bytes, body + 2, topicTo, end);
    } else if (kind === type.connect) used += connack.copy(answers, used);
    else if (kind === type.pingreq) used += pingresp.copy(answers, used);
    else if (kind === type.subscribe)
      used += Buffer.from([0x90, 3, bytes[body]!, bytes[body + 1]!, 0]).copy(answers, used);
    at = end;
  }
  if (used > 0) socket.write(answers.subarray(0, used));
  return bytes.subarray(at);
}
