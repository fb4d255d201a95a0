import { expect, test } from 'vitest';
import { ownNetwork, routerIn } from '../../src/operations/own-network.ts';

test('name servers are those of resolv.conf, and those behind the one of systemd', () => {
  const file = '# nameserver 192.0.2.9\nsearch site.example\nnameserver 192.0.2.1\n  nameserver fd00::1 # two\n';
  expect(ownNetwork([file, file]).nameServers).toEqual(['192.0.2.1', 'fd00::1']);
  expect(ownNetwork(['nameserver 127.0.0.53\n', 'nameserver 192.0.2.1\n']).nameServers).toEqual(['192.0.2.1']);
  expect(ownNetwork(['', '']).nameServers).toEqual([]);
});

test('the router is that of the default route', () => {
  const head = 'Iface\tDestination\tGateway \tFlags\n';
  expect(routerIn(`${head}eth0\t000200C0\t00000000\t0001\neth0\t00000000\t010200C0\t0003\n`)).toEqual({
    ...{ address: '192.0.2.1', name: 'eth0' },
  });
  expect(routerIn(head)).toBeNull();
});
