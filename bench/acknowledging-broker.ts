import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { answerAll } from './answered-packets.ts';

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

let count = 0;
let firstAt = 0;

const counted = (): void => {
  if (count++ === 0) firstAt = performance.now();
  if (count === total) console.log(JSON.stringify({ arrived: (performance.now() - firstAt) / 1000 }));
};
const serve = (socket: Socket): void => answerAll(socket, counted);
const server = pair
  ? createTlsServer({ cert: readFileSync(pair.cert), key: readFileSync(pair.key), noDelay: true }, serve)
  : createServer({ noDelay: true }, serve);
server.listen(port, '127.0.0.1');
