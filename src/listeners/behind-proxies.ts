import type { BlockList, Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { plainAddress } from '../runtime/plain-address.ts';
import { inFront } from './accept.ts';
import { readProxyHeader } from './proxy-header.ts';

const headerWithinMs = 5000;

/**
 * Gives every connection its `remoteAddress` as `plainAddress` writes it. Connections from these
 * proxies have to begin with a header of the PROXY protocol, version 2, and count as coming from
 * the address in it. To be called last: it stands in front of what else looks at new connections.
 */
export function knowAddresses(server: Server, proxies: BlockList | undefined): void {
  inFront(server, (socket, accept) => {
    setAddress(socket, socket.remoteAddress);
    if (proxies && isProxy(proxies, socket)) readHeader(socket, accept);
    else accept();
  });
  // A TLS socket asks the system for its address.
  server.prependListener('secureConnection', (stream: TLSSocket & { _parent?: Socket }) => {
    const address = stream._parent && Object.getOwnPropertyDescriptor(stream._parent, 'remoteAddress');
    if (address) Object.defineProperty(stream, 'remoteAddress', address);
  });
}

function isProxy(proxies: BlockList, { remoteAddress = '' }: Socket): boolean {
  return remoteAddress !== '' && proxies.check(remoteAddress, remoteAddress.includes(':') ? 'ipv6' : 'ipv4');
}

function setAddress(socket: Socket, address: string | undefined): void {
  const value = address === undefined ? undefined : plainAddress(address);
  if (value !== socket.remoteAddress)
    Object.defineProperty(socket, 'remoteAddress', { value, configurable: true, enumerable: true });
}

function readHeader(socket: Socket, accept: () => void): void {
  let held = Buffer.alloc(0);
  const end = () => socket.destroy();
  const stop = () => {
    socket.setTimeout(0);
    socket.off('readable', more).off('end', end).off('timeout', end).off('error', end);
    // The connection may break before somebody else listens.
    socket.on('error', ignore);
  };
  const more = () => {
    for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read()) {
      held = Buffer.concat([held, piece]);
      const header = readProxyHeader(held);
      if (header.kind === 'bad') return end();
      if (header.kind === 'more') continue;
      stop();
      if (header.from !== null) setAddress(socket, header.from);
      if (held.length > header.bytes) socket.unshift(held.subarray(header.bytes));
      return accept();
    }
  };
  socket.setTimeout(headerWithinMs);
  socket.on('readable', more).on('end', end).on('timeout', end).on('error', end);
}

/** A shared listener: a closure would stay in memory as long as the connection is open. */
const ignore = (): void => {};
