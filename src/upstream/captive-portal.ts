import type { IncomingHttpHeaders } from 'node:http';

const begins = 'a captive portal (login page) of this network stands between the box and the cloud';

/**
 * Networks with a login page (captive portals) answer in the cloud's place until somebody has
 * logged in there. `sign`: how it was noticed; `open`: where a browser meets the page.
 */
const portalWords = (sign: string, open: string): string =>
  `${begins} (${sign}): open ${open} in a browser of this network; if no login page appears, check the address under upstream`;

export const namesPortal = (why: string): boolean => why.startsWith(begins);

const addressCharsMax = 200;

/**
 * Portal behind an answer; null if the platform may have given it, or a failed server in front of
 * it.
 */
export function portalOfAnswer(
  { status, headers, body }: { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string },
  host: string,
): string | null {
  const page = `http://${host}/`;
  if (status >= 300 && status < 400 && URL.canParse(headers.location ?? '')) {
    const { hostname, origin, pathname } = new URL(headers.location!);
    if (hostname === host || !origin.startsWith('http')) return null;
    return portalWords(`it redirects to ${hostname}`, `${origin}${pathname}`.slice(0, addressCharsMax));
  }
  if (status === 511) return portalWords('it answers HTTP 511', page);
  return status === 200 && isPage(headers, body) ? portalWords('it answers with a web page', page) : null;
}

const isPage = ({ 'content-type': type = '' }: IncomingHttpHeaders, body: string): boolean =>
  /^text\/html\b/i.test(type) || /^\s*<(!doctype html|html)\b/i.test(body.slice(0, 200));

/** Portal that a failed handshake shows; null if the handshake failed for another reason. */
export function portalOfHandshake(error: Error, host: string): string | null {
  const { code = '', cert } = error as NodeJS.ErrnoException & { cert?: { subject?: { CN?: string } } };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return portalWords(`its certificate is for ${cert?.subject?.CN ?? 'another name'}`, `http://${host}/`);
  if (/^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|ERR_SSL_HTTP_REQUEST)$/.test(code))
    return /wrong version|too long|http request/i.test(error.message)
      ? portalWords('it does not speak TLS', `http://${host}/`)
      : null;
  return null;
}

/** The first bytes of a server that was greeted in MQTT. Null: they may be MQTT. */
export const portalOfBytes = (first: Uint8Array, host: string): string | null =>
  /^(HTTP\/|\s*<(!doctype|html))/i.test(Buffer.from(first.subarray(0, 32)).toString('latin1'))
    ? portalWords('it answers as a web server', `http://${host}/`)
    : null;
