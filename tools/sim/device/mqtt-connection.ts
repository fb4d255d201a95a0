import mqtt from 'mqtt';
import { productOf } from '../../../src/platform/device-id.ts';
import { mqttPassword } from '../../../src/platform/signature.ts';
import { type Connection, type ConnectionOptions, parseObject } from './connection.ts';

/**
 * A device over MQTT (SPEC 4.1, 5.1). Resolves when it has logged in and subscribed to its topic;
 * else rejects with the reason.
 */
export async function connectMqtt(options: ConnectionOptions): Promise<Connection> {
  const { deviceId, outbox } = options;
  const productId = productOf(deviceId);
  // In parts, not as a URL: the library parses one with a function that Node has deprecated, which
  // would print a warning.
  const { protocol, hostname, port } = new URL(options.url);
  const client = mqtt.connect({
    protocol: protocol === 'mqtts:' ? 'mqtts' : 'mqtt',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'mqtts:' ? 8883 : 1883)),
    clientId: deviceId,
    username: productId,
    password: mqttPassword({ deviceId, productId, accessKey: options.key() }),
    keepalive: options.keepAliveSeconds,
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: 10_000,
    rejectUnauthorized: !options.insecure,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  let over = false;
  let why = 'closed';
  const ended = new Promise<string>(resolve => {
    client.on('error', error => {
      why = error.message;
      client.end(true);
    });
    client.on('close', () => {
      over = true;
      resolve(why);
    });
  });
  const connected = new Promise<true>(resolve => client.once('connect', () => resolve(true)));
  const outcome = await Promise.race([connected, ended]);
  if (outcome !== true) {
    client.end(true);
    throw new Error(outcome);
  }
  const pump = () => {
    for (let said = over ? null : outbox.take(); said; said = outbox.take()) {
      const one = said;
      client.publish(one.topic, one.text, { qos: 1 }, error => {
        if (!error && outbox.acknowledge(one)) pump();
      });
    }
  };
  client.on('message', (_topic, payload) => {
    const envelope = parseObject(payload.toString('utf8'));
    if (!envelope) return;
    if (typeof envelope.mid === 'string' && typeof envelope.data === 'object') outbox.acknowledgeMid(envelope.mid);
    options.received(envelope);
  });
  client.subscribe(`$client/${deviceId}`, { qos: 0 });
  pump();
  return {
    pump,
    ended,
    close: async () => {
      client.end(true);
      await ended;
    },
  };
}
