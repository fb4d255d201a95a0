import { lookup as systemLookup } from 'node:dns/promises';
import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import net, { isIP, type LookupFunction } from 'node:net';
import type { Trust } from '../upstream/index.ts';

/**
 * Calls to addresses that come from a record, a redirect or an answer: packages of app upgrades,
 * texts spoken by the cloud. Addresses from the config are called elsewhere, without these rules
 * (docs/decisions/outgoing-calls.md lists all calls).
 */

/**
 * Loopback, link-local, multicast and unspecified addresses, and the metadata services of clouds.
 * BlockList also recognizes IPv4 addresses in IPv6 form.
 */
const forbiddenV4 = [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
] as const;
const forbiddenV6 = [
  // Includes the deprecated IPv4-compatible form (::127.0.0.1).
  ['::', 96],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  // 6to4 and Teredo embed an IPv4 address that is not checked here; no site needs them.
  ['2002::', 16],
  ['2001::', 32],
] as const;
let blocks: net.BlockList | undefined;

/** Made at the first call: Node loads two modules for it. */
function blocked(): net.BlockList {
  if (blocks) return blocks;
  blocks = new net.BlockList();
  for (const [subnet, bits] of forbiddenV4) {
    blocks.addSubnet(subnet, bits, 'ipv4');
    // NAT64 itself must work: networks without IPv4 need it.
    blocks.addSubnet(`64:ff9b::${subnet}`, 96 + bits, 'ipv6');
  }
  for (const [subnet, bits] of forbiddenV6) blocks.addSubnet(subnet, bits, 'ipv6');
  return blocks;
}

/** Private ranges are allowed: a site may keep its packages in its own network. */
export const isForbidden = (address: string): boolean => {
  const plain = address.split('%', 1)[0]!;
  const family = isIP(plain);
  return family === 0 || blocked().check(plain, family === 4 ? 'ipv4' : 'ipv6');
};

/** The address is one that only the operator may make the box call. */
export class AddressRefused extends Error {
  constructor(url: string, address: string) {
    super(
      `${new URL(url).host}: leads to ${address}, this machine or an address of the link or of a cloud's machines: put the file on a server of the site or of the internet`,
    );
    this.name = 'AddressRefused';
  }
}

interface Outgoing {
  readonly status: number;
  readonly stream: AsyncIterable<Uint8Array>;
  readonly headers: IncomingHttpHeaders;
}

export interface OutgoingRules {
  readonly trust: Pick<Trust, 'context'>;
  /** Origins that the config names: allowed wherever they are. */
  readonly named: readonly string[];
  /** Replaces the rule above in tests, whose servers are on the loopback. */
  readonly forbids?: (address: string) => boolean;
  readonly lookup?: (host: string) => Promise<readonly { address: string; family: number }[]>;
}

const redirectsMax = 3;
const idleMs = 60_000;

/**
 * Sends a GET, following at most three redirects, each checked like the first address. Each name is
 * resolved once and the connection goes to the address that was checked, so DNS rebinding gains
 * nothing. Rejects with AddressRefused.
 */
export function openOutgoing(
  url: string,
  headers: Record<string, string>,
  rules: OutgoingRules,
  signal: AbortSignal,
  redirects = 0,
): Promise<Outgoing> {
  return new Promise((resolve, reject) => {
    if (!URL.canParse(url)) return reject(new Error(`${url}: no address`));
    const { protocol, hostname, origin } = new URL(url);
    const secure = protocol === 'https:';
    if (!secure && protocol !== 'http:') return reject(new Error(`${url}: neither https nor http`));
    const { forbids = isForbidden, lookup = systemLookupAll, named } = rules;
    const free = named.includes(origin);
    const host = hostname.replace(/^\[|\]$/g, '');
    if (!free && isIP(host) !== 0 && forbids(host)) return reject(new AddressRefused(url, host));
    const outgoing = (secure ? request : plainRequest)(
      url,
      {
        headers,
        signal,
        timeout: idleMs,
        agent: false,
        ...(secure ? { secureContext: rules.trust.context } : {}),
        ...(free ? {} : { lookup: judgedLookup(url, lookup, forbids) }),
      },
      response => {
        const { statusCode: status = 0 } = response;
        const { location } = response.headers;
        if (status >= 300 && status < 400 && location && redirects < redirectsMax) {
          response.resume();
          if (!URL.canParse(location, url)) return reject(new Error(`${url}: redirects to no address`));
          return resolve(openOutgoing(new URL(location, url).href, headers, rules, signal, redirects + 1));
        }
        resolve({ status, stream: response, headers: response.headers });
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${url}: no answer in time`)));
    outgoing.on('error', reject);
    outgoing.end();
  });
}

export const systemLookupAll = (host: string) => systemLookup(host, { all: true });

/**
 * Resolves a name for one connection and returns only allowed addresses. An address in the place of
 * a name is not looked up: its caller judges it.
 */
export const judgedLookup =
  (
    url: string,
    resolveAll: NonNullable<OutgoingRules['lookup']>,
    forbids: NonNullable<OutgoingRules['forbids']>,
  ): LookupFunction =>
  (host, options, done) => {
    resolveAll(host).then(
      found => {
        const wanted = found.filter(one => !options.family || one.family === options.family);
        const allowed = wanted.filter(one => !forbids(one.address));
        const [first] = allowed;
        if (!first) return done(new AddressRefused(url, wanted[0]?.address ?? 'nothing'), '', 0);
        if (options.all) done(null, [...allowed] as never);
        else done(null, first.address, first.family);
      },
      error => done(error, '', 0),
    );
  };
