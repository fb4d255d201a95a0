import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { isForbidden, type OutgoingRules, openOutgoing } from '../../src/box/outgoing.ts';

test.each([
  '127.0.0.1',
  '127.255.1.2',
  '0.0.0.0',
  '169.254.169.254',
  '169.254.1.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.251',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'fd00:ec2::254',
  'no address',
])('%s is no address that a record may send the box to', address => {
  expect(isForbidden(address)).toBe(true);
});

test.each([
  '192.168.1.20',
  '10.0.0.5',
  '172.16.3.4',
  '100.64.0.1',
  '203.0.113.9',
  'fd12:3456::1',
  '2001:db8::1',
  '64:ff9b::203.0.113.9',
  '::ffff:192.168.1.20',
])('%s may be a server of packages', address => {
  expect(isForbidden(address)).toBe(false);
});

/** A server on the loopback, as other programs of the box have them. */
async function aServer(answer: { status: number; headers?: Record<string, string> } = { status: 200 }) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.url));
    response.writeHead(answer.status, answer.headers).end('secret of the machine');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    port,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const rules = (change: Partial<OutgoingRules> = {}): OutgoingRules => ({
  trust: { context: undefined as never },
  named: [],
  ...change,
});
const open = (url: string, change?: Partial<OutgoingRules>) =>
  openOutgoing(url, {}, rules(change), new AbortController().signal);
const refused = { name: 'AddressRefused', message: expect.stringMatching(/leads to .*put the file on a server/) };

test('an address of this machine is not called, in whatever form it is written', async () => {
  await using server = await aServer();
  const { port } = server;
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '127.1', '[::1]', '[::ffff:127.0.0.1]', '0', 'localhost'])
    await expect(open(`http://${host}:${port}/`), host).rejects.toMatchObject(refused);
  await expect(open(`https://127.0.0.1:${port}/`)).rejects.toMatchObject(refused);
  await expect(open(`file:///etc/passwd`)).rejects.toThrow('neither https nor http');
  expect(server.asked).toEqual([]);
});

test('a name is judged by what it is resolved to, once, and the connection goes to that address', async () => {
  await using server = await aServer();
  const answers = [
    [{ address: '127.0.0.1', family: 4 }],
    [
      { address: '169.254.169.254', family: 4 },
      { address: '::1', family: 6 },
    ],
    [],
  ];
  for (const found of answers)
    await expect(open(`http://mirror.example:${server.port}/`, { lookup: async () => found })).rejects.toMatchObject(
      refused,
    );
  expect(server.asked).toEqual([]);
  // A name that is good when it is looked at and bad a moment later, as with DNS rebinding: there
  // is no second look.
  let looked = 0;
  const { status } = await open(`http://mirror.example:${server.port}/`, {
    forbids: address => address !== '127.0.0.1',
    lookup: async () => [{ address: looked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
  });
  expect([status, looked]).toEqual([200, 1]);
});

test('what the operator named is called where it is, and a redirect from there is judged like any other', async () => {
  await using inside = await aServer();
  await using redirecting = await aServer({ status: 302, headers: { location: `${inside.url}/admin` } });
  await using plain = await aServer();
  const { status } = await open(`${plain.url}/panel.apk`, { named: [plain.url] });
  expect([status, plain.asked]).toEqual([200, ['/panel.apk']]);
  await expect(open(`${redirecting.url}/panel.apk`, { named: [redirecting.url] })).rejects.toMatchObject(refused);
  expect([redirecting.asked, inside.asked]).toEqual([['/panel.apk'], []]);
});

test('redirects without end are given back as they are', async () => {
  await using looping = await aServer({ status: 302, headers: { location: '/again' } });
  expect(await open(looping.url, { named: [looping.url] })).toMatchObject({ status: 302 });
  expect(looping.asked).toHaveLength(4);
});
