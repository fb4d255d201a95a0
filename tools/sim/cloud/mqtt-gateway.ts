import type { Duplex } from 'node:stream';
import { Aedes, type Client } from 'aedes';
import type { FaultSwitches } from './faults.ts';
import type { CloudGateway, Session } from './gateway.ts';
import type { Identities } from './identities.ts';

interface MqttGateway {
  handle(stream: Duplex): void;
  close(): Promise<void>;
}

interface GatewayParts {
  readonly gateway: CloudGateway;
  readonly identities: Identities;
  readonly faults: FaultSwitches;
  readonly poison: (deviceId: string, topic: string, payload: Uint8Array) => boolean;
  readonly tellRefused: (clientId: string, why: string, kicked: boolean) => void;
}

/**
 * The MQTT side of the gateway, with aedes (SPEC 4.1, 5.1). The PUBACK goes out when
 * `authorizePublish` calls back, after the record is stored.
 */
export async function openMqttGateway(parts: GatewayParts): Promise<MqttGateway> {
  const { gateway, identities, faults } = parts;
  const sessions = new WeakMap<Client, Session>();
  /**
   * Connections whose further packets are ignored: the rest of a chunk must not overtake a packet
   * that was not accepted.
   */
  const deaf = new WeakSet<Client>();

  const end = (client: Client) => {
    deaf.add(client);
    client.conn.destroy();
  };
  const kick = (client: Client, why: string) => {
    parts.tellRefused(client.id, why, true);
    end(client);
  };

  const broker = await Aedes.createBroker({
    heartbeatInterval: 3_600_000,
    preConnect: (client, _packet, callback) => {
      if (faults.strikes('hang')) deaf.add(client);
      else callback(null, true);
    },
    authenticate: (client, userName, password, done) => {
      const refused = faults.strikes('refuse');
      const deviceId = identities.login(client.id, userName ?? '', password?.toString() ?? '');
      if (refused || !deviceId) {
        parts.tellRefused(client.id, refused ? 'fault' : 'wrong credentials', false);
        done(Object.assign(new Error('refused'), { returnCode: 5 as const }), false);
        return;
      }
      const session: Session = {
        deviceId,
        via: 'mqtt',
        speaksForOthers: gateway.maySpeakForOthers(deviceId),
        deliver: null,
        hangUp: () => end(client),
      };
      sessions.set(client, session);
      gateway.enter(session);
      done(null, true);
    },
    authorizeSubscribe: (client, subscription, callback) => {
      if (subscription.topic.toUpperCase() === `$CLIENT/${client.id.toUpperCase()}`)
        callback(null, { ...subscription, qos: 0 });
      else kick(client, `subscribed to ${subscription.topic}`);
    },
    authorizePublish: (client, packet, callback) => {
      const session = client && sessions.get(client);
      if (!session) return callback(null);
      if (deaf.has(client)) return;
      if (faults.strikes('hang')) {
        deaf.add(client);
        return;
      }
      const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
      if (parts.poison(session.deviceId, packet.topic, payload)) return end(client);
      const dropping = faults.strikes('drop');
      if (dropping && faults.coin()) return end(client);
      const { verdict, acknowledged } = gateway.receive(session, packet.topic, payload, 'mqtt');
      if (verdict === 'foreign') return kick(client, `published to ${packet.topic} for another device`);
      if (dropping) return end(client);
      packet.retain = false;
      callback(null);
      acknowledged();
    },
  });
  broker.on('subscribe', (_subscriptions, client) => {
    const session = sessions.get(client);
    if (!session) return;
    const topic = `$client/${client.id}`;
    session.deliver = payload =>
      client.publish(
        { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 0, retain: false, dup: false },
        () => {},
      );
    for (const payload of gateway.takeWaiting(session.deviceId, Number.POSITIVE_INFINITY)) session.deliver(payload);
  });
  broker.on('clientDisconnect', client => {
    const session = sessions.get(client);
    if (session) gateway.leave(session);
  });
  const ignore = () => {};
  broker.on('clientError', ignore);
  broker.on('connectionError', ignore);

  return {
    handle: stream => void broker.handle(stream),
    close: () => new Promise(resolve => broker.close(() => resolve())),
  };
}
