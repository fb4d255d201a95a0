import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';

export type HandshakeFailed = (address: string, error: Error) => void;

/**
 * Reports TLS handshakes that fail or time out, in words that say what is wrong with the device,
 * and closes their sockets, which Node leaves open after a time-out.
 */
export function watchHandshakes(server: Server, failed: HandshakeFailed): void {
  // Read now: a closed socket only knows its address if it was read before.
  server.on('connection', (stream: Socket) => void stream.remoteAddress);
  server.on('tlsClientError', (error: NodeJS.ErrnoException & { reason?: string }, stream: TLSSocket) => {
    const { _parent: underneath } = stream as TLSSocket & { _parent?: Socket };
    failed(stream.remoteAddress ?? underneath?.remoteAddress ?? '', new Error(handshakeTrouble(error)));
    stream.destroy();
  });
}

export const distrustsBox = 'it does not trust the certificate of this box';

/** Error texts of OpenSSL and Node, and what each means. The first match wins. */
const troubles: readonly (readonly [RegExp, string])[] = [
  [/unknown ca|bad certificate|certificate unknown/i, distrustsBox],
  [/certificate expired/i, 'it takes the certificate for expired: its clock may be wrong'],
  [/unsupported protocol|version too low|protocol version/i, 'it speaks no TLS 1.2 or later'],
  [/no shared cipher/i, 'it has no cipher in common with this box'],
  [/http request/i, 'it speaks HTTP without TLS'],
  [/wrong version number|packet length|unexpected message|record layer/i, 'it does not speak TLS'],
  [/ERR_TLS_HANDSHAKE_TIMEOUT/, 'it did not finish the handshake within 10 s'],
  [/ECONNRESET|EPIPE/, 'it hung up in the middle: it may not trust the certificate of this box'],
];

export function handshakeTrouble({
  code = '',
  reason = '',
  message,
}: {
  code?: string;
  reason?: string;
  message: string;
}): string {
  const whole = `${code} ${reason} ${message}`;
  return troubles.find(([pattern]) => pattern.test(whole))?.[1] ?? (reason || code || message);
}
