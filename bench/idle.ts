import { setTimeout as wait } from 'node:timers/promises';
import { processorSeconds, threadSeconds } from './machine.ts';
import { connectDevice } from './pinging-device.ts';
import { median, type Row, spread } from './report.ts';
import type { Pace } from './rounds.ts';
import { product, startBox } from './servers.ts';

const devices = 20;
const pingEveryMs = 30_000;
const roundMs = 60_000;
/** By then the box has given back the memory of its start, and its reader thread has ended. */
const settledMs = 150_000;
const mostPercent = 0.3;
const pingreq = Buffer.from([0xc0, 0]);

/** Processor time of a box whose devices are connected and have nothing to say, minute by minute. */
export async function idle(pace: Pace): Promise<Row[]> {
  pace.note(`idle, ${devices} devices`);
  await using server = await startBox();
  const device = { port: server.ports.mqtt, product: product.product_id, productKey: product.product_key };
  const sockets = await Promise.all(
    Array.from({ length: devices }, (_, index) => connectDevice({ ...device, serial: `B${index}` })),
  );
  const pinging = setInterval(() => sockets.map(socket => socket.write(pingreq)), pingEveryMs);
  await wait(settledMs);
  const percents: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    const before = processorSeconds(server.pid);
    await wait(roundMs);
    percents.push((100 * (processorSeconds(server.pid) - before)) / (roundMs / 1000));
    pace.note(`  minute ${round + 1}: ${percents.at(-1)!.toFixed(2)} %`);
  }
  const gone = sockets.filter(({ closed }) => closed).length;
  clearInterval(pinging);
  for (const socket of sockets) socket.destroy();
  return [
    {
      what: `idle, ${devices} devices connected, % of a core`,
      own: spread(percents, 2),
      peer: '',
      beside: '',
      ratio: '',
      bar: `at most ${mostPercent}`,
      met: gone === 0 && median(percents) <= mostPercent,
      why: `each pings every ${pingEveryMs / 1000} s; ${gone} connections broke; by thread since the start: ${threadSeconds(
        server.pid,
      )
        .map(({ name, seconds }) => `${name.replace(/ \d+$/, '')} ${seconds.toFixed(2)} s`)
        .join(', ')}`,
    },
  ];
}
