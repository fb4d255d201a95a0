import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import { adminOf } from '../support/admin-token.ts';
import { BoxProcess } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Its ports stay the same when it restarts in place. */
async function aBox(config: Record<string, unknown> = {}): Promise<BoxProcess> {
  const box = await BoxProcess.start(config, {});
  await box.stop();
  await box.start();
  return box;
}

const ready = (box: BoxProcess) =>
  [...box.stderr.matchAll(/^ready (\{.*\})$/gm)].map(([, text]) => JSON.parse(text!) as { events: string | null });

/** A port on which nothing listens; it may be another program's a moment later. */
async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('the broker is opened on the page, tested as a client finds it, and closed again', async () => {
  await using box = await aBox();
  const ask = await adminOf(box);
  expect((await ask('GET', '/settings/broker')).json).toEqual({ listen: 'off', fixed_by: null, running: null });
  const listen = `127.0.0.1:${await aFreePort()}`;
  expect((await ask('POST', '/settings/broker/test', { listen })).json).toEqual({ found: 'free' });
  expect((await ask('PUT', '/settings/broker', { listen })).json).toEqual({ restarts: true });
  await until('it has restarted', () => ready(box).length === 2);
  expect(ready(box)[1]!.events).toBe(listen);
  expect((await ask('GET', '/settings/broker')).json).toEqual({ listen, fixed_by: null, running: listen });
  expect((await ask('POST', '/settings/broker/test', { listen })).json).toEqual({ found: 'answers' });
  // The test logs nobody in.
  expect((await ask('GET', '/programs')).json).toMatchObject({ strangers: [] });
  const password = (await box.ask('token', 'create', '--role', 'events', '--name', 'wall', '--topics', 'line')).trim();
  const client = await mqtt.connectAsync(`mqtt://${listen}`, { username: 'wall', password, reconnectPeriod: 0 });
  await client.endAsync();
  expect(await box.ask('check-config', '--effective', box.configFile)).toMatch(
    new RegExp(`^listen\\.events: "${listen}" +# page$`, 'm'),
  );
  expect((await ask('PUT', '/settings/broker', { listen: 'off' })).json).toEqual({ restarts: true });
  await until('it has restarted', () => ready(box).length === 3);
  expect(ready(box)[2]!.events).toBeNull();
  expect((await ask('GET', '/audit')).text).toContain(`listen.events: ${listen} → off`);
});

test('over TLS a client is answered too', async () => {
  await using box = await aBox();
  const ask = await adminOf(box);
  const listen = `0.0.0.0:${await aFreePort()}`;
  expect((await ask('PUT', '/settings/broker', { listen })).json).toEqual({ restarts: true });
  await until('it has restarted', () => ready(box).length === 2);
  expect((await ask('POST', '/settings/broker/test', { listen })).json).toEqual({ found: 'answers' });
});

test('an address that cannot be opened is refused, and later keeps no device away', async () => {
  await using box = await aBox();
  const ask = await adminOf(box);
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const listen = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  expect((await ask('POST', '/settings/broker/test', { listen })).json).toEqual({ found: 'taken' });
  expect(await ask('PUT', '/settings/broker', { listen })).toMatchObject({ status: 409, json: { title: 'taken' } });
  expect(await ask('PUT', '/settings/broker', { listen: 'x' })).toMatchObject({ status: 422 });
  expect(await ask('PUT', '/settings/broker', { listen: box.addresses.https })).toMatchObject({
    status: 422,
    json: { title: 'listen.events' },
  });
  other.close();
  await once(other, 'close');
  expect((await ask('PUT', '/settings/broker', { listen })).json).toEqual({ restarts: true });
  await until('it has restarted', () => ready(box).length === 2);
  await box.stop();
  const again = createServer().listen(Number(listen.split(':')[1]), '127.0.0.1');
  await once(again, 'listening');
  await box.start();
  expect(box.stderr).toContain('event subscribers cannot connect: listen.events');
  expect((await ask('GET', '/settings/broker')).json).toEqual({ listen, fixed_by: null, running: null });
  again.close();
});

test('an address of the config file is fixed', async () => {
  await using box = await aBox({ listen: { events: '127.0.0.1:0' } });
  const ask = await adminOf(box);
  const listen = box.addresses.events!;
  expect((await ask('GET', '/settings/broker')).json).toEqual({
    ...{ listen, running: listen },
    fixed_by: expect.stringMatching(/gatehouse\.yaml:\d+:\d+$/),
  });
  expect(await ask('PUT', '/settings/broker', { listen: 'off' })).toMatchObject({
    status: 409,
    json: { title: 'fixed' },
  });
  expect((await ask('POST', '/settings/broker/test', { listen })).json).toEqual({ found: 'answers' });
});
