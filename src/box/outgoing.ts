import { lookup as systemLookup } from 'node:dns/promises';
import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import net, { isIP, type LookupFunction } from 'node:net';
import type { Trust } from '../upstream/index.ts';

/**
 * Calls to addresses that a record, a redirect or an answer names: packages of app upgrades, spoken
 * texts of the cloud. What the operator wrote into the config is called elsewhere, without these
 * rules (docs/decisions/outgoing-calls.md lists all calls).
 */

/**
 * This machine, the link, everybody, nobody, and where clouds keep the secrets of their machines.
 * IPv6 forms of IPv4 addresses are known by BlockList.
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
  // Also the old forms of IPv4 inside of it (::127.0.0.1).
  ['::', 96],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  // 6to4 and Teredo hold an IPv4 address that nobody checks here, and nobody needs them.
  ['2002::', 16],
  ['2001::', 32],
] as const;
let blocks: net.BlockList | undefined;

/** Made with the first call: Node loads two modules for it. */
function blocked(): net.BlockList {
  if (blocks) return blocks;
  blocks = new net.BlockList();
  for (const [subnet, bits] of forbiddenV4) {
    blocks.addSubnet(subnet, bits, 'ipv4');
    // NAT64, which networks without IPv4 need for everything else.
    blocks.addSubnet(`64:ff9b::${subnet}`, 96 + bits, 'ipv6');
  }
  for (const [subnet, bits] of forbiddenV6) blocks.addSubnet(subnet, bits, 'ipv6');
  return blocks;
}

/** Private ranges are allowed: a site may keep its packages in its own network. */
export const isForbidden = (address: string): boolean => {
  const plain = address.replace(/%.*$/, '');
  const family = isIP(plain);
  return family === 0 || blocked().check(plain, family === 4 ? 'ipv4' : 'ipv6');
};

/** The address leads where nobody but the operator may send the box. */
class AddressRefused extends Error {
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
  /** Origins that the operator named in the config: they are called wherever they are. */
  readonly named: readonly string[];
  /** Other than the system's and the rule above: for tests, whose servers are on the loopback. */
  readonly forbids?: (address: string) => boolean;
  readonly lookup?: (host: string) => Promise<readonly { address: string; family: number }[]>;
}

const redirectsMax = 3;
const idleMs = 60_000;

/**
 * GETs an address, over at most three redirects, each of which is judged like the first. A name is
 * resolved once, and the connection goes to the very address that was judged: a name that is
 * resolved to something else a moment later gains nothing. Rejects with AddressRefused.
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

const systemLookupAll = (host: string) => systemLookup(host, { all: true });

/** Resolves for one connection, and hands on what is allowed alone. */
const judgedLookup =
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
