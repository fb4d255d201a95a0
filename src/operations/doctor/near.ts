import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { Finding } from './check.ts';

/** An address that others reach: not this machine's own, not one that it gave itself. */
export function addressCheck(interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces()): Finding {
  const found = Object.entries(interfaces).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter(one => !one.internal && !/^(fe80|169\.254\.)/.test(one.address))
      .map(one => `${name} ${one.address}`),
  );
  if (found.length > 0)
    return { state: 'ok', code: 'address', facts: { addresses: found.join(', ') }, message: found.join(', ') };
  return {
    state: 'failed',
    code: 'no_address',
    message: 'no network interface has an address',
    remedy: 'plug in the cable or join the wifi; if the cable is in, the network gives out no addresses (DHCP)',
    error: -2,
  };
}

/**
 * The router to everywhere else: `/proc/net/route` has addresses in the byte order of the machine,
 * lowest byte first.
 */
export function gatewayCheck(routes: string = readRoutes()): Finding {
  for (const line of routes.split('\n').slice(1)) {
    const [name, destination, gateway] = line.split(/\s+/);
    if (destination !== '00000000' || !gateway || gateway === '00000000') continue;
    const address = [6, 4, 2, 0].map(at => Number.parseInt(gateway.slice(at, at + 2), 16)).join('.');
    const facts = { gateway: address, name: name! };
    return { state: 'ok', code: 'gateway', facts, message: `${address} by ${name}` };
  }
  return {
    state: 'failed',
    code: 'no_gateway',
    message: 'there is no default route: nothing outside this network can be reached',
    remedy: 'give the network a gateway: in the DHCP of the router, or in the fixed address of this machine',
    error: -1,
  };
}

function readRoutes(): string {
  try {
    return readFileSync('/proc/net/route', 'utf8');
  } catch {
    return '';
  }
}
