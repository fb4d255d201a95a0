import { setTimeout as wait } from 'node:timers/promises';
import { realClock, realRandom } from '../src/operations/real-world.ts';
import { startSimCloud } from '../src/sim/index.ts';
import { countArrivals } from './count-arrivals.ts';
import { freePort, loadCore, serverCore } from './machine.ts';
import { measureMqtt, mqttLoad } from './measure.ts';
import { median, type Row, ratios, spread } from './report.ts';
import type { Pace } from './rounds.ts';
import { product, type Server, startBox, startMosquitto } from './servers.ts';

const backlog = 100_000;
const drainWithinMs = 180_000;

/** How fast 100 000 messages that waited reach one broker: the box in gateway mode beside mosquitto's own bridge. */
export async function drain(pace: Pace): Promise<Row[]> {
  pace.note('drain of 100,000');
  const own: number[] = [];
  const bridge: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    bridge.push(await drained(port => startMosquitto(bridgeTo(port))));
    own.push(
      await drained(port =>
        startBox({ config: { upstream: { mode: 'gateway', device_mqtt: `mqtt://127.0.0.1:${port}` } } }),
      ),
    );
    pace.note(`  round ${round + 1}: ${Math.round(own.at(-1)!)}/s beside ${Math.round(bridge.at(-1)!)}/s`);
  }
  const perRound = ratios(own, bridge);
  return [
    {
      what: 'draining 100,000 waiting messages to one broker, messages/s',
      own: spread(own),
      peer: "mosquitto's bridge, in memory",
      beside: spread(bridge),
      ratio: spread(perRound, 2),
      bar: '1.5',
      met: median(perRound) >= 1.5,
      why: 'from the first arrival to the last; the box reads them from disk and writes down each confirmation',
    },
  ];
}

const bridgeTo = (port: number): string =>
  [
    'connection upstream',
    `address 127.0.0.1:${port}`,
    'topic device out 1',
    'cleansession false',
    'restart_timeout 1',
    'start_type automatic',
    'bridge_protocol_version mqttv311',
    'try_private false',
    'notifications false',
    'local_clientid bench-local',
    'remote_clientid bench-remote',
  ].join('\n');

async function drained(startServer: (upstreamPort: number) => Promise<Server>): Promise<number> {
  const port = await freePort();
  await using server = await startServer(port);
  await wait(500);
  await measureMqtt(
    server,
    mqttLoad(server, false, { total: backlog, channel: 'device', seconds: 0.1, warmUpSeconds: 0 }),
  );
  await using receiver = await startMosquitto('', loadCore, port);
  using counter = await countArrivals(receiver.ports.mqtt);
  const end = performance.now() + drainWithinMs;
  while (counter.count < backlog) {
    if (performance.now() > end) throw new Error(`only ${counter.count} of ${backlog} arrived from ${server.name}`);
    await wait(20);
  }
  return (backlog - 1) / ((counter.lastAt - counter.firstAt) / 1000);
}

const pacedDevices = 50;
const pacedRecords = 400;

/** With the cloud's limits on: how much of the allowed 20 log records a second and device is used, and how many the cloud drops. */
export async function paced(pace: Pace): Promise<Row[]> {
  pace.note('paced drain');
  const shares: number[] = [];
  let dropped = 0;
  for (let round = 0; round < Math.min(pace.rounds, 2); round++) {
    await using cloud = await startSimCloud({
      clock: realClock,
      random: realRandom,
      products: [product, { product_id: 'GATEHOUSE', product_key: 'bench-box-key' }],
      listen: { mqtt: '127.0.0.1:0' },
    });
    await cloud.cut();
    await using server = await startBox({
      core: serverCore,
      config: { upstream: { mode: 'per-device', device_mqtt: cloud.urls.deviceMqtt } },
    });
    const total = pacedDevices * pacedRecords;
    await measureMqtt(
      server,
      mqttLoad(server, false, { connections: pacedDevices, total, seconds: 0.1, warmUpSeconds: 0 }),
    );
    await cloud.restore();
    const end = performance.now() + drainWithinMs;
    while (cloud.stats().received + cloud.stats().drops.rate < total) {
      if (performance.now() > end) throw new Error(`only ${cloud.stats().received} of ${total} arrived`);
      await wait(100);
    }
    dropped += cloud.stats().drops.rate + cloud.stats().drops.day;
    const used = cloud.arrivals.devices().map(deviceId => {
      const arrived = cloud.arrivals.of(deviceId);
      const seconds = (arrived.at(-1)!.at - arrived[0]!.at) / 1000;
      return Math.min(1, (arrived.length - 1) / seconds / 20);
    });
    shares.push(median(used) * 100);
    pace.note(`  round ${round + 1}: ${shares.at(-1)!.toFixed(1)} % used, ${dropped} dropped`);
  }
  return [
    {
      what: "draining within the cloud's limits, 50 devices, % of the allowed rate",
      own: spread(shares, 1),
      peer: '',
      beside: '',
      ratio: '',
      bar: 'over 98 %, none dropped',
      met: median(shares) > 98 && dropped === 0,
      why: `the cloud dropped ${dropped}`,
    },
  ];
}
