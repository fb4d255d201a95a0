import { networkInterfaces } from 'node:os';
import { found } from '../../words/checks.ts';
import { routerIn } from '../own-network.ts';
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

/** The router to everywhere else, from `/proc/net/route`. */
export function gatewayCheck(routes?: string): Finding {
  const router = routerIn(routes);
  if (router) return { state: 'ok', ...found('gateway', { gateway: router.address, name: router.name }) };
  return { state: 'failed', error: -1, ...found('no_gateway') };
}
