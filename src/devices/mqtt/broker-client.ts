import type { Client, PublishPacket } from 'aedes';

/** What the gateway needs of aedes 1.x that its types do not show, in one place. */
interface Inside {
  readonly _keepaliveTimer: NodeJS.Timeout | null;
  readonly _parser: {
    parse(bytes: Buffer): void;
    readonly error: Error | null;
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

/** Behind bytes that it cannot read the broker reads no more: its parser would begin anew. */
export function parse(client: Client, bytes: Buffer): void {
  const { _parser } = inside(client);
  if (!_parser.error) _parser.parse(bytes);
}

/**
 * The broker grants the QoS that a SUBSCRIBE asks for, whatever `authorizeSubscribe` says: 2 is
 * made 1 before it looks (CONTRACT 7).
 */
export const grantAtMostOne = (client: Client): void =>
  inside(client)._parser.prependListener('packet', packet => {
    if (packet.cmd !== 'subscribe') return;
    for (const subscription of packet.subscriptions) if (subscription.qos > 1) subscription.qos = 1;
  });

/** The broker looks for a packet id behind the end of a PUBLISH that is too short to have one. */
export const lacksPacketId = (packet: PublishPacket): boolean =>
  packet.qos > 0 && (packet as unknown as { length: number }).length < 2 + Buffer.byteLength(packet.topic) + 2;
