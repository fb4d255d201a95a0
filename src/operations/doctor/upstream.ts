import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { checkServerIdentity, type SecureContext, connect as tlsConnect } from 'node:tls';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import { type Found, found } from '../../words/checks.ts';
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
  if (isIP(host)) return { state: 'ok', ...found('no_name', { host }) };
  let reason = '';
  const resolved = await withinMs(
    clock,
    linkMs,
    lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
      reason = error.code ?? error.message;
      return null;
    }),
  );
  if (resolved && resolved.length > 0)
    return { state: 'ok', ...found('dns', { host, addresses: resolved.map(one => one.address).join(', ') }) };
  return {
    state: 'failed',
    error: 1,
    ...(reason === 'ENOTFOUND' ? found('dns_unknown', { host }) : found('dns_silent', { host, reason })),
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
  if (outcome === '') return { state: 'ok', ...found('tcp', { port }) };
  const of = { host, port };
  if (outcome === null) return { state: 'failed', error: 2, ...found('tcp_silent', of) };
  const isRefused = outcome === 'ECONNREFUSED';
  const said = isRefused ? found('tcp_refused', of) : found('tcp_failed', { ...of, reason: outcome });
  return { state: 'failed', error: 2, ...said };
}

interface Peer {
  /** Code of OpenSSL; null: the certificate is trusted and names the host. */
  readonly trouble: string | null;
  /** Common name of its subject, where the certificate is not for the host; may be empty. */
  readonly otherName: string | null;
  readonly issuer: string;
  readonly until: string;
}

/** `upstream.insecure: yes` allows it. */
export const notEncrypted = ({ host }: Place): Finding => ({ state: 'warn', ...found('tls_off', { host }) });

/** The issuer and expiry of its certificate, and whether this box trusts it. */
export async function tlsCheck(
  place: Place,
  { trust, timeZone }: { readonly trust: SecureContext; readonly timeZone: string },
  clock: Clock,
): Promise<Finding> {
  const { host, port } = place;
  const socket = tlsConnect({ host, port, secureContext: trust, rejectUnauthorized: false });
  let reason = '';
  const peer = await withinMs(
    clock,
    linkMs,
    new Promise<Peer | null>(resolve => {
      socket.once('error', (error: NodeJS.ErrnoException) => {
        reason = error.code ?? error.message;
        resolve(null);
      });
      socket.once('secureConnect', () => {
        const certificate = socket.getPeerCertificate();
        const { issuer, subject, valid_to: until } = certificate;
        const name = issuer as Record<string, string> | undefined;
        const trouble = socket.authorized ? null : String(socket.authorizationError ?? '');
        const otherName = checkServerIdentity(host, certificate) ? String(subject?.CN ?? '') : null;
        resolve({ trouble, otherName, issuer: name?.CN ?? name?.O ?? '?', until });
      });
    }),
  );
  socket.destroy();
  if (!peer) return { state: 'failed', error: 2, ...found('tls_none', { host, reason }) };
  const { day: until } = dayOf(Date.parse(peer.until), timeZone);
  const signed = { host, issuer: peer.issuer, until };
  if (peer.trouble === null) return { state: 'ok', ...found('tls_trusted', signed) };
  return { state: 'failed', error: 2, ...distrust(peer.trouble, peer.otherName, signed) };
}

function distrust(reason: string, name: string | null, signed: { host: string; issuer: string; until: string }): Found {
  if (name !== null) return found('tls_name', { ...signed, name });
  if (reason === 'CERT_NOT_YET_VALID') return found('tls_early', signed);
  if (reason === 'CERT_HAS_EXPIRED') return found('tls_expired', signed);
  return found('tls_untrusted', { ...signed, reason });
}

export type TryLogin = () => Promise<'accepted' | 'refused' | 'unreachable'>;

export async function loginCheck(login: TryLogin): Promise<Finding> {
  switch (await login()) {
    case 'accepted':
      return { state: 'ok', ...found('login') };
    case 'refused':
      return { state: 'failed', error: 3, ...found('login_refused') };
    default:
      return { state: 'failed', error: 2, ...found('login_unreachable') };
  }
}
