import type { IncomingMessage } from 'node:http';

export class TooLarge extends Error {}
export class Aborted extends Error {}

/**
 * Reads a request's body up to `bytesMax`. Throws TooLarge without reading further, Aborted when
 * the caller goes away.
 */
export function readBody(incoming: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > bytesMax) return Promise.reject(new TooLarge());
  // It ended before it was read: there are no more events.
  if (incoming.destroyed) return Promise.reject(incoming.errored ?? new Aborted());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        incoming.pause();
        reject(new TooLarge());
      } else chunks.push(chunk);
    });
    incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
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
