import type { Duplex } from 'node:stream';
import { Aedes, type AuthenticateError, type Client, type ConnectPacket, type PublishPacket } from 'aedes';
import { parseDeviceId } from '../../platform/device-id.ts';
import { limits } from '../../platform/limits.ts';
import { parseLogTopic } from '../../platform/log-topic.ts';
import { explainRefusal, type Refusal } from '../../platform/refusals.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { DeviceNo, Product, Store } from '../../store/index.ts';
import type { Admission } from '../admission.ts';
import type { Counters } from '../counters.ts';
import type { Inbox } from '../inbox.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Presence } from '../presence.ts';
import type { Session } from '../session.ts';
import { forgetConnect, grantAtMostOne, lacksPacketId, parse, refreshKeepAlive } from './broker-client.ts';
import { connackOf, refusedWith } from './connack.ts';
import { Framing } from './framing.ts';
import { guardPacketSize } from './packet-size-guard.ts';
import { gateReading } from './read-gate.ts';

/** Beyond the payload: topic, packet id and header. */
const packetOverheadBytes = 512;
const connectTimeoutMs = 10_000;

export interface MqttGatewayOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly admission: Admission;
  readonly pipeline: Pipeline;
  readonly presence: Presence;
  readonly counters: Counters;
  readonly inbox: () => Inbox;
  readonly messageBytesMax: number;
  /** Disconnect for any topic that is not the device's own, not only for another device's. */
  readonly strict: boolean;
  /** Off: every packet goes through the broker. */
  readonly framing: boolean;
  readonly note: (session: Session, kind: string, detail: string) => void;
  /** Writes down what was refused of somebody who has not logged in. */
  readonly refused: (address: string, refusal: Refusal) => void;
  /** Why a session may not go on; null while it may. */
  readonly whyOver: (session: Session) => string | null;
}

/** What the broker's client stands for. */
interface Guest {
  readonly address: string;
  /** Called once; dropped then, as it holds what it closes over. */
  loggedIn: () => void;
  /** As the device wrote it. */
  clientId: string;
  /** As the device asked for it. */
  keepAliveSeconds: number;
  session: Session | null;
  /** The broker is through with the login, and with what came before its end. */
  ready: boolean;
  /** The log topic that was its own when it was looked at last. */
  ownLog: { readonly topic: string; readonly product: Product | undefined } | null;
  /** The own topic as it was subscribed; null before. */
  topic: string | null;
  /** Why the box ended the connection, when it did. */
  why: string;
}

/**
 * MQTT 3.1.1 (SPEC 4.1, 5.1): aedes speaks the protocol, the pipeline decides. A PUBACK goes out
 * after the commit.
 */
export class MqttGateway {
  readonly #options: MqttGatewayOptions;
  readonly #broker: Aedes;
  readonly #guests = new WeakMap<Client, Guest>();
  readonly #byDevice = new Map<DeviceNo, Client>();
  /** Wakes the connections that are not read until the journal has room. */
  readonly #waiting = new Set<() => void>();

