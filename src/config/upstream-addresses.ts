import { isLoopback } from '../runtime/address.ts';
import type { Config } from './schema.ts';

/** An address under `upstream`, with the path of its key. */
interface UpstreamAddress {
  readonly path: readonly string[];
  readonly url: string;
}

/** The cloud's addresses for what devices send, by transport. */
export function deviceAddresses(upstream: Config['upstream']) {
  return { deviceMqtt: upstream?.device_mqtt, deviceHttp: upstream?.device_http };
}

/** Whether an uplink for records is configured, whatever other cloud services are. */
export const hasLine = ({ upstream }: Config): boolean => deviceUrls(upstream).length > 0;

/** Those of them that are set. */
export const deviceUrls = (upstream: Config['upstream']): string[] =>
  Object.values(deviceAddresses(upstream)).filter(url => url !== undefined);

/** The addresses under `upstream` that are reached without TLS, loopback included. */
export function plainUpstreams(upstream: NonNullable<Config['upstream']>): UpstreamAddress[] {
  const { device_mqtt, device_http, oauth, psp, attendance } = upstream;
  const addresses = [
    { path: ['upstream', 'device_mqtt'], url: device_mqtt },
    { path: ['upstream', 'device_http'], url: device_http },
    { path: ['upstream', 'oauth'], url: oauth },
    { path: ['upstream', 'psp', 'url'], url: psp?.url },
    { path: ['upstream', 'attendance', 'url'], url: attendance?.url },
  ];
  return addresses.flatMap(({ path, url }) => (url !== undefined && /^(http|mqtt):/i.test(url) ? [{ path, url }] : []));
}

/** Of those, the addresses that are not on this machine: others on the way can read along. */
export const readableUpstreams = (upstream: NonNullable<Config['upstream']>): UpstreamAddress[] =>
  plainUpstreams(upstream).filter(({ url }) => {
    const host = new URL(url).hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
    return !isLoopback({ host, port: 0 });
  });
