import { Aedes, type AuthenticateError, type Client, type ConnectPacket, type PublishPacket } from 'aedes';
import { limits } from '../../platform/limits.ts';
import { refusedWith } from './connack.ts';

const connectTimeoutMs = 10_000;

/** What the broker asks, and what it tells. */
export interface BrokerEvents {
  /** A CONNECT, which may be changed before the broker reads it. False ends the connection. */
  onConnect(client: Client, packet: ConnectPacket): boolean;
  /** Resolves with null when the device is let in, else with the CONNACK that refuses it. */
  admit(client: Client, userName: string, password: Buffer | undefined): Promise<AuthenticateError | null>;
  /**
   * `acknowledge` is called once; the PUBACK goes out then, or with an error the connection ends.
   */
  onPublish(client: Client | null, packet: PublishPacket, acknowledge: (error?: Error | null) => void): void;
  maySubscribe(client: Client, filter: string): boolean;
  onReady(client: Client): void;
  onGone(client: Client): void;
  onSubscribed(client: Client): void;
  onUnsubscribed(client: Client): void;
  onBroken(client: Client, error: Error): void;
  /** A login ended in an error of the box. */
  onLoginFailed(error: unknown): void;
}

/**
 * aedes in the gateway's terms. It speaks MQTT 3.1.1 with each device and routes nothing: devices
 * do not hear each other, and what the box tells a device goes to it directly.
 */
export async function openBroker(events: () => BrokerEvents): Promise<Aedes> {
  const broker = await Aedes.createBroker({
    concurrency: 1000,
    connectTimeout: connectTimeoutMs,
    drainTimeout: 10_000,
    maxTopicLevels: 4,
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
    // The broker sends the PUBACK when this calls back, and nothing later holds it: the commit
    // belongs here.
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
