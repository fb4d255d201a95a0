import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrongIn } from '../../../src/provisioning/address/check.ts';

const wanted = { isAutomatic: false, address: '192.0.2.7/24', router: '192.0.2.1', nameServers: [] };

test.each([
  ['192.0.2.7', 'without a prefix'],
  ['192.0.2.0/24', 'of the network'],
  ['192.0.2.255/24', 'of everybody'],
  ['192.0.2.7/31', 'of a network of two'],
  ['127.0.0.2/24', 'of the machine itself'],
  ['224.0.0.5/24', 'of a group'],
  ['fd00::7/64', 'of IPv6'],
  ['192.0.2.7/24/1', 'with two prefixes'],
  ['192.0.2.7/2 4', 'with a space'],
])('%s, an address %s, is refused', address => {
  expect(wrongIn({ ...wanted, address })).toBe('address');
});

test('an automatic address needs nothing, but what name servers there are have to be addresses', () => {
  const automatic = { isAutomatic: true, address: '', router: '', nameServers: [] };
  expect(wrongIn(automatic)).toBeNull();
  expect(wrongIn({ ...automatic, nameServers: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] })).toBeNull();
  expect(wrongIn({ ...automatic, nameServers: ['dns.example'] })).toBe('name_servers');
  expect(wrongIn({ ...automatic, nameServers: Array(4).fill('192.0.2.1') })).toBe('name_servers');
});

test('a router is taken exactly where it is another address of the same network', () => {
  const dotted = fc.tuple(...Array.from({ length: 4 }, () => fc.nat(255))).map(parts => parts.join('.'));
  fc.assert(
    fc.property(dotted, fc.integer({ min: 8, max: 30 }), dotted, (host, bits, router) => {
      fc.pre(wrongIn({ ...wanted, address: `${host}/${bits}`, router: host }) === 'router');
      const network = new BlockList();
      network.addSubnet(host, bits);
      const wrong = wrongIn({ ...wanted, address: `${host}/${bits}`, router });
      if (!network.check(router) || router === host) expect(wrong).toBe('router');
    }),
  );
  expect(wrongIn(wanted)).toBeNull();
  expect(wrongIn({ ...wanted, router: '192.0.2.7' })).toBe('router');
  expect(wrongIn({ ...wanted, router: '192.0.2.255' })).toBe('router');
});
