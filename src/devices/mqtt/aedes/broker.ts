import { Aedes, type AuthenticateError, type Client, type ConnectPacket, type PublishPacket } from 'aedes';
import { limits } from '../../../platform/limits.ts';

const connectTimeoutMs = 10_000;

/** What the broker asks the gateway, and the events that it reports. */
export interface BrokerEvents {
  /**
   * A CONNECT, which the gateway may change before the broker reads it. False ends the connection.
   */
  onConnect(client: Client, packet: ConnectPacket): boolean;
  /** Resolves with null to accept the device, or with the CONNACK code of the refusal. */
  admit(client: Client, userName: string, password: Buffer | undefined): Promise<AuthenticateError | null>;
  /** Call `acknowledge` once: it sends the PUBACK or, with an error, ends the connection. */
  onPublish(client: Client | null, packet: PublishPacket, acknowledge: (error?: Error | null) => void): void;
  maySubscribe(client: Client, filter: string): boolean;
  onReady(client: Client): void;
  onGone(client: Client): void;
  onSubscribed(client: Client): void;
  onUnsubscribed(client: Client): void;
  onBroken(client: Client, error: Error): void;
  /** A login failed because of an error in the box. */
  onLoginFailed(error: unknown): void;
}

/**
 * Wraps aedes for the gateway. It speaks MQTT 3.1.1 with each device and routes nothing: devices do
 * not hear each other, and the box sends messages to each device directly.
 */
export async function openBroker(events: () => BrokerEvents): Promise<Aedes> {
  const broker = await Aedes.createBroker({
    concurrency: 1000,
    connectTimeout: connectTimeoutMs,
    drainTimeout: 10_000,
    // Those of a topic of 64 KiB: what is not the device's own is dropped (DESIGN 5).
    maxTopicLevels: 0x1_0000,
    maxClientsIdLength: limits.deviceIdCharactersMax,
    preConnect: (client, packet, callback) => {
      const goesOn = events().onConnect(client, packet);
      callback(goesOn ? null : new Error('the box is closing'), goesOn);
    },
    authenticate: (client, userName, password, callback) => {
      events()
        .admit(client, userName ?? '', password)
        .then(
          refusal => callback(refusal, refusal === null),
          error => {
            events().onLoginFailed(error);
            callback(refusedWith(3), false);
          },
        );
    },
    // The broker sends the PUBACK when this calls back, and nothing later can delay it: so wait for
    // the commit here.
    authorizePublish: (client, packet, callback) => events().onPublish(client, packet, callback),
    authorizeSubscribe: (client, subscription, callback) => {
      if (events().maySubscribe(client, subscription.topic)) callback(null, { ...subscription, qos: 0 });
      else callback(new Error('foreign subscribe'), null);
    },
  });
  broker.publish = ((_packet: unknown, client: unknown, done?: (error?: Error) => void) => {
    (typeof client === 'function' ? (client as () => void) : done)?.();
  }) as typeof broker.publish;
  broker.on('clientReady', client => events().onReady(client));
  broker.on('clientDisconnect', client => events().onGone(client));
  broker.on('subscribe', (_subscriptions, client) => events().onSubscribed(client));
  broker.on('unsubscribe', (_topics, client) => events().onUnsubscribed(client));
  broker.on('clientError', (client, error) => events().onBroken(client, error));
  broker.on('connectionError', (client, error) => events().onBroken(client, error));
  return broker;
}

/** The error by which aedes answers a CONNECT with this code. */
export function refusedWith(returnCode: 2 | 3 | 4 | 5): AuthenticateError {
  return Object.assign(new Error('refused'), { returnCode }) as AuthenticateError;
}
