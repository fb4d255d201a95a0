import type { Duplex } from 'node:stream';
import type { Aedes, AuthenticateError, Client, ConnectPacket, PublishPacket } from 'aedes';
import { parseDeviceId } from '../../../platform/device-id.ts';
import { limits } from '../../../platform/limits.ts';
import { explainRefusal } from '../../../platform/refusals.ts';
import type { DeviceNo } from '../../../store/index.ts';
import { connackOf } from '../connack.ts';
import { type MqttEngine, type MqttEngineOptions, type Origin, packetOverheadBytes } from '../port.ts';
import { isOwnFilter, judgeForeign, noteKeepAlive, servedKeepAlive, whyItBroke } from '../rules.ts';
import { type BrokerEvents, openBroker, refusedWith } from './broker.ts';
import { Connection } from './connection.ts';
import { Framing } from './framing.ts';
import { checkPackets, forgetConnect, grantAtMostOne } from './internals.ts';
import { whyMalformed } from './malformed.ts';
import { guardPacketSize } from './packet-size-guard.ts';
import { gateReading } from './read-gate.ts';

interface AedesOptions extends MqttEngineOptions {
  /** Off: every packet goes through the broker. */
  readonly framing: boolean;
}

/**
 * MQTT 3.1.1 (SPEC 4.1, 5.1): aedes speaks the protocol, the pipeline decides. A PUBACK goes out
 * after the commit.
 */
export class AedesGateway implements MqttEngine, BrokerEvents {
  readonly #options: AedesOptions;
  readonly #broker: Aedes;
  readonly #connections = new WeakMap<Client, Connection>();
  readonly #byDevice = new Map<DeviceNo, Client>();
  /** Wakes the connections that are not read until the journal has room. */
  readonly #unread = new Set<() => void>();

