import { expect, test } from 'vitest';
import { parseAddressList } from '../../src/runtime/address-list.ts';

test('addresses and networks of both versions are found in a list', () => {
  const list = parseAddressList('10.0.0.5, 10.1.0.0/16,fd00::/8')!;
  const found = (address: string) => list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
  expect(['10.0.0.5', '10.1.2.3', 'fd12::1'].map(found)).toEqual([true, true, true]);
  expect(['10.0.0.6', '10.2.0.1', 'fe80::1'].map(found)).toEqual([false, false, false]);
});

test.each(['', 'proxy.example', '10.0.0.5/33', '10.0.0.5,,10.0.0.6', 'fd00::/129', '10.0.0.300'])(
  'no list of addresses: %j',
  text => expect(parseAddressList(text)).toBeNull(),
);
