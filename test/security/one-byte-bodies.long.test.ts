import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ServedRoute } from '../../src/listeners/served.ts';
import { type CallerName, deviceId, signInEverybody, type Target } from '../support/every-caller.ts';
import { aBoxWithEveryListener, type EveryListener } from '../support/every-listener.ts';
import { until } from '../support/until.ts';
import { samples } from './matrix.ts';

/**
 * Every route, with a body that never ends and comes in chunks of one byte each. A buffer for each
 * of them would take a hundred times their bytes.
 */

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

let running: EveryListener;
let credentials: Awaited<ReturnType<typeof signInEverybody>>;
/** The box's side of each request, by the port of its client. */
const taken = new Map<number, IncomingMessage>();
const note = (said: unknown) => {
  const { request } = said as { request: IncomingMessage };
  taken.set(request.socket.remotePort ?? 0, request);
};
beforeAll(async () => {
  running = await aBoxWithEveryListener();
  credentials = await signInEverybody(running.box);
  subscribe('http.server.request.start', note);
});
afterAll(async () => {
  unsubscribe('http.server.request.start', note);
  await running?.[Symbol.asyncDispose]();
});

const chunks = 8000;
const body = '1\r\nx\r\n'.repeat(chunks);
/** What a request may cost beside its bytes; kept as they came, its chunks would take over 1 MiB. */
const bytesOfRequestMax = 128 << 10;
const atOnce = 16;

function dial({ address, ca }: Target): Socket {
  const [host, port] = address.split(':');
  const socket = ca ? connectTls({ host: host!, port: Number(port), ca }) : connect(Number(port), host!);
  return socket.on('error', () => {}).on('data', () => {});
}

const held = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const headOf = ({ method, path }: ServedRoute, credential: Readonly<Record<string, string>>): string => {
  const target = path
    .replace(/\{[^}]*\}/g, '')
    .replace(/:(\w+)/g, (_all, name: string) => (name === 'clientId' ? deviceId : (samples[name] ?? 'x')))
    .replace(/\*/g, 'x');
  const headers = { host: running.box.addresses.https!, ...credential, 'content-type': 'application/json' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    `${method === 'ALL' ? 'POST' : method} ${target} HTTP/1.1`,
    ...lines,
    'Transfer-Encoding: chunked',
    '',
    '',
  ].join('\r\n');
};

/** Sends the head and all chunks; resolves when the box has read them, or has ended the connection. */
async function begin(target: Target, head: string): Promise<Socket> {
  const socket = dial(target);
  socket.write(head);
  socket.write(body);
  await until('the chunks are read', () => {
    const request = taken.get(socket.localPort ?? 0);
    return (
      socket.destroyed || (request !== undefined && (request.destroyed || request.socket.bytesRead >= body.length))
    );
  });
  return socket;
}

const listeners = ['hotspot', 'metrics', 'http', 'https'] as const;
const caller: Readonly<Record<string, (path: string) => CallerName>> = {
  nobody: () => 'nobody',
  'who may': path =>
    path.startsWith('/admin/v1/own-page/')
      ? 'employee'
      : path.startsWith('/admin/')
        ? 'admin'
        : /^\/(api\/:version|v2.0|weather)/.test(path)
          ? 'signed'
          : 'device',
};

test.each(Object.keys(caller).flatMap(who => listeners.map(listener => [listener, who] as const)))(
  'each route of %s called by %s holds no more of a body in chunks of one byte than its bytes, and prints nothing when it ends',
  async (listener, who) => {
    const printed = vi.spyOn(console, 'error');
    const routes = [...running.box.served[listener]!.routes()];
    const target = running.target(listener);
    while (routes.length > 0) {
      const some = routes.splice(0, atOnce);
      const heads = some.map(route => headOf(route, credentials[caller[who]!(route.path)][0]!(route.path)));
      const call = () => {
        taken.clear();
        return Promise.all(heads.map(head => begin(target, head)));
      };
      // What is made with the first call of a route stays.
      for (const socket of await call()) socket.destroy();
      const before = held();
      const sockets = await call();
      const names = some.map(({ method, path }) => `${method} ${path}`).join(', ');
      expect(held() - before, names).toBeLessThan(some.length * (bytesOfRequestMax + chunks));
      for (const socket of sockets) socket.destroy();
    }
    // Who hangs up writes no line.
    expect(printed).not.toHaveBeenCalled();
  },
);
