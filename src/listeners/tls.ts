import type { SecureContextOptions, Server, TLSSocket } from 'node:tls';

/**
 * TLS 1.3, and of TLS 1.2 what has forward secrecy and authenticated encryption (RFC 9325, section
 * 4.2).
 */
const suites = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];
/**
 * Behind those, for terminals that have none of them: CBC, and with a certificate of RSA also
 * without forward secrecy. Still TLS 1.2.
 */
const legacySuites = [
  'ECDHE-ECDSA-AES128-SHA256',
  'ECDHE-RSA-AES128-SHA256',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-RSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA',
  'ECDHE-RSA-AES256-SHA',
  'AES128-GCM-SHA256',
  'AES256-GCM-SHA384',
  'AES128-SHA256',
  'AES128-SHA',
  'AES256-SHA',
];

/** What status, doctor and the log say of them. */
export const legacySuitesWarning = {
  message: 'TLS suites without forward secrecy or authenticated encryption are allowed (tls.legacy_suites)',
  remedy: 'update the terminals that need them, then set tls.legacy_suites to off and restart the box',
} as const;

/**
 * `ca`: nobody who comes shows a certificate, and without it Node reads all roots of the world for
 * each listener: 2 MB, and a quarter of the start.
 */
export const tlsOptions = (withLegacySuites: boolean): SecureContextOptions => ({
  minVersion: 'TLSv1.2',
  ca: [],
  ciphers: (withLegacySuites ? [...suites, ...legacySuites] : suites).join(':'),
});

/**
 * A client that renegotiates makes the box compute a handshake for a few bytes (TLS 1.2): the
 * attempt ends its connection. TLS 1.3 has no renegotiation.
 */
export function refuseRenegotiation(server: Server): void {
  server.prependListener('secureConnection', (stream: TLSSocket) => {
    stream.disableRenegotiation();
    // Node reports the attempt and leaves it to the listener what becomes of the connection.
    stream.on('error', destroy);
  });
}

/** One function for all connections: a closure for each would be held as long as the device is. */
function destroy(this: TLSSocket): void {
  this.destroy();
}
