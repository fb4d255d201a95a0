import { plainAddress } from './plain-address.ts';

/**
 * Key under which callers of one address are counted: an IPv4 address (also when it is written as
 * IPv6, `::ffff:192.0.2.1`), or the /64 of an IPv6 address, which one subscriber has to himself and
 * can change within at will. Text that is no address counts as it is.
 */
export function addressBlock(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('%', 1)[0]!.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array.from({ length: missing }, () => '0'), ...back];
  return `${groups
    .slice(0, 4)
    .map(group => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
