import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { aGateway, anHttpDevice, type Gateway } from '../../support/gateway.ts';
import { shell } from '../../support/shell.ts';
import { deviceId } from '../../support/store.ts';
import { suiteNeeding } from '../../support/tools.ts';
import { until } from '../../support/until.ts';

const id = 'FACE-T1_A0001';

async function withMessages(gateway: Gateway, mids: readonly string[]) {
  const { authorization } = await anHttpDevice(gateway, id);
  const { deviceNo } = gateway.store.directory.device(deviceId(id))!;
  for (const mid of mids) await gateway.devices.deliver(deviceNo, Buffer.from(JSON.stringify({ mid })));
  return { authorization, deviceNo };
}

const midsIn = (body: string): string[] => (JSON.parse(body).data as { mid: string }[]).map(({ mid }) => mid);

/** One pull over this agent's connections. */
async function pull(gateway: Gateway, authorization: string, agent: Agent, batchSize = 1): Promise<string[]> {
  const outgoing = request(`${gateway.httpUrl}/api/pull/${id}?batchSize=${batchSize}`, {
    agent,
    headers: { authorization },
  }).end();
  const [response] = await once(outgoing, 'response');
  let body = '';
  for await (const chunk of response) body += chunk;
  return midsIn(body);
}

const waiting = async ({ store }: Gateway, deviceNo: number) =>
  (await store.read.inbox(deviceNo as never, { limit: 10, bytesMax: 1 << 20 })).length;

test('what a pull returned is there until the next pull on its connection', async () => {
  await using gateway = await aGateway();
  const { authorization, deviceNo } = await withMessages(gateway, ['1', '2']);
  using agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), {
    [Symbol.dispose]: () => agent.destroy(),
  });
  expect(await pull(gateway, authorization, agent)).toEqual(['1']);
  expect(await waiting(gateway, deviceNo)).toBe(2);
  expect(await pull(gateway, authorization, agent)).toEqual(['2']);
  expect(await waiting(gateway, deviceNo)).toBe(1);
  expect(await pull(gateway, authorization, agent)).toEqual([]);
});

test('a pull returns the messages that are on their way into the inbox as well, as the answer to a push is', async () => {
  await using gateway = await aGateway();
  const { authorization, deviceNo } = await withMessages(gateway, []);
  using agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), {
    [Symbol.dispose]: () => agent.destroy(),
  });
  expect(await pull(gateway, authorization, agent)).toEqual([]);
  const filler = 'x'.repeat(200_000);
  const mids = Array.from({ length: 20 }, (_, index) => String(index));
  const delivered = mids.map(mid => gateway.devices.deliver(deviceNo, Buffer.from(JSON.stringify({ mid, filler }))));
  const heard: string[] = [];
  for (let more = await pull(gateway, authorization, agent, 20); more.length > 0; ) {
    heard.push(...more);
    await gateway.clock.advance(1000);
    more = await pull(gateway, authorization, agent, 20);
  }
  expect(heard).toEqual(mids);
  await Promise.all(delivered);
});

test('the messages of a pull whose connection broke behind it are offered again', async () => {
  await using gateway = await aGateway();
  const { authorization } = await withMessages(gateway, ['1']);
  const socket = connect(Number(new URL(gateway.httpUrl).port), '127.0.0.1');
  socket.write(`GET /api/pull/${id} HTTP/1.1\r\nHost: box\r\nAuthorization: ${authorization}\r\n\r\n`);
  await once(socket, 'data');
  socket.resetAndDestroy();
  await gateway.clock.advance(1000);
  using agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), {
    [Symbol.dispose]: () => agent.destroy(),
  });
  expect(await pull(gateway, authorization, agent)).toEqual(['1']);
  expect(await pull(gateway, authorization, agent)).toEqual([]);
});

test('a device whose line is silently dead is offered them again on its next connection, three times at most', async () => {
  await using gateway = await aGateway();
  const { authorization } = await withMessages(gateway, ['1']);
  const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true }));
  const heard: string[][] = [];
  for (const agent of agents) heard.push(await pull(gateway, authorization, agent));
  expect(heard).toEqual([['1'], ['1'], ['1'], []]);
  for (const agent of agents) agent.destroy();
});

test('a device that closes its connection in order has what it pulled', async () => {
  await using gateway = await aGateway();
  const { authorization, deviceNo } = await withMessages(gateway, ['1']);
  const agent = new Agent({ keepAlive: true });
  expect(await pull(gateway, authorization, agent)).toEqual(['1']);
  agent.destroy();
  await until('it is removed', async () => (await waiting(gateway, deviceNo)) === 0);
});

suiteNeeding('curl', 'curl', 'curl', () => {
  test('which opens a connection for each pull gets each message once, over HTTP 1.1 and 1.0', async () => {
    await using gateway = await aGateway();
    const { authorization } = await withMessages(gateway, ['1', '2', '3', '4']);
    const { said, status } = await shell(
      `for version in --http1.1 --http1.1 --http1.0 --http1.0 --http1.1; do
         curl -sS $version -H 'Authorization: ${authorization}' ${gateway.httpUrl}/api/pull/${id}; echo
       done`,
      '.',
    );
    expect(status).toBe(0);
    expect(said.trim().split('\n').map(midsIn)).toEqual([['1'], ['2'], ['3'], ['4'], []]);
  });
});
