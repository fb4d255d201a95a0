import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { admitToHandshake, HandshakeQueue } from '../../src/listeners/accept.ts';
import { UnauthenticatedConnections } from '../../src/listeners/unauthenticated-connections.ts';
import { openCertificates } from '../../src/operations/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { until } from '../support/until.ts';

/** Clients of a TLS listener that wait until there is a place for their login. */

let folder: string;
let certificate: { cert: string; key: string };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-waiting-'));
  await using certificates = await openCertificates({
    dir: folder,
    names: ['localhost'],
    addresses: ['127.0.0.1'],
    clock: realClock,
    log: silentLog,
  });
  certificate = certificates.current();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const usual = { ofOneAddress: 4, loggingIn: 3, inAll: 12, devices: 100 };

/** A listener where a client has logged in when it has sent something. */
async function aListener(bounds: Partial<typeof usual> = {}, waitingMs = 60_000) {
  const refused: string[] = [];
  const failed: string[] = [];
  const begun = { now: 0, most: 0 };
  const unauthenticated = new UnauthenticatedConnections({ ...usual, ...bounds }, (address, why) =>
    refused.push(`${address}: ${why}`),
  );
  const open: Socket[] = [];
  const server = createServer({ ...certificate }, stream => {
    open.push(stream.on('error', () => {}));
    stream.once('data', () => {
      begun.now--;
      unauthenticated.loggedIn(stream, 'device');
      stream.write('welcome');
    });
  });
  server.prependListener('connection', () => {
    begun.now++;
    begun.most = Math.max(begun.most, begun.now);
  });
  server.on('tlsClientError', (_error, stream) => stream.destroy());
  admitToHandshake(
    server,
    unauthenticated,
    new HandshakeQueue(realClock),
    { firstRecordMs: 10_000, waitingMs },
    (address, error) => failed.push(`${address}: ${error.message}`),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const way = (address: string): Socket => {
    const socket = connectTcp({ host: '127.0.0.1', port, localAddress: address });
    open.push(socket.on('error', () => {}));
    return socket;
  };
  const tls = (address: string): TLSSocket => {
    const socket = connectTls({ socket: way(address), rejectUnauthorized: false });
    open.push(socket.on('error', () => {}));
    return socket;
  };
  return {
    unauthenticated,
    refused,
    failed,
    begun,
    /** Connects and says nothing. Resolves when the listener counts it. */
    async silent(address: string): Promise<Socket> {
      const before = unauthenticated.count;
      const socket = way(address).resume();
      await until('it is counted', () => unauthenticated.count > before);
      return socket;
    },
    /** Sends the bytes of a first record, or of what it takes for one, and nothing more. */
    async sends(address: string, bytes: Buffer): Promise<Socket> {
      const socket = await this.silent(address);
      socket.write(bytes);
      return socket;
    },
    /** Makes its handshake, and no login. */
    async stalled(address: string): Promise<TLSSocket> {
      const socket = tls(address).resume();
      await once(socket, 'secureConnect');
      return socket;
    },
    /** Resolves when the client is logged in. */
    async device(address: string): Promise<TLSSocket> {
      const socket = tls(address);
      socket.write('I am a device');
      await once(socket, 'data');
      return socket;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

const addressOf = (number: number): string => `127.0.1.${number}`;
/** A first record that is whole, and that no handshake could begin with. */
const record = Buffer.from('160301000401000000', 'hex');

test('of many devices that come at once none is refused: each waits for a place', async () => {
  await using listener = await aListener({ inAll: 50 });
  await Promise.all(Array.from({ length: 40 }, (_, number) => listener.device(addressOf(1 + number))));
  expect([listener.refused, listener.failed]).toEqual([[], []]);
  expect(listener.begun.most).toBeLessThanOrEqual(3);
  expect(listener.unauthenticated.count).toBe(0);
});

test('a device gets in while clients that say nothing hold all that may be held', async () => {
  await using listener = await aListener();
  const silent: Socket[] = [];
  for (let number = 0; number < 12; number++) silent.push(await listener.silent(addressOf(1 + number)));
  await listener.device('127.0.2.1');
  await until('the oldest of them is closed', () => silent[0]!.closed);
  expect(silent.filter(socket => socket.closed)).toEqual([silent[0]]);
  expect(listener.refused).toEqual([`${addressOf(1)}: 12 from all addresses, and it has sent nothing`]);
});

test('a device gets in while clients of few addresses hold all places with logins that they do not finish', async () => {
  await using listener = await aListener();
  for (let number = 0; number < 3; number++) await listener.stalled(addressOf(1));
  await listener.device(addressOf(2));
  expect(listener.refused).toEqual([`${addressOf(1)}: 3 from all addresses, most of them from this one`]);
});

test('a client waits for those that do not finish, and comes when one has gone', async () => {
  await using listener = await aListener();
  const stalled = [await listener.stalled(addressOf(1)), await listener.stalled(addressOf(2))];
  await listener.stalled(addressOf(3));
  const device = listener.device(addressOf(4));
  await until('it waits', () => listener.unauthenticated.count === 4);
  expect(listener.begun.most).toBe(3);
  stalled[0]!.destroy();
  await device;
  expect(listener.refused).toEqual([]);
});

test('one that waits too long is refused, and staff read why', async () => {
  await using listener = await aListener({ loggingIn: 1 }, 20);
  await listener.stalled(addressOf(1));
  const late = await listener.sends(addressOf(2), record);
  await until('it is closed', () => late.closed);
  expect(listener.refused).toEqual([`${addressOf(2)}: no place for its login within 0.02 s`]);
  expect(listener.unauthenticated.count).toBe(1);
});

test('one that hangs up while it waits is reported, and leaves nothing behind', async () => {
  await using listener = await aListener({ loggingIn: 1 });
  const stalled = await listener.stalled(addressOf(1));
  const impatient = await listener.sends(addressOf(2), record);
  impatient.end();
  await until('it is gone', () => listener.unauthenticated.count === 1);
  expect(listener.failed).toEqual([`${addressOf(2)}: it hung up while it waited for its turn`]);
  stalled.destroy();
  await listener.device(addressOf(3));
});

test('one that sends on while it waits is closed: little is held for it', async () => {
  await using listener = await aListener({ loggingIn: 1 });
  await listener.stalled(addressOf(1));
  const waiting = await listener.sends(addressOf(2), record);
  const talker = await listener.sends(addressOf(3), Buffer.concat([record, Buffer.alloc(17 << 10)]));
  await until('it is closed', () => talker.closed);
  expect(listener.failed).toEqual([`${addressOf(3)}: it does not speak TLS`]);
  expect(waiting.closed).toBe(false);
});
