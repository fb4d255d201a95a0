import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { realClock, realRandom } from '../src/runtime/real-world.ts';
import { startSimCloud } from '../tools/sim/index.ts';
import { countArrivals } from './count-arrivals.ts';
import { end, freePort, loadCore, pinned, processorSeconds, root, serverCore, watchStolen } from './machine.ts';
import { measureMqtt, mqttLoad } from './measure.ts';
import { median, type Row, ratios, spread } from './report.ts';
import { countedRounds, type Pace, percent } from './rounds.ts';
import { product, type Server, startBox, startMosquitto } from './servers.ts';
import { tableLag } from './table-lag.ts';

const backlog = 100_000;
const drainWithinMs = 180_000;
/** Of the bridge's rate, and for each message: where the receiver does not set the rate. */
const bars = { ratio: 1, cpuMicroseconds: 3 } as const;

/** One drain: how fast, what it cost the sender, and how busy the receiving broker was. */
interface Drained {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly receiverMicroseconds: number;
  readonly receiverShare: number;
}

/** The broker that receives the drained messages. */
interface Receiver extends AsyncDisposable {
  readonly pid: number;
  /** Seconds from the first message to the last. */
  readonly arrivedIn: Promise<number>;
}

const receivers: Readonly<
  Record<'mosquitto' | 'a broker that only acknowledges', (port: number) => Promise<Receiver>>
> = {
  mosquitto: toMosquitto,
  'a broker that only acknowledges': toAcknowledging,
};

/**
 * How fast 100 000 waiting messages reach one broker, and what that costs: the box in gateway mode
 * beside mosquitto's own bridge. Mosquitto as the receiver, on one core, needs more processor time
 * for a message than either sender: where it is busy all the time, it sets the rate. So both also
 * drain into a broker that only acknowledges, and the bars are for that.
 */
export async function drain(pace: Pace): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, receiver] of Object.entries(receivers))
    rows.push(...(await drainTo(name, receiver, pace, receiver === toAcknowledging)));
  return rows;
}

