import type { Server, TLSSocket, TlsOptions } from 'node:tls';
import type { HandshakeQueue } from './accept.ts';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The options that all TLS listeners share. */
export interface TlsSide {
  readonly certificate: Certificate;
  /**
   * Certificate for clients that ask for this host by SNI (SPEC 5.3); null if all get
   * `certificate`.
   */
  readonly legacyHost: () => (Certificate & { readonly host: string }) | null;
  readonly legacySuites: boolean;
  /** Without them ChaCha20 comes first: it then takes a fraction of the time of AES. */
  readonly hasAesInstructions: boolean;
  /** The key of the tickets by which sessions resume, 48 bytes; it changes every day. */
  readonly ticketKeys: () => Buffer;
  readonly queue: HandshakeQueue;
}

/**
 * The suites of TLS 1.3, and those of TLS 1.2 with forward secrecy and authenticated encryption
 * (RFC 9325, section 4.2).
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
const chaChaFirst = (one: string, other: string): number =>
  Number(other.includes('CHACHA20')) - Number(one.includes('CHACHA20'));
/**
 * Added after those for old terminals: CBC suites and, with an RSA certificate, suites without
 * forward secrecy. TLS 1.2 is still the minimum.
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

/** As long as the key of the tickets lives. */
const sessionSeconds = 24 * 3600;

/**
 * TLS options of every listener. `ca` is empty because clients show no certificate; without it Node
 * would load all public roots for each listener: 2 MB, and a quarter of the start.
 */
export const tlsOptions = ({ legacySuites: withLegacySuites, hasAesInstructions, ticketKeys }: TlsSide) =>
  ({
    minVersion: 'TLSv1.2',
    ca: [],
    ciphers: [
      ...(hasAesInstructions ? suites : suites.toSorted(chaChaFirst)),
      ...(withLegacySuites ? legacySuites : []),
    ].join(':'),
    ticketKeys: ticketKeys(),
    sessionTimeout: sessionSeconds,
    // Node's own is made of the command line, and a session resumes where it is the same.
    sessionIdContext: 'gatehouse',
  }) satisfies TlsOptions;

/**
 * Closes connections that ask for a renegotiation (TLS 1.2): with a few bytes a client could make
 * the box compute a whole handshake. TLS 1.3 has no renegotiation.
 */
export function refuseRenegotiation(server: Server): void {
  server.prependListener('secureConnection', (stream: TLSSocket) => {
    stream.disableRenegotiation();
    // Node reports the attempt, and leaves the connection open.
    stream.on('error', destroy);
  });
}

/** A shared listener: a closure would stay in memory as long as the device is connected. */
function destroy(this: TLSSocket): void {
  this.destroy();
}

/** Returns what serves a renewed one: of several contexts of one host, Node takes the newest. */
export function serveLegacyHost(server: Server, tls: TlsSide): () => void {
  let served: ReturnType<TlsSide['legacyHost']> = null;
  const serve = () => {
    const next = tls.legacyHost();
    if (!next || next === served) return;
    served = next;
    const { host, ...certificate } = next;
    server.addContext(host, { ...certificate, ...tlsOptions(tls) });
  };
  serve();
  return serve;
}
