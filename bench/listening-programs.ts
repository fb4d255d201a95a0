import { spawnSync } from 'node:child_process';
import mqtt, { type MqttClient } from 'mqtt';
import { type Measured, measureMqtt, mqttLoad } from './measure.ts';
import { median, type Row, ratios, spread } from './report.ts';
import { of, type Pace, percent } from './rounds.ts';
import { program, type Server, startBox } from './servers.ts';

/** Programs of the site, each of which subscribes to everything that the box says. */
const programs = 20;
const name = 'bench';
const bar = 0.8;

const withEvents = () =>
  startBox({
    config: {
      listen: {
        ...{ mqtts: '127.0.0.1:0', mqtt: '127.0.0.1:0', https: '127.0.0.1:0', events: '127.0.0.1:0' },
        ...{ http: 'off', metrics: 'off' },
      },
    },
  });

/** The load of the first bar while programs of the site listen, beside the same without them. */
export async function ingestWithListeners(pace: Pace): Promise<Row[]> {
  pace.note(`ingest while ${programs} programs listen`);
  const [alone, listenedTo] = [[], []] as Measured[][];
  const heard: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    {
      await using server = await startBox();
      alone!.push(await measureMqtt(server, mqttLoad(server, false, { seconds: pace.seconds })));
    }
    const found = await whileTheyListen(pace);
    listenedTo!.push(found.ingest);
    heard.push(found.heardPerSecond);
    const rates = [listenedTo, alone].map(all => Math.round(all!.at(-1)!.perSecond)).join('/s beside ');
    pace.note(`  round ${round + 1}: ${rates}/s, each program heard ${Math.round(found.heardPerSecond)} events/s`);
  }
  const perRound = ratios(of(listenedTo!, 'perSecond'), of(alone!, 'perSecond'));
  return [
    {
      what: `ingest while ${programs} programs listen to everything, plain, messages/s`,
      own: spread(of(listenedTo!, 'perSecond')),
      peer: 'ingest without them',
      beside: spread(of(alone!, 'perSecond')),
      ratio: spread(perRound, 2),
      bar: `at least ${bar} in every round`,
      met: Math.min(...perRound) >= bar,
      why:
        `each program heard ${spread(heard)} events/s and was told that it missed the others, which it can read again; ` +
        `p99 ${spread(of(listenedTo!, 'p99Ms'), 1)} ms, alone ${spread(of(alone!, 'p99Ms'), 1)} ms; ` +
        `the load generator and the programs used ${percent(median(of(listenedTo!, 'ownCpuShare')))} of the other core`,
    },
  ];
}

async function whileTheyListen({ seconds }: Pace): Promise<{ ingest: Measured; heardPerSecond: number }> {
  await using server = await withEvents();
  const token = tokenOf(server);
  let count = 0;
  const clients = await Promise.all(Array.from({ length: programs }, () => aListener(server, token, () => count++)));
  let at = 0;
  const ingest = await measureMqtt(server, mqttLoad(server, false, { seconds }), () => {
    [count, at] = [0, performance.now()];
  });
  const heardPerSecond = count / programs / ((performance.now() - at) / 1000);
  await Promise.all(clients.map(client => client.endAsync(true)));
  if (heardPerSecond === 0) throw new Error('no program heard anything');
  return { ingest, heardPerSecond };
}

function tokenOf({ dataDir }: Server): string {
  const words = ['token', 'create', '--data-dir', dataDir, '--role', 'events', '--name', name, '--topics', '#'];
  const made = spawnSync(program[0]!, [...program.slice(1), ...words], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`no token for the programs: ${made.stderr}`);
  return made.stdout.trim();
}

async function aListener(server: Server, token: string, onEvent: () => void): Promise<MqttClient> {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${server.ports.events}`, {
    username: name,
    password: token,
  });
  client.on('error', () => {});
  client.on('message', onEvent);
  await client.subscribeAsync('gatehouse/v1/#');
  return client;
}