  private constructor(options: AedesOptions, broker: Aedes) {
    this.#options = options;
    this.#broker = broker;
    options.store.journal.onDrain(() => this.#wakeUnread());
  }

  static async open(options: AedesOptions): Promise<AedesGateway> {
    const broker = await openBroker(() => gateway);
    const gateway = new AedesGateway(options, broker);
    return gateway;
  }

  /** A connection after its TLS handshake. */
  handle(stream: Duplex, origin: Origin): void {
    const connection = new Connection(stream, origin, this.#options);
    // Each of the next three replaces `stream.read`: a chunk passes guard, gate, framing in turn.
    const bounds = {
      firstBytesMax: limits.connectBytesMax,
      bytesMax: this.#options.messageBytesMax + packetOverheadBytes,
    };
    guardPacketSize(stream, bounds, (bytes, isFirst) => this.#onTooLarge(connection, bytes, isFirst));
    const wake = gateReading(stream, () => this.#mayRead(wake));
    if (this.#options.framing) new Framing(stream, connection);
    const client = this.#broker.handle(stream as never) as Client;
    connection.attach(client);
    this.#connections.set(client, connection);
    grantAtMostOne(client);
    checkPackets(client, whyMalformed);
  }

  #mayRead(wake: () => void): boolean {
    const { congested } = this.#options.store.journal;
    if (congested) this.#unread.add(wake);
    return !congested;
  }

  #wakeUnread(): void {
    const unread = [...this.#unread];
    this.#unread.clear();
    for (const wake of unread) wake();
  }

  #onTooLarge(connection: Connection, bytes: number, isFirst: boolean): void {
    const { counters, refused, messageBytesMax, note } = this.#options;
    if (isFirst) {
      counters.add('connect_too_large');
      refused(connection.address, { code: 'connect_too_large', detail: `${bytes} bytes` });
      return;
    }
    connection.why = `sent a packet of ${bytes} bytes; at most ${messageBytesMax} are taken`;
    counters.add('packet_too_large');
    if (connection.session) note(connection.session, 'too_large', String(bytes));
  }

  /** True when the socket took it (SPEC 4.1: QoS 0). */
  handOver(deviceNo: DeviceNo, payload: Uint8Array): Promise<boolean> {
    const client = this.#byDevice.get(deviceNo);
    const topic = client && this.#connections.get(client)?.topic;
    if (!client || !topic || client.closed) return Promise.resolve(false);
    return new Promise(resolve => {
      client.publish({ cmd: 'publish', topic, payload: payload as Buffer, qos: 0, retain: false, dup: false }, error =>
        resolve(!error && !client.closed),
      );
    });
  }

  kick(deviceNo: DeviceNo, why: string): void {
    const client = this.#byDevice.get(deviceNo);
    if (client) this.#end(client, why);
  }

  /** Ends the sessions that may not go on, of one device or (null) of all. */
  review(deviceNo: DeviceNo | null): void {
    const one = deviceNo === null ? undefined : this.#byDevice.get(deviceNo);
    for (const client of deviceNo === null ? [...this.#byDevice.values()] : one ? [one] : []) this.#review(client);
  }

  #review(client: Client): void {
    const session = this.#connections.get(client)?.session;
    const why = session ? this.#options.whyOver(session) : null;
    if (why !== null) this.#end(client, why);
  }

  /** Ends every connection; resolves when they are closed. */
  close(): Promise<void> {
    return new Promise(resolve => this.#broker.close(() => resolve()));
  }

  onConnect(client: Client, packet: ConnectPacket): boolean {
    const connection = this.#connections.get(client);
    if (!connection) return false;
    connection.clientId = packet.clientId ?? '';
    const writable = packet as { -readonly [K in keyof ConnectPacket]: ConnectPacket[K] };
    // The broker serves 3.1 as well; SPEC 9 names 3.1.1 alone, and CONNACK 1 lets a library fall
    // back to it.
    if (packet.protocolVersion !== 4) {
      this.#options.counters.add('protocol_version_refused');
      writable.protocolVersion = 5 as never;
    }
    // One spelling inside, so that a second connection in another case takes the place of the
    // first.
    const id = parseDeviceId(connection.clientId);
    if (id.ok) writable.clientId = id.value;
    else if (!connection.clientId) writable.clientId = 'nobody';
    // The inbox holds what a device missed, and a will is discarded (docs/devices.md).
    writable.clean = true;
    writable.will = undefined;
    writable.keepalive = servedKeepAlive(packet.keepalive ?? 0);
    connection.keepAliveSeconds = packet.keepalive ?? 0;
    return true;
  }

  async admit(client: Client, userName: string, password: Buffer | undefined): Promise<AuthenticateError | null> {
    const connection = this.#connections.get(client)!;
    const admitted = await this.#options.admission.admit({
      gateway: 'mqtt',
      address: connection.address,
      clientId: connection.clientId,
      userName,
      password: password?.toString('utf8') ?? null,
    });
    if (admitted.ok) {
      const other = this.#byDevice.get(admitted.value.deviceNo);
      const before = other && this.#connections.get(other)?.session;
      if (before) this.#options.tookPlace(admitted.value, before);
      connection.session = admitted.value;
      return null;
    }
    connection.why = explainRefusal(admitted.refusal);
    return refusedWith(connackOf(admitted.refusal.code));
  }

  onLoginFailed(error: unknown): void {
    this.#options.log.error({ error: String(error) }, 'a login failed inside the box');
  }

  onReady(client: Client): void {
    const connection = this.#connections.get(client);
    if (!connection?.session) return;
    const { session } = connection;
    connection.onReady();
    forgetConnect(client);
    this.#byDevice.set(session.deviceNo, client);
    this.#options.presence.came(session);
    this.#options.note(session, 'connected', `MQTT from ${connection.address}`);
    noteKeepAlive(this.#options.note, session, connection.keepAliveSeconds);
    // The directory may have changed between the login and now.
    this.#review(client);
  }

  onGone(client: Client): void {
    const connection = this.#connections.get(client);
    const session = connection?.session;
    if (!connection || !session) return;
    const current = this.#byDevice.get(session.deviceNo);
    if (current === client) this.#byDevice.delete(session.deviceNo);
    connection.topic = null;
    connection.session = null;
    this.#options.presence.left(session.deviceNo);
    this.#options.note(session, 'disconnected', connection.why || 'the device closed the connection');
  }

  onBroken(client: Client, error: Error): void {
    // A connection ends once, however many of its messages fail then.
    if (client.closed) return;
    const connection = this.#connections.get(client);
    if (connection && connection.why === '') connection.why = whyItBroke(error);
    this.#options.counters.add('connection_error');
  }

  maySubscribe(client: Client, filter: string): boolean {
    const connection = this.#connections.get(client);
    const session = connection?.session;
    if (!connection || !session) return false;
    if (isOwnFilter(filter, session.device.deviceId)) {
      connection.topic = filter;
      return true;
    }
    this.#options.note(session, 'foreign_subscribe', filter.slice(0, 120));
    this.#end(client, `subscribed to ${filter.slice(0, 120)}, a topic other than its own $client/${session.clientId}`);
    return false;
  }

  /** There is one topic that it may have been. */
  onUnsubscribed(client: Client): void {
    const connection = this.#connections.get(client);
    if (connection) connection.topic = null;
  }

  onSubscribed(client: Client): void {
    const session = this.#connections.get(client)?.session;
    if (session) void this.#options.inbox().empty(session.deviceNo);
  }

  /** A PUBLISH that the framing layer left to the broker, or any when there is no framing. */
  onPublish(client: Client | null, packet: PublishPacket, acknowledge: (error?: Error | null) => void): void {
    const connection = client && this.#connections.get(client);
    const session = connection?.session;
    if (!client || !connection || !session) {
      acknowledge(new Error('not logged in'));
      return;
    }
    // The broker goes on with what stands behind a DISCONNECT; MQTT 3.1.1, 3.14.4 has it discarded.
    if (client.conn.destroyed) return;
    if (packet.qos === 2) {
      this.#options.note(session, 'qos2', packet.topic.slice(0, 120));
      this.#end(client, 'published with QoS 2; SPEC 4.1 has 0 and 1');
      return;
    }
    if (connection.mayTake(packet.topic)) {
      connection.take(packet.topic, packet.payload as Buffer, { onCommitted: error => acknowledge(error) });
      return;
    }
    const why = judgeForeign(this.#options, session, packet.topic);
    if (why === null) acknowledge(null);
    else this.#end(client, why);
  }

  #end(client: Client, why: string): void {
    const connection = this.#connections.get(client);
    if (connection) connection.why = why;
    client.close();
  }
}
