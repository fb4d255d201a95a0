import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import type { Seen } from '../measure.ts';
import { product, type Server } from '../servers.ts';
import { lastMonth, signedIn } from '../site.ts';
import { deviceIds, reports, shape } from '../site-store.ts';
import { lagOf } from '../table-lag.ts';

const inFlight = 20;
/** Of the messages of the month: the code that handles the rest is compiled by then. */
const warmUpShare = 0.25;
const looksEveryMs = 50;

/** The check-ins of the last month, over MQTT, until the last of them has its row. */
export async function reportMonth(server: Server, begun: () => void): Promise<Seen> {
  const messages = [...reports()].filter(({ time }) => monthOf(time) === lastMonth());
  const warmUp = Math.round(messages.length * warmUpShare);
  const devices = new Map<string, MqttClient>();
  for (const deviceId of deviceIds) devices.set(deviceId, await connectDevice(server, deviceId));
  using lag = lagOf(server.dataDir);
  const report = async (some: typeof messages) => {
    const left = some.values();
    const sendOn = async () => {
      for (const { deviceId, payload } of left)
        await devices.get(deviceId)!.publishAsync('device', payload, { qos: 1 });
    };
    await Promise.all(Array.from({ length: inFlight }, sendOn));
    while (lag.behind() > 0) await wait(looksEveryMs);
  };
  await report(messages.slice(0, warmUp));
  begun();
  const from = performance.now();
  await report(messages.slice(warmUp));
  const acknowledged = (messages.length - warmUp) * shape.perMessage;
  const perSecond = (acknowledged * 1000) / (performance.now() - from);
  for (const client of devices.values()) client.end(true);
  return { acknowledged, perSecond };
}

/** The month of everybody as a CSV, asked for once; counted by person. */
export async function monthAsCsv(server: Server, begun: () => void): Promise<Seen> {
  await reportMonth(server, () => {});
  const ask = await signedIn(server);
  // Modules and statements that the first request loads.
  await ask({ path: `/attendance/results?month=${lastMonth()}&limit=1` });
  begun();
  const from = performance.now();
  await ask({ path: `/reports/month/month.csv?month=${lastMonth()}` });
  return { acknowledged: shape.people, perSecond: (shape.people * 1000) / (performance.now() - from) };
}

const monthOf = (time: number): string => new Date(time * 1000).toISOString().slice(0, 7);

async function connectDevice({ ports }: Server, deviceId: string): Promise<MqttClient> {
  const password = createHash('md5').update(`${deviceId}-${product.product_id}-${product.product_key}`).digest('hex');
  const client = await connectAsync(`mqtt://127.0.0.1:${ports.mqtt}`, {
    ...{ clientId: deviceId, username: product.product_id, password },
    ...{ connectTimeout: 300_000, keepalive: 0, reconnectPeriod: 0 },
  });
  // Answers to a device that is not subscribed would wait in its inbox, on the disk.
  await client.subscribeAsync(`$client/${deviceId}`);
  return client;
}
