import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
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

/**
 * A broker that only accepts, acknowledges and counts, in a process of its own. A drain into it
 * shows what the sender can do; a load on it, what Node's sockets cost without a box behind them.
 * Prints `arrived` with the seconds from the first message to the last when all have arrived.
 */
interface Options {
  readonly port: number;
  readonly total?: number;
  /** TLS with this pair of files. */
  readonly pair?: { readonly cert: string; readonly key: string };
}
const { port, total, pair } = JSON.parse(process.argv[2]!) as Options;

const connack = Buffer.from([0x20, 2, 0, 0]);
const pingresp = Buffer.from([0xd0, 0]);

let count = 0;
let firstAt = 0;

const serve = (socket: Socket): void => {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    rest = answered(socket, rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk);
  });
};
const server = pair
  ? createTlsServer({ cert: readFileSync(pair.cert), key: readFileSync(pair.key), noDelay: true }, serve)
  : createServer({ noDelay: true }, serve);
server.listen(port, '127.0.0.1');

/** Answers the complete packets in one write, and returns the remaining bytes. */
function answered(socket: Socket, bytes: Buffer): Buffer {
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
      if (idBytesOf(bytes[at]!) > 0) used = writePuback(answers, used, readU16(bytes, topicEnd(bytes, body)));
      if (count++ === 0) firstAt = performance.now();
      if (count === total) console.log(JSON.stringify({ arrived: (performance.now() - firstAt) / 1000 }));
    } else if (kind === type.connect) used += connack.copy(answers, used);
    else if (kind === type.pingreq) used += pingresp.copy(answers, used);
    else if (kind === type.subscribe)
      used += Buffer.from([0x90, 3, bytes[body]!, bytes[body + 1]!, 0]).copy(answers, used);
    at = end;
  }
  if (used > 0) socket.write(answers.subarray(0, used));
  return bytes.subarray(at);
}
