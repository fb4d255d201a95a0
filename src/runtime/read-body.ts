import type { IncomingMessage } from 'node:http';
import { GrowingBuffer } from './growing-buffer.ts';

/**
 * A body that was not read. Hono answers an error that has an answer, and prints all others: a
 * stranger who hangs up would write as many lines as he likes.
 */
abstract class NotRead extends Error {
  getResponse(): Response {
    return new Response(null, { status: 400 });
  }
}

export class TooLarge extends NotRead {}
/** The caller hung up. */
export class Aborted extends NotRead {}
/** The box holds too many bodies: this one is refused with 503. */
export class NoRoom extends NotRead {}

const known = new WeakSet<IncomingMessage>();

/**
 * Says that the caller of this request has proved who it is: the memory for its body then comes
 * from the budget of known callers. Connections that have logged in need no such call.
 */
export const callerIsKnown = (incoming: IncomingMessage): void => void known.add(incoming);

export const isCallerKnown = (incoming: IncomingMessage): boolean => known.has(incoming);

/**
 * Reads a request's body up to `bytesMax`. Throws TooLarge without reading further, Aborted when
 * the caller goes away.
 */
export function readBody(incoming: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > bytesMax) return Promise.reject(new TooLarge());
  // The body ended before it was read: no more events follow.
  if (incoming.destroyed) return Promise.reject(incoming.errored ?? new Aborted());
  return new Promise((resolve, reject) => {
    const body = new GrowingBuffer();
    let first: Buffer | null = null;
    incoming.on('data', (chunk: Buffer) => {
      if ((first?.length ?? body.length) + chunk.length > bytesMax) {
        incoming.pause();
        reject(new TooLarge());
        return;
      }
      // A body of one piece, the usual case, is not copied.
      if (first === null && body.length === 0) {
        first = chunk;
        return;
      }
      if (first) body.add(first);
      first = null;
      body.add(chunk);
    });
    incoming.on('end', () => resolve(first ?? body.take()));
    incoming.on('error', reject);
    incoming.on('close', () => {
      if (!incoming.complete) reject(new Aborted());
    });
  });
}

const discardedBytesMax = 32 << 20;
const discardingMs = 5000;

/**
 * Reads on for a moment what is still coming, and throws it away: a connection that is closed at
 * once is often reset before its sender has read why it was refused. Ends the connection when that
 * is not the end of it.
 */
export function discardRest(incoming: IncomingMessage): void {
  let bytes = 0;
  const end = (): void => {
    if (!incoming.complete) incoming.destroy();
  };
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > discardedBytesMax) end();
  });
  incoming.on('error', () => {});
  AbortSignal.timeout(discardingMs).addEventListener('abort', end);
  incoming.resume();
}
