import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import type { Clock } from '../runtime/clock.ts';

/** Outcome of asking a time server. */
type TimeServerFound =
  /** How far this machine's clock is ahead of it. */
  | { readonly found: 'answers'; readonly aheadMs: number }
  | { readonly found: 'no_such_name' | 'silent' | 'not_synchronized' };

const answerMs = 3000;
const port = 123;
/** Seconds from 1900, where NTP counts from, to 1970. */
const from1900 = 2_208_988_800;
/** A client of version 4 asks (RFC 5905, section 7.3). */
const request = Buffer.alloc(48);
request[0] = 0b00_100_011;

/** Asks a time server once. */
export async function askTimeServer(host: string, clock: Clock, toPort = port): Promise<TimeServerFound> {
  const found = await lookup(host).catch(() => null);
  if (!found) return { found: 'no_such_name' };
  const socket = createSocket(found.family === 6 ? 'udp6' : 'udp4');
  try {
    const answer = await Promise.race([
      new Promise<Buffer | null>(resolve => {
        socket.on('error', () => resolve(null));
        socket.on('message', message => {
          if (message.length >= request.length) resolve(message);
        });
        socket.connect(toPort, found.address, () => socket.send(request));
      }),
      clock.sleep(answerMs).then(() => null),
    ]);
    if (!answer) return { found: 'silent' };
    const isSynchronized = answer[0]! >> 6 !== 0b11 && answer[1]! >= 1 && answer[1]! <= 15;
    return isSynchronized ? { found: 'answers', aheadMs: clock.now() - timeIn(answer) } : { found: 'not_synchronized' };
  } finally {
    socket.close();
  }
}

/** The moment at which the answer was sent. */
const timeIn = (answer: Buffer): number =>
  Math.round((answer.readUInt32BE(40) - from1900 + answer.readUInt32BE(44) / 2 ** 32) * 1000);
