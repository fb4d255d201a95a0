import type { ConnectLoad } from './load-connect.ts';
import type { LoadResult, MqttLoad } from './load-mqtt.ts';
import type { PagesLoad } from './load-pages.ts';
import { loadCore, pinned, processorSeconds, residentMiB, root } from './machine.ts';
import { product, type Server } from './servers.ts';

/** How many of what is counted the server served. */
export type Seen = Pick<LoadResult, 'acknowledged' | 'perSecond'>;

/** One round: what the load saw, and what it cost the server. */
export interface Measured extends LoadResult {
  /** Microseconds of processor time for each acknowledged message, all threads. */
  readonly cpuMicroseconds: number;
  /** Share of its core that the server used. */
  readonly cpuShare: number;
  readonly residentMiB: number;
}

const identity = { product: product.product_id, productKey: product.product_key, model: product.model };

export const mqttLoad = (server: Server, tls: boolean, more: Partial<MqttLoad>): MqttLoad => ({
  port: tls ? server.ports.mqtts : server.ports.mqtt,
  tls,
  suite: null,
  connections: 50,
  first: 1,
  window: 16,
  seconds: 5,
  warmUpSeconds: 2,
  rate: 0,
  bytes: 200,
  total: 0,
  each: 0,
  channel: 'log',
  ...identity,
  ...more,
});

/** `begun` is called when the warm-up is over. */
export const measureMqtt = (server: Server, load: MqttLoad, begun?: () => void): Promise<Measured> =>
  measure(server, 'load-mqtt.ts', load, load.seconds, begun);

export const measureHttp = (server: Server, seconds: number, login: boolean): Promise<Measured> => {
  const load = { port: server.ports.https, connections: 50, seconds, warmUpSeconds: 2, bytes: 200, ...identity, login };
  return measure(server, 'load-http.ts', load, seconds);
};

export const measurePages = (server: Server, load: Omit<PagesLoad, 'port'>): Promise<Measured> =>
  measure(server, 'load-pages.ts', { ...load, port: server.ports.https }, load.seconds);

/** Connections: made, accepted and closed again, one after the other in each of several loops. */
export const measureConnecting = (
  server: Server,
  tls: boolean,
  seconds: number,
  more: Partial<ConnectLoad> = {},
  begun?: () => void,
): Promise<Measured> => {
  const port = tls ? server.ports.mqtts : server.ports.mqtt;
  const load: ConnectLoad = {
    ...{ port, tls, parallel: 16, devices: 1000, seconds, warmUpSeconds: 2, ...identity },
    ...{ version: 'TLSv1.3', sessions: null, resumes: false, ...more },
  };
  return measure(server, 'load-connect.ts', load, seconds, begun);
};

async function measure(
  server: Server,
  file: string,
  load: object,
  seconds: number,
  begun: () => void = () => {},
): Promise<Measured> {
  const child = pinned(loadCore, `${root}bin/node`, [`${root}bench/${file}`, JSON.stringify(load)]);
  let said = '';
  let before = 0;
  let after = 0;
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (text.includes('measuring')) {
      before = processorSeconds(server.pid);
      begun();
    }
    if (text.includes('perSecond')) after = processorSeconds(server.pid);
  });
  const status = await new Promise(resolve => child.once('close', resolve));
  if (status !== 0) throw new Error(`the load on ${server.name} ended with ${status}:\n${child.said()}`);
  const result = JSON.parse(said.trim().split('\n').at(-1)!) as LoadResult;
  return {
    ...result,
    cpuMicroseconds: ((after - before) * 1e6) / Math.max(1, result.acknowledged),
    cpuShare: (after - before) / seconds,
    residentMiB: residentMiB(server.pid),
  };
}
