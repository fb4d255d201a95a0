import { z } from 'zod';
import { isLoopback, parseAddress } from '../runtime/address.ts';
import { parseAddressList } from '../runtime/address-list.ts';
import { documented, listener, text } from './kinds.ts';

const isOffOrLoopback = (value: string): boolean => {
  const address = parseAddress(value);
  return address === null || (address !== undefined && isLoopback(address));
};

/** Where the program listens, and how. */
export const listen = z.strictObject({
  mqtts: listener('0.0.0.0:8883', 'MQTT 3.1.1 over TLS'),
  mqtt: documented(
    text('host:port, or "off"')
      .refine(value => parseAddress(value) !== undefined, {
        error: 'not an address: write host:port, or "off"',
        abort: true,
      })
      .refine(value => isOffOrLoopback(value), {
        error: 'plain MQTT is for this machine alone: write 127.0.0.1:1883 or "off", and use mqtts for the rest',
      })
      .default('off'),
    'Plain MQTT; refused on anything but loopback',
    { kind: 'host:port or off' },
  ),
  proxies: documented(
    text('addresses of proxies')
      .refine(value => parseAddressList(value) !== null, {
        error: 'not a list of addresses: write such as 10.0.0.5, 10.1.0.0/16',
      })
      .optional(),
    'Addresses of proxies in front of mqtts, mqtt, https and http, with commas between. What comes from them has to begin with a header of the PROXY protocol, version 2, and counts as coming from the address in it (docs/region.md)',
    { kind: '10.0.0.5, 10.1.0.0/16' },
  ),
  https: listener('0.0.0.0:8443', 'Device gateway over HTTP, and the APIs'),
  http: listener('0.0.0.0:8080', 'Redirects to https; in environment test it serves OAuth and the public services'),
  events: listener(
    'off',
    "A local broker for the site's own programs, such as 127.0.0.1:1884 (docs/events.md); with TLS on any other address than loopback",
  ),
  metrics: listener('127.0.0.1:9464', '/metrics (Prometheus), /healthz, /readyz'),
});
