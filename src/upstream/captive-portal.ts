import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { checkServerIdentity, type PeerCertificate, TLSSocket } from 'node:tls';
import type { Reason, Why } from '../words/sentences.ts';
import { type PortalSign, uplinkReasons } from '../words/uplink.ts';

/**
 * Networks with a login page (captive portals) answer in the cloud's place until somebody has
 * logged in there. `sign`: how it was noticed; `open`: where a browser meets the page. Signs other
 * than HTTP 511 (RFC 6585) may be those of a wrong address too.
 */
const portal = (sign: PortalSign, open: string, to = ''): Reason =>
  uplinkReasons.say('captive_portal', { sign, to, open });

export const namesPortal = ({ code }: Why): boolean => code === 'captive_portal';

const addressCharsMax = 200;

/**
 * Portal behind an answer; null if the platform may have given it, or a failed server in front of
 * it.
 */
export function portalOfAnswer(
  { status, headers, body }: { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string },
  host: string,
): Reason | null {
  const page = `http://${host}/`;
  if (status >= 300 && status < 400 && URL.canParse(headers.location ?? '')) {
    const { hostname, origin, pathname } = new URL(headers.location!);
    if (hostname === host || !origin.startsWith('http')) return null;
    return portal('redirects', `${origin}${pathname}`.slice(0, addressCharsMax), hostname);
  }
  if (status === 511) return portal('http_511', page);
  return status === 200 && isPage(headers, body) ? portal('web_page', page) : null;
}

const isPage = ({ 'content-type': type = '' }: IncomingHttpHeaders, body: string): boolean =>
  /^text\/html\b/i.test(type) || /^\s*<(!doctype html|html)\b/i.test(body.slice(0, 200));

/**
 * Certificate that a server shows on this socket, read before Node refuses it; undefined: none yet,
 * or no TLS. Call before the handshake can end; on a connection that is used again it is undefined.
 */
export function shownCertificate(socket: Duplex): () => PeerCertificate | undefined {
  let shown: PeerCertificate | undefined;
  if (socket instanceof TLSSocket && socket.getFinished() === undefined)
    // Undocumented: the end of a handshake, before Node judges the certificate.
    socket.prependOnceListener('secure', () => (shown = socket.getPeerCertificate()));
  return () => shown;
}

/**
 * Portal that a failed handshake shows; null if the handshake failed for another reason. A
 * certificate that names the cloud is no sign of one, trusted or not.
 */
export function portalOfHandshake(
  error: Error,
  { hostname, certificate }: { readonly hostname: string; readonly certificate: PeerCertificate | undefined },
): Reason | null {
  const { code = '' } = error as NodeJS.ErrnoException;
  const page = `http://${hostname}/`;
  if (certificate?.raw && checkServerIdentity(hostname.replace(/^\[|\]$/g, ''), certificate)) {
    const to = certificate.subject?.CN;
    return to === undefined ? portal('other_certificate', page) : portal('certificate', page, String(to));
  }
  if (/^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|ERR_SSL_HTTP_REQUEST)$/.test(code))
    return /wrong version|too long|http request/i.test(error.message) ? portal('no_tls', page) : null;
  return null;
}

/** The first bytes of a server that was greeted in MQTT. Null: they may be MQTT. */
export const portalOfBytes = (first: Uint8Array, host: string): Reason | null =>
  /^(HTTP\/|\s*<(!doctype|html))/i.test(Buffer.from(first.subarray(0, 32)).toString('latin1'))
    ? portal('web_server', `http://${host}/`)
    : null;
