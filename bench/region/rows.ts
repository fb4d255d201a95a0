import { Postgres } from '../../test/support/postgres.ts';
import { watchStolen } from '../machine.ts';
import { measureMqtt, mqttLoad } from '../measure.ts';
import { median, type Row, ratios, spread } from '../report.ts';
import { countedRounds, interleaved, of, type Pace, percent } from '../rounds.ts';
import { startBox } from '../servers.ts';
import { rabbitMqPassword, startRabbitMq } from './rabbitmq.ts';
import { devices, measureStores, recordBytes, type StoresMeasured } from './stores.ts';

const counts = [1, 2, 3] as const;
const own = 'one box on SQLite';

/**
 * 1, 2 and 3 processes of the store on one PostgreSQL, and a box's store on SQLite, in turn: all on
 * this machine, and the load in the processes themselves.
 */
export async function regionStores(pace: Pace): Promise<Row[]> {
  pace.note('processes of the store on PostgreSQL');
  await using postgres = await Postgres.start();
  const rounds: { readonly box: StoresMeasured; readonly region: readonly StoresMeasured[] }[] = [];
  const stolen: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    const watched = watchStolen();
    const box = await measureStores(1, null, pace.seconds);
    const region: StoresMeasured[] = [];
    for (const count of counts) region.push(await measureStores(count, postgres, pace.seconds));
    rounds.push({ box, region });
    stolen.push(watched());
    const rates = region.map(({ perSecond }) => Math.round(perSecond)).join(', ');
    pace.note(`  round ${round + 1}: ${rates}/s beside ${Math.round(box.perSecond)}/s`);
  }
  const counted = countedRounds(stolen);
  for (const [round, share] of stolen.entries()) pace.onRound(share, counted.includes(round));
  const taken = counted.map(round => rounds[round]!);
  const boxes = taken.map(({ box }) => box);
  return counts.flatMap((count, index) =>
    rowsOf(
      count,
      taken.map(({ region }) => region[index]!),
      boxes,
    ),
  );
}

function rowsOf(count: number, region: readonly StoresMeasured[], boxes: readonly StoresMeasured[]): Row[] {
  const name = `the store of a region, ${count} ${count === 1 ? 'process' : 'processes'}`;
  const [rates, boxRates] = [region, boxes].map(all => all.map(({ perSecond }) => perSecond)) as [number[], number[]];
  const cost = ({ nodeMicroseconds, postgresMicroseconds }: StoresMeasured) => nodeMicroseconds + postgresMicroseconds;
  const node = region.map(({ nodeMicroseconds }) => nodeMicroseconds);
  const server = region.map(({ postgresMicroseconds }) => postgresMicroseconds);
  const common = { peer: own, bar: '', met: null } as const;
  return [
    {
      ...common,
      what: `${name}, records/s`,
      own: spread(rates),
      beside: spread(boxRates),
      ratio: spread(ratios(rates, boxRates), 2),
      why: `logs of ${recordBytes} B of ${devices} devices, 16 in flight each, in every process; all processes, PostgreSQL and the load share both cores; ${spread(region.map(({ refused }) => refused))} were refused as too busy`,
    },
    {
      ...common,
      what: `${name}, processor time, µs/record`,
      own: spread(region.map(cost), 1),
      beside: spread(boxes.map(cost), 1),
      ratio: spread(ratios(region.map(cost), boxes.map(cost)), 2),
      why: `until the tables are level: Node ${spread(node, 1)} with the load's own share, PostgreSQL ${spread(server, 1)}`,
    },
    {
      ...common,
      what: `${name}, write-ahead log of PostgreSQL, B/record`,
      own: spread(region.map(({ logBytes }) => logBytes)),
      peer: '',
      beside: '',
      ratio: '',
      why: 'the records of the load are alike, and are compressed before they are sealed',
    },
  ];
}

/** The gateway of a box on SQLite beside RabbitMQ with its MQTT plugin and a durable queue. */
export async function besideRabbitMq(pace: Pace): Promise<Row[]> {
  const name = 'QoS 1, 200 B, 50 connections, 16 in flight, plain';
  pace.note(`${name}, beside RabbitMQ`);
  const results = await interleaved(pace, { own: startBox, peer: startRabbitMq }, server =>
    measureMqtt(server, {
      ...mqttLoad(server, false, { seconds: pace.seconds }),
      ...(server.name === 'rabbitmq' ? { password: rabbitMqPassword } : {}),
    }),
  );
  const common = { peer: 'RabbitMQ, a durable queue', bar: '', met: null } as const;
  const shares = (all: typeof results.own) => percent(median(of(all, 'cpuShare')));
  return [
    {
      ...common,
      what: `${name}, beside RabbitMQ, messages/s`,
      own: spread(of(results.own, 'perSecond')),
      beside: spread(of(results.peer, 'perSecond')),
      ratio: spread(ratios(of(results.own, 'perSecond'), of(results.peer, 'perSecond')), 2),
      why: `the box used ${shares(results.own)} of its core, RabbitMQ ${shares(results.peer)}; p99 ${spread(of(results.own, 'p99Ms'), 1)} ms beside ${spread(of(results.peer, 'p99Ms'), 1)} ms`,
    },
    {
      ...common,
      what: `${name}, beside RabbitMQ, processor time, µs/message`,
      own: spread(of(results.own, 'cpuMicroseconds'), 1),
      beside: spread(of(results.peer, 'cpuMicroseconds'), 1),
      ratio: spread(ratios(of(results.own, 'cpuMicroseconds'), of(results.peer, 'cpuMicroseconds')), 2),
      why: 'every PUBACK after a synced commit on both sides',
    },
  ];
}
