import type { Client, PublishPacket } from 'aedes';

/** What the gateway needs of aedes 1.x that its types do not show, in one place. */
interface Inside {
  readonly _keepaliveTimer: NodeJS.Timeout | null;
  readonly _parser: {
    parse(bytes: Buffer): void;
    readonly error: Error | null;
    settings: { readonly protocolVersion: 4 };
    prependListener(event: 'packet', listener: (packet: Subscribe | { readonly cmd: 'other' }) => void): void;
  };
}

interface Subscribe {
  readonly cmd: 'subscribe';
  readonly subscriptions: { qos: number }[];
}

const inside = (client: Client): Inside => client as unknown as Inside;

/** The broker does not see what the framing layer takes: its timer is told. */
export const refreshKeepAlive = (client: Client): unknown => inside(client)._keepaliveTimer?.refresh();

/** After bytes that it cannot read the broker reads no more: its parser would start over. */
export function parse(client: Client, bytes: Buffer): void {
  const { _parser } = inside(client);
  if (!_parser.error) _parser.parse(bytes);
}

const served = { protocolVersion: 4 } as const;

/**
 * The parser keeps the whole CONNECT packet for the sake of its protocol version. The password in
 * it is a slice of a pooled buffer of 64 KiB, which would stay in memory as long as the device is
 * connected.
 */
export function forgetConnect(client: Client): void {
  inside(client)._parser.settings = served;
}

/**
 * The broker grants the QoS that a SUBSCRIBE asks for, whatever `authorizeSubscribe` says: 2 is
 * made 1 before it looks (CONTRACT 7).
 */
export const grantAtMostOne = (client: Client): void => inside(client)._parser.prependListener('packet', atMostOne);

function atMostOne(packet: Subscribe | { readonly cmd: 'other' }): void {
  if (packet.cmd !== 'subscribe') return;
  for (const subscription of packet.subscriptions) if (subscription.qos > 1) subscription.qos = 1;
}

/** The broker looks for a packet id past the end of a PUBLISH that is too short to have one. */
export const lacksPacketId = (packet: PublishPacket): boolean =>
  packet.qos > 0 && (packet as unknown as { length: number }).length < 2 + Buffer.byteLength(packet.topic) + 2;
