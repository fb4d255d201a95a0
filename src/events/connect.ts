import type { AuthenticateError, Client, ConnectPacket } from 'aedes';
import { programRefusals } from '../words/programs.ts';
import type { Reason } from '../words/sentences.ts';

const keepAliveSecondsMax = 300;
/** Between the name of a program and the client id that it chose: in neither of them. */
const mark = '\n';

/**
 * Adjusts a CONNECT before the broker reads it: 3.1.1 alone (CONNACK 1 lets a library fall back), a
 * Keep Alive in any case, and a client id with the program's name in front, so that programs do not
 * end each other's connections.
 */
export function prepareConnect(packet: ConnectPacket): void {
  const writable = packet as { -readonly [Key in keyof ConnectPacket]: ConnectPacket[Key] };
  if (packet.protocolVersion !== 4) writable.protocolVersion = 5 as never;
  if (packet.clientId) writable.clientId = `${packet.username ?? ''}${mark}${packet.clientId}`;
  const { keepalive = 0 } = packet;
  writable.keepalive = keepalive === 0 ? keepAliveSecondsMax : Math.min(keepalive, keepAliveSecondsMax);
}

/** The program of a client id that `prepareConnect` made. */
export const programIn = (clientId: string): string => clientId.slice(0, Math.max(0, clientId.indexOf(mark)));

/**
 * Whether a client asks for a session that outlives its connection, and has no id by which it could
 * come back to it: CONNACK 2 (MQTT 3.1.1, section 3.1.3.1). Notes why for the page of the programs.
 */
export function hasNoSession(
  { id, clean }: Pick<Client, 'id' | 'clean'>,
  programs: { refused(name: string, address: string, why: Reason): void },
  name: string,
  address: string,
): boolean {
  if (clean || id.includes(mark)) return false;
  programs.refused(name, address, programRefusals.say('session_without_id'));
  return true;
}

/** CONNACK 2: no such client id; 3: the box cannot tell now; 5: not with this name and token. */
export const refusedWith = (returnCode: 2 | 3 | 5): AuthenticateError =>
  Object.assign(new Error('refused'), { returnCode }) as AuthenticateError;
