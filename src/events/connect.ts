import type { AuthenticateError, ConnectPacket } from 'aedes';

const keepAliveSecondsMax = 300;
/** Between the name of a program and the client id that it chose: in neither of them. */
const mark = '\n';

/**
 * What the broker reads of a CONNECT: 3.1.1 alone (CONNACK 1 lets a library fall back), a Keep
 * Alive in any case, and a client id with the program's name in front, so that programs do not end
 * each other's connections.
 */
export function prepareConnect(packet: ConnectPacket): void {
  const writable = packet as { -readonly [Key in keyof ConnectPacket]: ConnectPacket[Key] };
  if (packet.protocolVersion !== 4) writable.protocolVersion = 5 as never;
  if (packet.clientId) writable.clientId = `${packet.username ?? ''}${mark}${packet.clientId}`;
  else writable.clean = true;
  const { keepalive = 0 } = packet;
  writable.keepalive = keepalive === 0 ? keepAliveSecondsMax : Math.min(keepalive, keepAliveSecondsMax);
}

/** The program of a client id that `prepareConnect` made. */
export const programIn = (clientId: string): string => clientId.slice(0, Math.max(0, clientId.indexOf(mark)));

/** CONNACK 3: the box cannot tell now; 5: not with this name and token. */
export const refusedWith = (returnCode: 3 | 5): AuthenticateError =>
  Object.assign(new Error('refused'), { returnCode }) as AuthenticateError;
