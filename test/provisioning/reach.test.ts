import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { type PlatformAbove, reachPlatform } from '../../src/provisioning/reach.ts';
import { realClock } from '../../src/runtime/real-world.ts';

async function anEndpoint(): Promise<{ host: string; port: number } & AsyncDisposable> {
  const server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}

const reach = (above: PlatformAbove | null, internet: boolean | null = null) =>
  reachPlatform(above, { clock: realClock, reachesInternet: async () => internet });
const closed = { host: '127.0.0.1', port: 1 };

test('without a platform above, joining is all there is', async () => {
  expect(await reach(null)).toEqual({ error: null });
});

test('a platform that lets the box in is reached; one that refuses it is error 3; one that never answers the login error 2', async () => {
  await using endpoint = await anEndpoint();
  const answers = (login: 'accepted' | 'refused' | 'unreachable') =>
    reach({ endpoints: [endpoint], login: async () => login });
  expect(await answers('accepted')).toEqual({ error: null });
  expect(await answers('refused')).toMatchObject({ error: 3 });
  expect(await answers('unreachable')).toMatchObject({ error: 2 });
});

test('of several endpoints one that answers is enough; without a key of the box a endpoint that answers is the platform', async () => {
  await using endpoint = await anEndpoint();
  expect(await reach({ endpoints: [closed, endpoint], login: null })).toEqual({ error: null });
});

test('a endpoint that nobody opens is error 2, or -1 where the system knows that there is no way out', async () => {
  expect(await reach({ endpoints: [closed], login: null })).toMatchObject({ error: 2 });
  expect(await reach({ endpoints: [closed], login: null }, true)).toMatchObject({ error: 2 });
  expect(await reach({ endpoints: [closed], login: null }, false)).toMatchObject({ error: -1 });
});

test('a name that cannot be resolved is error 1, and says which', async () => {
  const reached = await reach({ endpoints: [{ host: 'nowhere.invalid', port: 443 }], login: null });
  expect(reached).toMatchObject({ error: 1, why: { params: { host: 'nowhere.invalid' } } });
});

test('a network without a route to the platform is error -1', async () => {
  // No TCP connection leads to a multicast address: the system says that there is no route.
  const reached = await reach({ endpoints: [{ host: '224.0.0.1', port: 443 }], login: null });
  expect(reached).toMatchObject({ error: -1 });
});