  private constructor(options: MqttGatewayOptions, broker: Aedes) {
    this.#options = options;
    this.#broker = broker;
    options.store.journal.onDrain(() => {
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const wake of waiting) wake();
    });
  }

  static async open(options: MqttGatewayOptions): Promise<MqttGateway> {
    let gateway: MqttGateway;
    const broker = await Aedes.createBroker({
      concurrency: 1000,
      connectTimeout: connectTimeoutMs,
      drainTimeout: 10_000,
      maxTopicLevels: 4,
      maxClientsIdLength: limits.deviceIdCharactersMax,
      preConnect: (client, packet, callback) => gateway.#connecting(client, packet, callback),
      authenticate: (client, userName, password, callback) => {
        gateway.#authenticate(client, userName, password, callback).catch(error => {
          options.log.error({ error: String(error) }, 'a login failed inside the box');
          callback(refusedWith(3), false);
        });
      },
      // The broker sends the PUBACK when this calls back, and nothing later holds it: the commit
      // belongs here.
      authorizePublish: (client, packet, callback) => gateway.#publish(client, packet, callback),
      authorizeSubscribe: (client, subscription, callback) => {
        if (gateway.#maySubscribe(client, subscription.topic)) callback(null, { ...subscription, qos: 0 });
        else callback(new Error('foreign subscribe'), null);
      },
    });
    gateway = new MqttGateway(options, broker);
    // Devices do not hear each other, and what the box tells a device goes to it directly: nothing
    // is routed.
    broker.publish = ((_packet: unknown, client: unknown, done?: (error?: Error) => void) => {
      (typeof client === 'function' ? (client as () => void) : done)?.();
    }) as typeof broker.publish;
    broker.on('clientReady', client => gateway.#ready(client));
    broker.on('clientDisconnect', client => gateway.#gone(client));
    broker.on('subscribe', (_subscriptions, client) => gateway.#subscribed(client));
    broker.on('unsubscribe', (_topics, client) => gateway.#unsubscribed(client));
    broker.on('clientError', (client, error) => gateway.#failed(client, error));
    broker.on('connectionError', (client, error) => gateway.#failed(client, error));
    return gateway;
  }

  /** A connection after its TLS handshake. */
  handle(stream: Duplex, from: { readonly address: string; readonly loggedIn: () => void }): void {
    const guest: Guest = {
      address: from.address,
      loggedIn: from.loggedIn,
      clientId: '',
      keepAliveSeconds: 0,
      session: null,
      ready: false,
      ownLog: null,
      topic: null,
      why: '',
    };
    const bounds = {
      firstBytesMax: limits.connectBytesMax,
      bytesMax: this.#options.messageBytesMax + packetOverheadBytes,
    };
    guardPacketSize(stream, bounds, (bytes, isFirst) => {
      if (isFirst) {
        this.#options.counters.add('connect_too_large');
        this.#options.refused(guest.address, { code: 'connect_too_large', detail: `${bytes} bytes` });
        return;
      }
      guest.why = `sent a packet of ${bytes} bytes; at most ${this.#options.messageBytesMax} are taken`;
      this.#options.counters.add('packet_too_large');
      if (guest.session) this.#options.note(guest.session, 'too_large', String(bytes));
    });
    const wake = gateReading(stream, () => {
      const { congested } = this.#options.store.journal;
      if (congested) this.#waiting.add(wake);
      return !congested;
    });
    if (this.#options.framing)
      new Framing(stream, {
        isOpen: () => guest.session !== null && guest.ready && !client.closed && !stream.destroyed,
        mayTake: topic => this.#isOwn(guest, guest.session!, topic),
        take: (topic, payload, onCommitted) => this.#take(guest.session!, topic, payload, onCommitted),
        pass: bytes => parse(client, bytes),
        onTaken: () => refreshKeepAlive(client),
        onFailed: error => client.emit('error', error),
      });
    const client = this.#broker.handle(stream as never) as Client;
    this.#guests.set(client, guest);
    grantAtMostOne(client);
  }

  /**
   * The device's messages and its own log; a log topic is judged once, and again when the product
   * changes.
   */
  #isOwn(guest: Guest, session: Session, topic: string): boolean {
    if (topic === 'device') return true;
    const product = this.#options.store.directory.product(session.device.productId);
    if (topic === guest.ownLog?.topic && product === guest.ownLog.product) return true;
    const log = parseLogTopic(topic);
    if (!log || !isOwnLog(log, session, product)) return false;
    guest.ownLog = { topic, product };
    return true;
  }

  #take(session: Session, topic: string, payload: Buffer, onCommitted: (error: Error | null) => void): void {
    if (topic === 'device') this.#options.pipeline.message(session, payload, onCommitted);
    else this.#options.pipeline.log(session, topic.slice(4), payload, onCommitted);
  }

  isListening(deviceNo: DeviceNo): boolean {
    const client = this.#byDevice.get(deviceNo);
    return client !== undefined && this.#guests.get(client)?.topic !== null;
  }

  /** True when the socket took it (SPEC 4.1: QoS 0). */
  handOver(deviceNo: DeviceNo, payload: Uint8Array): Promise<boolean> {
    const client = this.#byDevice.get(deviceNo);
    const topic = client && this.#guests.get(client)?.topic;
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
    const session = this.#guests.get(client)?.session;
    const why = session ? this.#options.whyOver(session) : null;
    if (why !== null) this.#end(client, why);
  }

  /** Ends every connection; resolves when they are closed. */
  close(): Promise<void> {
    return new Promise(resolve => this.#broker.close(() => resolve()));
  }

  #connecting(client: Client, packet: ConnectPacket, callback: (error: Error | null, ok: boolean) => void): void {
    const guest = this.#guests.get(client);
    if (!guest) {
      callback(new Error('the box is closing'), false);
      return;
    }
    guest.clientId = packet.clientId ?? '';
    const writable = packet as { -readonly [K in keyof ConnectPacket]: ConnectPacket[K] };
    // The broker serves 3.1 as well; SPEC 9 names 3.1.1 alone, and CONNACK 1 lets a library fall
    // back to it.
    if (packet.protocolVersion !== 4) {
      this.#options.counters.add('protocol_version_refused');
      writable.protocolVersion = 5 as never;
    }
    // One spelling inside, so that a second connection in another case takes the place of the
    // first.
    const id = parseDeviceId(guest.clientId);
    if (id.ok) writable.clientId = id.value;
    else if (!guest.clientId) writable.clientId = 'nobody';
    writable.clean = true;
    writable.will = undefined;
    writable.keepalive = servedKeepAlive(packet.keepalive ?? 0);
    guest.keepAliveSeconds = packet.keepalive ?? 0;
    callback(null, true);
  }

  async #authenticate(
    client: Client,
    userName: string | undefined,
    password: Buffer | undefined,
    callback: (error: AuthenticateError | null, success: boolean | null) => void,
  ): Promise<void> {
    const guest = this.#guests.get(client)!;
    const admitted = await this.#options.admission.admit({
      gateway: 'mqtt',
      address: guest.address,
      clientId: guest.clientId,
      userName: userName ?? '',
      password: password?.toString('utf8') ?? null,
    });
    if (admitted.ok) {
      guest.session = admitted.value;
      callback(null, true);
    } else {
      guest.why = explainRefusal(admitted.refusal);
      callback(refusedWith(connackOf(admitted.refusal.code)), false);
    }
  }

  #ready(client: Client): void {
    const guest = this.#guests.get(client);
    if (!guest?.session) return;
    const { session } = guest;
    guest.ready = true;
    guest.loggedIn();
    guest.loggedIn = nothing;
    forgetConnect(client);
    this.#byDevice.set(session.deviceNo, client);
    this.#options.presence.came(session.deviceNo);
    this.#options.note(session, 'connected', `MQTT from ${guest.address}`);
    const seconds = guest.keepAliveSeconds;
    if (seconds < limits.keepAliveSecondsMin || seconds > limits.keepAliveSecondsMax)
      this.#options.note(session, 'keep_alive_out_of_range', `${seconds} s; SPEC 5.1 says 30 to 60`);
    // The directory may have changed between the login and now.
    this.#review(client);
  }

  #gone(client: Client): void {
    const guest = this.#guests.get(client);
    const session = guest?.session;
    if (!guest || !session) return;
    const current = this.#byDevice.get(session.deviceNo);
    if (current === client) this.#byDevice.delete(session.deviceNo);
    guest.topic = null;
    guest.session = null;
    this.#options.presence.left(session.deviceNo);
    this.#options.note(session, 'disconnected', guest.why || 'the device closed the connection');
  }

  #failed(client: Client, error: Error): void {
    // A connection ends once, however many of its messages fail then.
    if (client.closed) return;
    const guest = this.#guests.get(client);
    if (guest && guest.why === '') guest.why = whyItBroke(error);
    this.#options.counters.add('connection_error');
  }

  #maySubscribe(client: Client, filter: string): boolean {
    const guest = this.#guests.get(client);
    const session = guest?.session;
    if (!guest || !session) return false;
    if (filter.toUpperCase() === `$CLIENT/${session.device.deviceId}`) {
      guest.topic = filter;
      return true;
    }
    this.#options.note(session, 'foreign_subscribe', filter.slice(0, 120));
    this.#options.counters.add('foreign_subscribe');
    this.#end(client, `subscribed to ${filter.slice(0, 120)}, a topic other than its own $client/${session.clientId}`);
    return false;
  }

  /** There is one topic that it may have been. */
  #unsubscribed(client: Client): void {
    const guest = this.#guests.get(client);
    if (guest) guest.topic = null;
  }

  #subscribed(client: Client): void {
    const session = this.#guests.get(client)?.session;
    if (session) void this.#options.inbox().empty(session.deviceNo);
  }

  #publish(client: Client | null, packet: PublishPacket, callback: (error?: Error | null) => void): void {
    const guest = client && this.#guests.get(client);
    const session = guest?.session;
    if (!client || !guest || !session) {
      callback(new Error('not logged in'));
      return;
    }
    // The broker goes on with what stands behind a DISCONNECT; MQTT 3.1.1, 3.14.4 has it discarded.
    if (client.conn.destroyed) return;
    if (packet.qos === 2) {
      this.#options.note(session, 'qos2', packet.topic.slice(0, 120));
      this.#options.counters.add('qos2');
      this.#end(client, 'published with QoS 2; SPEC 4.1 has 0 and 1');
      return;
    }
    if (lacksPacketId(packet)) {
      callback(new Error('a PUBLISH without its packet id'));
      return;
    }
    if (this.#isOwn(guest, session, packet.topic)) {
      this.#take(session, packet.topic, packet.payload as Buffer, callback);
      return;
    }
    const log = parseLogTopic(packet.topic);
    if (log || this.#options.strict) {
      const kind = log ? 'foreign_publish' : 'unknown_topic';
      this.#options.note(session, kind, packet.topic.slice(0, 120));
      this.#options.counters.add(kind);
      this.#end(client, `published to ${packet.topic.slice(0, 120)}, which is not its own`);
      return;
    }
    this.#options.counters.add('unknown_topic');
    this.#options.note(session, 'unknown_topic', packet.topic.slice(0, 120));
    callback(null);
  }

  #end(client: Client, why: string): void {
    const guest = this.#guests.get(client);
    if (guest) guest.why = why;
    client.close();
  }
}

/** SPEC 4.1: `log/{model}/{sn}`; the product_id stands for the model too, and ids have no case. */
export function isOwnLog(
  log: { readonly model: string; readonly sn: string },
  session: Session,
  product: Product | undefined,
): boolean {
  const { deviceId, productId } = session.device;
  if (log.sn.toUpperCase() !== deviceId.slice(productId.length + 1)) return false;
  const model = log.model.toUpperCase();
  return model === productId || model === product?.model.toUpperCase();
}

const nothing = (): void => {};

function servedKeepAlive(seconds: number): number {
  if (seconds === 0) return Math.floor(limits.idleSecondsWithoutKeepAlive / 1.5);
  return Math.min(seconds, limits.keepAliveSecondsServedMax);
}

/** What staff read about a connection that failed. */
function whyItBroke(error: Error): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection broke off (reset by the device or on the way)';
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'the network no longer reaches the device';
    default:
      return error.message;
  }
}
