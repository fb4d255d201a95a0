import { startBareMqtt } from './bare-servers.ts';
import { measureMqtt, mqttLoad } from './measure.ts';
import { beside, median, type Row, ratios, spread } from './report.ts';
import { interleaved, of, type Pace, percent } from './rounds.ts';
import { startBox, startMosquitto } from './servers.ts';

const connections = 200;
/** Of mosquitto's rate. */
const bar = 0.6;

/**
 * What terminals do: each sends one record and waits for its PUBACK before it sends the next. Every
 * record is a read and a write of a socket of its own.
 */
export async function oneInFlight(pace: Pace, tls: boolean): Promise<Row[]> {
  const name = `one record in flight on each of ${connections} connections, ${tls ? 'TLS' : 'plain'}`;
  pace.note(name);
  const { own, peer, floor } = await interleaved(
    pace,
    {
      own: () => startBox(),
      peer: () => startMosquitto(),
      floor: () => startBareMqtt(tls ? 'ECDSA' : 'plain'),
    },
    server => measureMqtt(server, mqttLoad(server, tls, { connections, window: 1, seconds: pace.seconds })),
  );
  const perRound = ratios(of(own, 'perSecond'), of(peer, 'perSecond'));
  const cpu = of(own, 'cpuMicroseconds');
  const common = { peer: 'mosquitto, in memory' };
  return [
    {
      ...common,
      what: `${name}, messages/s`,
      own: spread(of(own, 'perSecond')),
      beside: spread(of(peer, 'perSecond')),
      ratio: spread(perRound, 2),
      floor: beside(floor, 'perSecond', of(own, 'perSecond'), tls),
      bar: tls ? '' : `at least ${bar} in every round`,
      met: tls ? null : Math.min(...perRound) >= bar,
      why: `p99 ${spread(of(own, 'p99Ms'), 1)} ms, mosquitto ${spread(of(peer, 'p99Ms'), 1)} ms; the load generator used ${percent(median(of(own, 'ownCpuShare')))} of its core`,
    },
    {
      ...common,
      what: `${name}, processor time, µs/message`,
      own: spread(cpu, 1),
      beside: spread(of(peer, 'cpuMicroseconds'), 1),
      ratio: spread(ratios(cpu, of(peer, 'cpuMicroseconds')), 2),
      floor: beside(floor, 'cpuMicroseconds', cpu, tls),
      bar: tls ? '' : 'at most 30',
      met: tls ? null : median(cpu) <= 30,
      why: 'all threads, the journal and the tables included',
    },
  ];
}
