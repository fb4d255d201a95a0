import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { checkServerIdentity, type SecureContext, connect as tlsConnect } from 'node:tls';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import { type Finding, linkMs, withinMs } from './check.ts';

/** Where an address of the cloud leads. */
interface Place {
  /** As the config has it. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

const usualPorts: Readonly<Record<string, number>> = { 'mqtts:': 8883, 'mqtt:': 1883, 'https:': 443, 'http:': 80 };

export function placeOf(url: string): Place {
  const { protocol, hostname, port } = new URL(url);
  return {
    url,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (usualPorts[protocol] ?? 443) : Number(port),
    tls: protocol === 'mqtts:' || protocol === 'https:',
  };
}

export async function dnsCheck({ host }: Place, clock: Clock): Promise<Finding> {
  if (isIP(host)) return { state: 'ok', code: 'no_name', facts: { host }, message: `${host} needs no name server` };
  const why = { failed: '' };
  const found = await withinMs(
    clock,
    linkMs,
    lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
      why.failed = error.code ?? error.message;
      return null;
    }),
  );
  if (found && found.length > 0) {
    const addresses = found.map(one => one.address).join(', ');
    return { state: 'ok', code: 'dns', facts: { host, addresses }, message: `${host} is ${addresses}` };
  }
  const reason = why.failed === '' ? 'no answer in time' : why.failed;
  return {
    state: 'failed',
    code: why.failed === 'ENOTFOUND' ? 'dns_unknown' : 'dns_silent',
    facts: { host, reason },
    message: `${host} has no address: ${reason}`,
    remedy:
      why.failed === 'ENOTFOUND'
        ? `look at how the name is written in the config, and whether the name server of this network knows ${host}`
        : 'the name server does not answer: look at the DNS setting of this machine and of the router',
    error: 1,
  };
}

export async function tcpCheck({ host, port }: Place, clock: Clock): Promise<Finding> {
  const socket = connect({ host, port });
  const outcome = await withinMs(
    clock,
    linkMs,
    new Promise<string>(resolve => {
      socket.once('connect', () => resolve(''));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    }),
  );
  socket.destroy();
  if (outcome === '')
    return { state: 'ok', code: 'tcp', facts: { port: String(port) }, message: `port ${port} is open` };
  const facts = { host, port: String(port), reason: outcome ?? '' };
  if (outcome === 'ECONNREFUSED')
    return {
      state: 'failed',
      code: 'tcp_refused',
      facts,
      message: `${host} is there, but nothing listens on port ${port}`,
      remedy: `look at the port in the config; if it is right, the cloud is down or a firewall refuses port ${port}`,
      error: 2,
    };
  return {
    state: 'failed',
    code: outcome === null ? 'tcp_silent' : 'tcp_failed',
    facts,
    message: `${host} port ${port} cannot be reached: ${outcome ?? `no answer within ${linkMs / 1000} s`}`,
    remedy: `let port ${port} to ${host} through the firewall of the site`,
    error: 2,
  };
}

interface Peer {
  /** Empty: the certificate is trusted and names the host. */
  readonly trouble: string;
  /** Common name of its subject, where the certificate is not for the host. */
  readonly otherName: string | null;
  readonly issuer: string;
  readonly until: string;
}

/** `upstream.insecure: yes` allows it. */
export const notEncrypted = ({ host }: Place): Finding => ({
  state: 'warn',
  code: 'tls_off',
  facts: { host },
  message: `the connection to ${host} is not encrypted (upstream.insecure): everybody on the way reads and changes what passes`,
  remedy: 'write mqtts:// or https:// in the config',
});

