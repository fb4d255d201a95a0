import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeviceId } from '../../../src/platform/device-id.ts';
import { serialOf } from '../../../src/platform/device-id.ts';
import {
  encodeSetupDatagram,
  explainSetup,
  type SetupError,
  setupStatusOf,
} from '../../../src/platform/setup-result.ts';
import type { Clock } from '../../../src/runtime/clock.ts';

interface SimHotspotOptions {
  readonly clock: Clock;
  /** Port 0: any free one. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly deviceId: DeviceId;
  readonly model: string;
  /** The only network in range; an empty key: open. */
  readonly network: { readonly ssid: string; readonly key: string };
  /** Where results are sent (SPEC 4.5). */
  readonly resultTo: { readonly host: string; readonly port: number };
  /** Tries to reach the platform after it has joined the network. */
  readonly connect: () => Promise<boolean>;
  readonly onEvent?: (message: string) => void;
}

interface SimHotspot extends AsyncDisposable {
  readonly address: { readonly host: string; readonly port: number };
  /**
   * Resolves when it has joined the network and announced the result, whether or not it reached the
   * platform.
   */
  readonly configured: Promise<void>;
}

/**
 * As a device does: it answers first and leaves its hotspot later (docs/decisions/provisioning.md).
 */
const leaveMs = 2000;
const joinMs = 500;
/** SPEC 4.5: at least 3 times, 1 to 5 s apart. */
const announcements = 3;
const announceEveryMs = 1000;
const bodyBytesMax = 4096;

/**
 * A terminal that waits to be set up over its hotspot: the endpoints of SPEC 4.3, the flow of SPEC
 * 3.3, the results of SPEC 4.5.
 */
export async function startSimHotspot(options: SimHotspotOptions): Promise<SimHotspot> {
  const { clock, network, onEvent = () => {} } = options;
  const over = new AbortController();
  const { promise: configured, resolve: done } = Promise.withResolvers<void>();
  let server: Server | null = null;
  let address = options.listen;
  /** Ends the announcements of the attempt before. */
  let attempt = new AbortController();

  const open = async () => {
    const opened = createServer((request, response) => {
      void answer(request).then(
        body => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
        () => response.writeHead(400).end(),
      );
    });
    opened.listen(address.port, address.host);
    await once(opened, 'listening');
    server = opened;
    address = { host: address.host, port: (opened.address() as AddressInfo).port };
    onEvent(`its hotspot is open: http://${address.host}:${address.port}`);
  };
  const close = async () => {
    const closing = server;
    server = null;
    if (!closing) return;
    closing.closeAllConnections();
    await new Promise(resolve => closing.close(resolve));
  };
  const answer = async (request: IncomingMessage): Promise<object> => {
    const body = await read(request);
    switch (request.url?.split('?')[0]) {
      case '/device/query':
        return {
          code: '0',
          msg: 'ok',
          data: { sn: serialOf(options.deviceId), model: options.model, version: '1.0.0' },
        };
      case '/wifi/list': {
        const anthenc = network.key === '' ? 'none' : 'WPA2-PSK-AES';
        return { code: '0', msg: 'ok', data: [{ ssid: network.ssid, anthenc, quality: '78' }] };
      }
      case '/wifi/setting': {
        const { ssid, key } = JSON.parse(body) as { ssid?: unknown; key?: unknown };
        if (typeof ssid !== 'string' || typeof key !== 'string') return { code: '1', msg: 'ssid and key are text' };
        attempt.abort();
        attempt = new AbortController();
        join(ssid, key, AbortSignal.any([attempt.signal, over.signal])).catch(() => {}); // ends by the signal alone
        return { code: '0', msg: 'ok' };
      }
      default:
        return { code: '404', msg: 'no such path' };
    }
  };
  const join = async (ssid: string, key: string, signal: AbortSignal) => {
    await clock.sleep(leaveMs, signal);
    await close();
    onEvent(`it leaves its hotspot to join "${ssid}"`);
    await clock.sleep(joinMs, signal);
    const inside = ssid === network.ssid && key === network.key;
    const error: SetupError | null = !inside ? -3 : (await options.connect()) ? null : 2;
    if (signal.aborted) return;
    onEvent(error === null ? 'it is configured' : explainSetup(setupStatusOf[error], error));
    const announced = announce(options, error, signal);
    announced.catch(() => {});
    if (inside) {
      await announced;
      return done();
    }
    await open();
    await announced;
  };

  await open();
  return {
    address,
    configured,
    async [Symbol.asyncDispose]() {
      over.abort();
      await close();
    },
  };
}

async function announce(
  { clock, deviceId, model, resultTo }: SimHotspotOptions,
  error: SetupError | null,
  signal: AbortSignal,
): Promise<void> {
  const inside = error !== -3;
  const datagram = encodeSetupDatagram({
    deviceId,
    model,
    status: error === null ? 0 : setupStatusOf[error],
    error,
    message: '',
    mac: '02:00:00:00:02:00',
    address: inside ? '127.0.0.1' : '0.0.0.0',
    mask: inside ? '255.0.0.0' : '0.0.0.0',
    gateway: inside ? '127.0.0.1' : '0.0.0.0',
  });
  const socket = createSocket('udp4');
  try {
    socket.bind();
    await once(socket, 'listening');
    socket.setBroadcast(true);
    for (let sent = 0; sent < announcements; sent++) {
      if (sent > 0) await clock.sleep(announceEveryMs, signal);
      // Without a route nobody receives it; it is sent again.
      await new Promise(resolve => socket.send(datagram, resultTo.port, resultTo.host, resolve));
    }
  } finally {
    socket.close();
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > bodyBytesMax) throw new Error('too large');
  }
  return text;
}
