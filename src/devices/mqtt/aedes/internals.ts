import type { Client } from 'aedes';
import { packetType } from '../../../mqtt-wire/index.ts';

/**
 * What the gateway uses of aedes that its types do not show, in one place. The framing layer takes
 * packets off the socket before the broker, so it has to hand over the other bytes and to keep the
 * broker's timer going: aedes has no public way for either.
 * test/devices/mqtt/aedes/internals.test.ts fails when a new version moves one of these parts.
 */
interface Internals {
  readonly _keepaliveTimer: NodeJS.Timeout | null;
  readonly _parser: {
    parse(bytes: Buffer): void;
    readonly error: Error | null;
    readonly packet: { readonly cmd: string; readonly length: number; qos: number; dup: boolean; retain: boolean };
    readonly _list: { readonly length: number; slice(from: number, to: number): Buffer };
    _parsePayload(): boolean;
    _emitError(error: Error): void;
    settings: { readonly protocolVersion: 4 };
    prependListener(event: 'packet', listener: (packet: Subscribe | { readonly cmd: 'other' }) => void): void;
  };
}

interface Subscribe {
  readonly cmd: 'subscribe';
  readonly subscriptions: { qos: number }[];
}

const internalsOf = (client: Client): Internals => client as unknown as Internals;

/** The broker does not see the packets that the framing layer takes: its timer is told of them. */
export const refreshKeepAlive = (client: Client): unknown => internalsOf(client)._keepaliveTimer?.refresh();

/**
 * Hands bytes to the broker's parser. Behind bytes that it could not read it gets no more: it would
 * begin again in the middle of a packet.
 */
export function parse(client: Client, bytes: Buffer): void {
  const { _parser } = internalsOf(client);
  if (!_parser.error) _parser.parse(bytes);
}

/**
 * The parser takes more than MQTT 3.1.1 allows: `whyMalformed` looks at each packet before, and a
 * reason for it ends the connection. `head` is the first byte of the packet.
 */
export function checkPackets(client: Client, whyMalformed: (head: number, body: Buffer) => string | null): void {
  const { _parser } = internalsOf(client);
  const { _parsePayload: read } = _parser;
  _parser._parsePayload = () => {
    const { packet, _list } = _parser;
    if (_list.length < packet.length) return false;
    const flags = packet.cmd === 'publish' ? (packet.dup ? 8 : 0) | (packet.qos << 1) | Number(packet.retain) : 0;
    const type = packetType[packet.cmd as keyof typeof packetType] ?? 0;
    const why = whyMalformed((type << 4) | flags, _list.slice(0, packet.length));
    if (why === null) return read.call(_parser);
    _parser._emitError(new Error(why));
    return true;
  };
}

const served = { protocolVersion: 4 } as const;

/**
 * The parser keeps the whole CONNECT packet for the sake of its protocol version. The password in
 * it is a slice of a pooled buffer of 64 KiB, which would stay in memory as long as the device is
 * connected.
 */
export function forgetConnect(client: Client): void {
  internalsOf(client)._parser.settings = served;
}

/**
 * The broker grants the QoS that a SUBSCRIBE asks for, whatever `authorizeSubscribe` says: 2 is
 * made 1 before it looks (CONTRACT 7).
 */
export const grantAtMostOne = (client: Client): void =>
  internalsOf(client)._parser.prependListener('packet', atMostOne);

function atMostOne(packet: Subscribe | { readonly cmd: 'other' }): void {
  if (packet.cmd !== 'subscribe') return;
  for (const subscription of packet.subscriptions) if (subscription.qos > 1) subscription.qos = 1;
}
