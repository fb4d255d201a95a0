import { isLoopback, parseAddress } from '../runtime/address.ts';

export const isOffOrLoopback = (value: string): boolean => {
  const address = parseAddress(value);
  return address === null || (address !== undefined && isLoopback(address));
};