async function drainTo(
  name: string,
  receiver: (port: number) => Promise<Receiver>,
  pace: Pace,
  hasBar: boolean,
): Promise<Row[]> {
  pace.note(`drain of 100,000 to ${name}`);
  const rounds: { readonly stolen: number; readonly own: Drained; readonly bridge: Drained }[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    const watched = watchStolen();
    const beside = await drained(port => startMosquitto(bridgeTo(port)), receiver);
    const last = await drained(
      port => startBox({ config: { upstream: { mode: 'gateway', device_mqtt: `mqtt://127.0.0.1:${port}` } } }),
      receiver,
    );
    const stolen = watched();
    rounds.push({ stolen, own: last, bridge: beside });
    pace.note(
      `  round ${round + 1}: ${Math.round(last.perSecond)}/s and ${last.cpuMicroseconds.toFixed(1)} µs beside ${Math.round(beside.perSecond)}/s and ${beside.cpuMicroseconds.toFixed(1)} µs, ${percent(stolen)} stolen`,
    );
  }
  const counted = countedRounds(rounds.map(({ stolen }) => stolen));
  for (const [round, { stolen }] of rounds.entries()) pace.onRound(stolen, counted.includes(round));
  const own = counted.map(round => rounds[round]!.own);
  const bridge = counted.map(round => rounds[round]!.bridge);
  const all = (rounds: readonly Drained[], key: keyof Drained) => rounds.map(round => round[key]);
  const perRound = ratios(all(own, 'perSecond'), all(bridge, 'perSecond'));
  const cpu = ratios(all(own, 'cpuMicroseconds'), all(bridge, 'cpuMicroseconds'));
  const busy = (rounds: readonly Drained[]) =>
    `${Math.round(median(all(rounds, 'receiverShare')) * 100)} % of its core (${median(all(rounds, 'receiverMicroseconds')).toFixed(1)} µs a message)`;
  return [
    {
      what: `draining 100,000 waiting messages to ${name}, messages/s`,
      own: spread(all(own, 'perSecond')),
      peer: "mosquitto's bridge, in memory",
      beside: spread(all(bridge, 'perSecond')),
      ratio: spread(perRound, 2),
      bar: hasBar ? `at least ${bars.ratio} in every round` : '',
      met: hasBar ? Math.min(...perRound) >= bars.ratio : null,
      why: `from the first arrival to the last; the box reads them from disk and writes down what is confirmed; the broker that takes them used ${busy(own)}, from the bridge ${busy(bridge)}`,
    },
    {
      what: `draining 100,000 waiting messages to ${name}, processor time, µs/message`,
      own: spread(all(own, 'cpuMicroseconds'), 1),
      peer: "mosquitto's bridge, in memory",
      beside: spread(all(bridge, 'cpuMicroseconds'), 1),
      ratio: spread(cpu, 2),
      bar: hasBar ? `at most ${bars.cpuMicroseconds} in every round` : '',
      met: hasBar ? Math.max(...all(own, 'cpuMicroseconds')) <= bars.cpuMicroseconds : null,
      why: 'all threads, from the start of the broker until everything has arrived, logging in included',
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

async function drained(
  startServer: (upstreamPort: number) => Promise<Server>,
  startReceiver: (port: number) => Promise<Receiver>,
): Promise<Drained> {
  const port = await freePort();
  await using server = await startServer(port);
  await wait(500);
  await measureMqtt(
    server,
    mqttLoad(server, false, { total: backlog, channel: 'device', seconds: 0.1, warmUpSeconds: 0 }),
  );
  // Filling the tables is part of the cost of receiving, not of draining: waits until it is done.
  if (server.name === 'gatehouse') await tableLag(server, 60_000);
  const before = processorSeconds(server.pid);
  await using receiver = await startReceiver(port);
  const seconds = await Promise.race([
    receiver.arrivedIn,
    wait(drainWithinMs, null, { ref: false }).then(() => {
      throw new Error(`not all ${backlog} arrived from ${server.name} in ${drainWithinMs / 1000} s`);
    }),
  ]);
  const receiverSeconds = processorSeconds(receiver.pid);
  return {
    perSecond: (backlog - 1) / seconds,
    cpuMicroseconds: ((processorSeconds(server.pid) - before) * 1e6) / backlog,
    receiverMicroseconds: (receiverSeconds * 1e6) / backlog,
    receiverShare: Math.min(1, receiverSeconds / seconds),
  };
}

async function toMosquitto(port: number): Promise<Receiver> {
  const broker = await startMosquitto('', loadCore, port);
  const counter = await countArrivals(broker.ports.mqtt);
  let ended = false;
  const arrivedIn = (async () => {
    while (counter.count < backlog && !ended) await wait(20);
    return (counter.lastAt - counter.firstAt) / 1000;
  })();
  return {
    pid: broker.pid,
    arrivedIn,
    [Symbol.asyncDispose]: async () => {
      ended = true;
      counter[Symbol.dispose]();
      await broker[Symbol.asyncDispose]();
    },
  };
}

async function toAcknowledging(port: number): Promise<Receiver> {
  const load = JSON.stringify({ port, total: backlog });
  const child = pinned(loadCore, `${root}bin/node`, [`${root}bench/acknowledging-broker.ts`, load]);
  const arrivedIn = new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', line => resolve(JSON.parse(line).arrived));
    child.once('exit', code => reject(new Error(`the broker ended with ${code}:\n${child.said()}`)));
  });
  arrivedIn.catch(() => {}); // handled where it is awaited
  return { pid: child.pid!, arrivedIn, [Symbol.asyncDispose]: () => end(child, 'SIGKILL') };
}

const pacedDevices = 50;
const pacedRecords = 400;

/**
 * With the cloud's limits on: how much of the allowed 20 log records a second is used for each
 * device, and how many the cloud drops.
 */
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
