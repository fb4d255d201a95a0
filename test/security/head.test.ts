import { expect, test } from 'vitest';
import type { DeviceId } from '../../src/platform/device-id.ts';
import { aClient, deviceId, loginOf } from '../support/every-caller.ts';
import { aBoxWithEveryListener } from '../support/every-listener.ts';

/**
 * HEAD runs the GET of these alone: documents, pages and probes. Any other GET may change something,
 * now or when it is edited, so that HEAD is 405 there.
 */
const onlyRead: Readonly<Record<string, RegExp>> = {
  https:
    /^\/(openapi\.json|asyncapi\.json|\.well-known\/security\.txt|$)|^\/(?!api\/|oauth\/|public\/|admin\/|v2\.0\/|\.)/,
  http: /^\/(openapi\.json|asyncapi\.json|\.well-known\/security\.txt|$)|^\/(?!api\/|oauth\/|public\/|admin\/|v2\.0\/|\.)/,
  metrics: /^/,
  hotspot: /^/,
  socket: /^(?!)/,
};

test('HEAD is 405 at every GET of every API, but for routes of its own', async () => {
  await using running = await aBoxWithEveryListener();
  for (const [listener, served] of Object.entries(running.box.served)) {
    using client = aClient(running.target(listener));
    const routes = served.routes();
    const own = new Set(routes.filter(({ method }) => method === 'HEAD').map(({ path }) => path));
    for (const { method, path } of routes) {
      if (method !== 'GET' || own.has(path) || onlyRead[listener]!.test(path)) continue;
      const written = path
        .replace(/:version\{[^}]*\}/g, 'v1.0.0')
        .replace(/:(\w+)(\{[^}]*\})?/g, 'x')
        .replace(/\*/g, 'x');
      const { status, headers } = await client.ask({ method: 'HEAD', path: written });
      expect([listener, path, status, headers.allow]).toEqual([listener, path, 405, 'GET']);
    }
  }
});

test('HEAD takes no message of a device away, and ends no session', async () => {
  await using running = await aBoxWithEveryListener();
  using client = aClient(running.target('https'));
  const call = (method: string, path: string, authorization?: string, body?: string) =>
    client.ask({
      method,
      path,
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      ...(body === undefined ? {} : { body }),
    });
  const login = await call('POST', `/api/connect/${deviceId}`, undefined, loginOf(deviceId));
  const token = login.headers.authorization as string;
  const { deviceNo } = running.box.store.directory.device(deviceId as DeviceId)!;
  await running.box.devices.fromCloud(deviceNo, Buffer.from('{"mid":"kept"}'));
  for (const path of [`/api/pull/${deviceId}`, `/api/disconnect/${deviceId}`])
    expect((await call('HEAD', path, token)).status).toBe(405);
  const pulled = await call('GET', `/api/pull/${deviceId}`, token);
  expect([pulled.status, pulled.body]).toEqual([200, expect.stringContaining('kept')]);
});

test('pages, documents and probes answer HEAD as GET, without the body', async () => {
  await using running = await aBoxWithEveryListener();
  for (const [listener, path] of [
    ['https', '/'],
    ['https', '/openapi.json'],
    ['metrics', '/healthz'],
  ] as const) {
    using client = aClient(running.target(listener));
    const { status, body } = await client.ask({ method: 'HEAD', path });
    expect([path, status === 405, body]).toEqual([path, false, '']);
  }
});
