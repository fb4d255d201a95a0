import { setTimeout as wait } from 'node:timers/promises';
import { countArrivals } from './count-arrivals.ts';
import { freePort, loadCore } from './machine.ts';
import { type Measured, measureMqtt, mqttLoad } from './measure.ts';
import { median, type Row, ratios, spread } from './report.ts';
import { of, type Pace, percent } from './rounds.ts';
import { startBox, startMosquitto } from './servers.ts';
import { tableLag } from './table-lag.ts';

/** More than any drain sends while the load runs; checked afterwards. */
const backlogPerSecond = 150_000;
const spareSeconds = 4;
const drainBeginsWithinMs = 120_000;

/**
 * The load of the first bar while the box drains what waited, beside the same load on a box that
 * has no cloud.
 */
export async function ingestWhileDraining(pace: Pace): Promise<Row[]> {
  pace.note('ingest while draining');
  const alone: Measured[] = [];
  const draining: Measured[] = [];
  const drained: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    {
      await using server = await startBox();
      alone.push(await measureMqtt(server, mqttLoad(server, false, { seconds: pace.seconds })));
    }
    const found = await whileDraining(pace);
    draining.push(found.ingest);
    drained.push(found.drainedPerSecond);
    pace.note(
      `  round ${round + 1}: ${Math.round(found.ingest.perSecond)}/s beside ${Math.round(alone.at(-1)!.perSecond)}/s, draining ${Math.round(found.drainedPerSecond)}/s`,
    );
  }
  const perRound = ratios(of(draining, 'perSecond'), of(alone, 'perSecond'));
  return [
    {
      what: 'ingest while draining, plain, messages/s',
      own: spread(of(draining, 'perSecond')),
      peer: 'ingest alone, no cloud',
      beside: spread(of(alone, 'perSecond')),
      ratio: spread(perRound, 2),
      bar: 'over 0.8',
      met: median(perRound) > 0.8,
      why:
        `meanwhile ${spread(drained)} messages/s reached the broker that stands for the cloud, which shares its core with the load generator: that used ` +
        `${percent(median(of(draining, 'ownCpuShare')))} of it, alone ${percent(median(of(alone, 'ownCpuShare')))}; p99 ${spread(of(draining, 'p99Ms'), 1)} ms, alone ${spread(of(alone, 'p99Ms'), 1)} ms`,
    },
  ];
}

async function whileDraining({ seconds }: Pace): Promise<{ ingest: Measured; drainedPerSecond: number }> {
  const warmUpSeconds = 2;
  const backlog = backlogPerSecond * (seconds + warmUpSeconds + spareSeconds);
  const port = await freePort();
  const upstream = { mode: 'gateway', device_mqtt: `mqtt://127.0.0.1:${port}` };
  await using server = await startBox({ config: { upstream } });
  // Messages, not logs: no limit of the cloud paces them.
  await measureMqtt(
    server,
    mqttLoad(server, false, { total: backlog, channel: 'device', seconds: 0.1, warmUpSeconds: 0 }),
  );
  await tableLag(server, 120_000); // filling the tables with the backlog is not measured here
  await using receiver = await startMosquitto('', loadCore, port);
  using counter = await countArrivals(receiver.ports.mqtt);
  const end = performance.now() + drainBeginsWithinMs;
  while (counter.count === 0) {
    if (performance.now() > end) throw new Error('the drain did not begin');
    await wait(20);
  }
  let [count, at] = [0, 0];
  const ingest = await measureMqtt(server, mqttLoad(server, false, { seconds, warmUpSeconds }), () => {
    [count, at] = [counter.count, performance.now()];
  });
  const drainedPerSecond = ((counter.count - count) / (performance.now() - at)) * 1000;
  if (counter.count >= backlog) throw new Error('all was drained before the load ended: the backlog is too small');
  return { ingest, drainedPerSecond };
}
