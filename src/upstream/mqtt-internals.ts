import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';

/**
 * Undocumented parts of mqtt.js, and of Node's sockets beneath it, that the uplink uses, in one
 * place. Records are published beside the library, over its connection: it has no way to write many
 * packets at once, and each PUBACK that it reads costs as much as a record
 * (docs/decisions/upstream.md). test/upstream/mqtt-internals.test.ts fails when a new version moves
 * one of these parts.
 */

/** The packet id of the library's own packets: it has one, its subscription. */
export const libraryId = 1;

/** The library numbers its packets by this; the other numbers are free for records. */
const oneId: NonNullable<IClientOptions['messageIdProvider']> = {
  allocate: () => libraryId,
  getLastAllocated: () => libraryId,
  register: () => true,
  deallocate() {},
  clear() {},
};

/**
 * Settings beside the documented ones. The context reaches `tls.connect` as it is: reading the
 * roots again for each session would cost more than the session.
 */
export const internalSettings = (secureContext: SecureContext | undefined): IClientOptions =>
  ({ messageIdProvider: oneId, secureContext }) as IClientOptions;

/** The socket below the library, right after `connect()`: nothing has been read from it yet. */
export const socketOf = (client: MqttClient): Duplex => client.stream as unknown as Duplex;

/**
 * The other end is alive, however long a ping would wait behind records. The library would know
 * that only of packets that it sends itself.
 */
export const postponePing = (client: MqttClient): void => client.reschedulePing(true);

/**
 * The library acknowledges a QoS 1 message when the promise resolves; when it rejects, it does not
 * and goes on.
 */
export function onMessage(client: MqttClient, take: (payload: Uint8Array) => Promise<void>): void {
  client.handleMessage = ({ payload }: IPublishPacket, done) => {
    take(typeof payload === 'string' ? Buffer.from(payload) : payload).then(() => done(), done);
  };
}

/**
 * Puts `pass` between what the socket reads and the library. `pass` returns the bytes that go on,
 * or null when reading is to wait until `readOn` is called. Node's sockets hand over what they have
 * read by `push`; false means that they stop reading until somebody asks for more.
 */
export function interceptReads(stream: Duplex, pass: (chunk: Buffer) => Buffer | null): void {
  const push = stream.push.bind(stream);
  stream.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null);
    const passed = pass(chunk);
    return passed === null ? false : push(passed);
  };
}

/**
 * Calls once with what the socket reads first, before all that `interceptReads` has put there so
 * far.
 */
export function onFirstBytes(stream: Duplex, take: (first: Buffer) => void): void {
  const { push } = stream;
  stream.push = (chunk: Buffer | null) => {
    stream.push = push;
    if (chunk !== null) take(chunk);
    return push.call(stream, chunk);
  };
}

/** Reads on after `pass` has returned null, as the stream does by itself for a slow reader. */
export function readOn(stream: Duplex): void {
  if (!stream.destroyed) stream._read(0);
}
