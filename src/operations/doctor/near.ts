import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { found } from '../../words/checks.ts';
import type { Finding } from './check.ts';

/** An address that others reach: not this machine's own, not one that it gave itself. */
export function addressCheck(interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces()): Finding {
  const addresses = Object.entries(interfaces).flatMap(([name, ofInterface]) =>
    (ofInterface ?? [])
      .filter(one => !one.internal && !/^(fe80|169\.254\.)/.test(one.address))
      .map(one => `${name} ${one.address}`),
  );
  if (addresses.length > 0) return { state: 'ok', ...found('address', { addresses: addresses.join(', ') }) };
  return { state: 'failed', error: -2, ...found('no_address') };
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
    return { state: 'ok', ...found('gateway', { gateway: address, name: name! }) };
  }
  return { state: 'failed', error: -1, ...found('no_gateway') };
}

function readRoutes(): string {
  try {
    return readFileSync('/proc/net/route', 'utf8');
  } catch {
    return '';
  }
}