/** The issuer and expiry of its certificate, and whether this box trusts it. */
export async function tlsCheck(
  place: Place,
  { trust, timeZone }: { readonly trust: SecureContext; readonly timeZone: string },
  clock: Clock,
): Promise<Finding> {
  const { host, port } = place;
  const socket = tlsConnect({ host, port, secureContext: trust, rejectUnauthorized: false });
  const why = { failed: '' };
  const peer = await withinMs(
    clock,
    linkMs,
    new Promise<Peer | null>(resolve => {
      socket.once('error', (error: NodeJS.ErrnoException) => {
        why.failed = error.code ?? error.message;
        resolve(null);
      });
      socket.once('secureConnect', () => {
        const certificate = socket.getPeerCertificate();
        const { issuer, subject, valid_to: until } = certificate;
        const name = issuer as Record<string, string> | undefined;
        const trouble = socket.authorized ? '' : String(socket.authorizationError ?? 'not believed');
        const otherName = checkServerIdentity(host, certificate) ? String(subject?.CN ?? 'another name') : null;
        resolve({ trouble, otherName, issuer: name?.CN ?? name?.O ?? '?', until });
      });
    }),
  );
  socket.destroy();
  if (!peer) {
    const reason = why.failed === '' ? 'no answer in time' : why.failed;
    return {
      state: 'failed',
      code: 'tls_none',
      facts: { host, reason },
      message: `the TLS handshake with ${host} failed: ${reason}`,
      remedy: `look whether the address is one with TLS, whether a captive portal (login page) answers at http://${host}/ in a browser of this network, and whether a firewall of the site opens encrypted connections`,
      error: 2,
    };
  }
  const { day: until } = dayOf(Date.parse(peer.until), timeZone);
  const facts = { host, issuer: peer.issuer, until };
  if (peer.trouble === '')
    return { state: 'ok', code: 'tls', facts, message: `signed by ${peer.issuer}, until ${until}` };
  const more = { reason: peer.trouble, ...(peer.otherName === null ? {} : { name: peer.otherName }) };
  return { state: 'failed', facts: { ...facts, ...more }, error: 2, ...distrust(peer, host, until) };
}

function distrust(
  { trouble, otherName, issuer }: Peer,
  host: string,
  until: string,
): Pick<Finding, 'code' | 'message' | 'remedy'> {
  if (otherName !== null)
    return {
      code: 'tls_name',
      message: `the certificate there is for ${otherName}, signed by ${issuer}, not for ${host}`,
      remedy: `a captive portal (login page) of this network probably answers: open http://${host}/ in a browser of this network; if no login page appears, look at the address in the config, or for a firewall that stands in for the cloud`,
    };
  if (/NOT_YET_VALID/.test(trouble))
    return {
      code: 'tls_early',
      message: `the certificate of ${host} is not valid yet: the clock of this box is behind`,
      remedy: 'set the clock of this box',
    };
  if (/EXPIRED/.test(trouble))
    return {
      code: 'tls_expired',
      message: `the certificate of ${host} ended ${until}`,
      remedy: 'look at the clock of this box; if it is right, the certificate has to be renewed over there',
    };
  return {
    code: 'tls_untrusted',
    message: `the certificate of ${host} is signed by ${issuer}, whom this box does not know (${trouble})`,
    remedy:
      "if the cloud has an authority of its own, put its root into upstream.ca; else a firewall opens this site's encrypted connections",
  };
}

export type TryLogin = () => Promise<'accepted' | 'refused' | 'unreachable'>;

export async function loginCheck(login: TryLogin): Promise<Finding> {
  switch (await login()) {
    case 'accepted':
      return { state: 'ok', code: 'login', message: 'the cloud lets this box in' };
    case 'refused':
      return {
        state: 'failed',
        code: 'login_refused',
        message: 'the platform refused: access authentication failed',
        remedy:
          'look at box.product_id, box.device_sn and box.access_key, and whether the box is registered at the cloud',
        error: 3,
      };
    default:
      return {
        state: 'failed',
        code: 'login_unreachable',
        message: 'the platform is unreachable: it did not answer the login in time',
        remedy: 'try again in a minute; if it stays so, ask the operator of the cloud',
        error: 2,
      };
  }
}
