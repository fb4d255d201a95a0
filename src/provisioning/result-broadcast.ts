import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { encodeSetupDatagram, type SetupResult } from '../platform/setup-result.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/**
 * SPEC 4.5: at least 3 times, 1 to 5 s apart. The addresses take turns, so that a phone that
 * receives both has them that far apart as well.
 */
const rounds = 4;
const apartMs = 1500;
const addressesMax = 3;
const everywhere = '255.255.255.255';

export interface ResultBroadcast {
  /** Resolves when all of them are out. A network that takes none is no error: the next one may. */
  send(result: SetupResult, signal: AbortSignal): Promise<void>;
}

/**
 * Announces how a set-up went (SPEC 4.5) to `target`; to every subnet of the box too, where it is
 * the broadcast address.
 */
export function resultBroadcast({
  target,
  clock,
  log,
}: {
  readonly target: { readonly host: string; readonly port: number };
  readonly clock: Clock;
  readonly log: Log;
}): ResultBroadcast {
  return {
    async send(result, signal) {
      const datagram = encodeSetupDatagram(result);
      const socket = createSocket({ type: 'udp4', reuseAddr: true });
      socket.on('error', error => log.debug({ error: error.message }, 'set_up_result_not_broadcast'));
      try {
        socket.bind();
        await once(socket, 'listening');
        socket.setBroadcast(true);
        for (let sent = 0; ; sent++) {
          // Looked up each time: the network may have just come up.
          const addresses = addressesOf(target.host);
          if (sent >= rounds * addresses.length) break;
          if (sent > 0) await clock.sleep(apartMs, signal);
          const host = addresses[sent % addresses.length]!;
          const error = await sendOne(socket, datagram, target.port, host);
          if (error) log.debug({ host, error: error.message }, 'set_up_result_not_broadcast');
        }
      } finally {
        socket.close();
      }
    },
  };
}

/**
 * Resolves when the datagram is out, or with what kept it in: a socket that is closed before loses
 * it.
 */
const sendOne = (socket: Socket, datagram: Uint8Array, port: number, host: string): Promise<Error | null> =>
  new Promise(resolve => socket.send(datagram, port, host, resolve));

/** Some routers drop one, some devices do not receive the other. */
function addressesOf(host: string): string[] {
  if (host !== everywhere) return [host];
  const subnets = Object.values(networkInterfaces())
    .flatMap(all => all ?? [])
    .filter(one => one.family === 'IPv4' && !one.internal)
    .map(({ address, netmask }) => broadcastOf(address, netmask));
  return [...new Set([everywhere, ...subnets])].slice(0, addressesMax);
}

function broadcastOf(address: string, netmask: string): string {
  const mask = netmask.split('.').map(Number);
  return address
    .split('.')
    .map((part, index) => Number(part) | (~mask[index]! & 0xff))
    .join('.');
}
