import { hostname, networkInterfaces } from 'node:os';
import { type Config, parseAddress } from '../config/index.ts';
import type { ListenerAddresses } from './box.ts';

/**
 * The box's own addresses. The ports are known only after the listeners are open, which is after
 * the parts that hand out addresses were made.
 */
export class OwnAddress {
  readonly #environment: Config['environment'];
  #bound: Pick<ListenerAddresses, 'mqtts' | 'https' | 'http'> = { mqtts: null, https: null, http: null };

  constructor({ environment }: Config) {
    this.#environment = environment;
  }

  bind(addresses: ListenerAddresses): void {
    this.#bound = addresses;
  }

  /** Port of MQTTS; null if the listener is off. */
  get mqttsPort(): number | null {
    return parseAddress(this.#bound.mqtts ?? '')?.port ?? null;
  }

  /** Port of HTTPS; null if the listener is off. */
  get httpsPort(): number | null {
    return parseAddress(this.#bound.https ?? '')?.port ?? null;
  }

  /**
   * The base URL for a client that reached the box as `host`: with TLS, or without it where that is
   * served.
   */
  for(host: string, overHttps: boolean): string {
    const name = host.replace(/:\d+$/, '');
    const plain = !overHttps && this.#environment === 'test' ? this.#bound.http : null;
    const port = parseAddress(plain ?? this.#bound.https ?? '')?.port;
    const isUsual = port === undefined || port === (plain ? 80 : 443);
    return `${plain ? 'http' : 'https'}://${name}${isUsual ? '' : `:${port}`}`;
  }
}

/**
 * The names by which devices may call this box: its host name, the name in `site.base_url`, and all
 * its current addresses.
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
