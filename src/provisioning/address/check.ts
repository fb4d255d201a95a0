import { isIPv4 } from 'node:net';
import type { AddressSettings } from './port.ts';

/** Fields of a form, by which a refusal names what is wrong. */
type WrongAddress = 'address' | 'router' | 'name_servers';

const nameServersMax = 3;

/** The field that cannot be; null: all can. */
export function wrongIn({ isAutomatic, address, router, nameServers }: AddressSettings): WrongAddress | null {
  if (nameServers.length > nameServersMax || !nameServers.every(isIPv4)) return 'name_servers';
  if (isAutomatic) return null;
  const [host = '', written = '', more] = address.split('/');
  const bits = Number(written);
  if (!isIPv4(host) || !/^\d{1,2}$/.test(written) || bits < 8 || bits > 30 || more !== undefined) return 'address';
  if (!isHost(host, bits) || /^(0|127|22[4-9]|2[3-5]\d)\./.test(host)) return 'address';
  const isReached =
    isIPv4(router) && router !== host && isHost(router, bits) && networkOf(router, bits) === networkOf(host, bits);
  return isReached ? null : 'router';
}

const numberOf = (address: string): number =>
  address.split('.').reduce((number, part) => number * 256 + Number(part), 0);

const sizeOf = (bits: number): number => 2 ** (32 - bits);
const networkOf = (address: string, bits: number): number => Math.floor(numberOf(address) / sizeOf(bits));

/** Neither the address of the network nor its broadcast. */
function isHost(address: string, bits: number): boolean {
  const place = numberOf(address) % sizeOf(bits);
  return place !== 0 && place !== sizeOf(bits) - 1;
}
