import { hostname, networkInterfaces } from 'node:os';
import { type Config, parseAddress } from '../config/index.ts';

/** Where the listeners that hand out addresses stand. */
export type BoundAddresses = Readonly<Record<'https' | 'http', string | null>>;

/**
 * Where this box is for whoever reached it as `host`: over TLS, or without where it is served so.
 */
export function addressFor(
  config: Config,
  bound: BoundAddresses | undefined,
  host: string,
  overHttps: boolean,
): string {
  const name = host.replace(/:\d+$/, '');
  const plain = !overHttps && config.environment === 'test' ? bound?.http : null;
  const port = parseAddress(plain ?? bound?.https ?? '')?.port;
  return `${plain ? 'http' : 'https'}://${name}${port === undefined || port === (plain ? 80 : 443) ? '' : `:${port}`}`;
}

/**
 * What devices may call this box: its host name, the name in `site.base_url`, and every address it
 * has now.
 */
export function namesOf(config: Config): { names: string[]; addresses: string[] } {
  const own = hostname().toLowerCase();
  const names = new Set(['localhost', own, `${own.split('.')[0]}.local`]);
  const addresses = new Set(['127.0.0.1', '::1']);
  for (const found of Object.values(networkInterfaces()).flat())
    if (found && !found.address.startsWith('fe80')) addresses.add(found.address);
  const hosts = [config.listen.mqtts, config.listen.https].map(text => parseAddress(text)?.host);
  if (config.site.base_url) hosts.push(new URL(config.site.base_url).hostname.replace(/^\[|\]$/g, ''));
  for (const host of hosts) {
    if (!host || host === '0.0.0.0' || host === '::') continue;
    (/^[\d.]+$|:/.test(host) ? addresses : names).add(host.toLowerCase());
  }
  return { names: [...names], addresses: [...addresses] };
}
