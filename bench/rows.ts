import { startBareHttp, startBareMqtt } from './bare-servers.ts';
import { serverCore, temporaryFolder } from './machine.ts';
import { measureHttp, measureMqtt, mqttLoad } from './measure.ts';
import { beside, median, type Row, ratios, spread } from './report.ts';
import { interleaved, of, type Pace, percent } from './rounds.ts';
import { certificate, type KeyKind, startBox, startMosquitto } from './servers.ts';
import { tableLag } from './table-lag.ts';

/**
 * DESIGN section 6, first bar: QoS 1 records, every PUBACK after a synced commit, beside mosquitto
 * with nothing on disk.
 */
export async function qos1(pace: Pace, listener: 'plain' | KeyKind): Promise<Row[]> {
  const tls = listener !== 'plain';
  const name = `QoS 1, 200 B, 50 connections, 16 in flight, ${tls ? `TLS with ${listener}` : 'plain'}`;
  pace.note(name);
  await using folder = await temporaryFolder();
  // The box makes itself one with ECDSA.
  const config = listener === 'RSA' ? { tls: certificate(folder.path, listener) } : {};
  const results = await interleaved(
    pace,
    {
      own: () => startBox({ config }),
      peer: () => startMosquitto('', serverCore, 0, tls ? listener : 'ECDSA'),
      floor: () => startBareMqtt(listener),
    },
    async server => {
      const measured = await measureMqtt(server, mqttLoad(server, tls, { seconds: pace.seconds }));
      return server.name === 'gatehouse' ? { ...measured, lag: await tableLag(server, 60_000) } : measured;
    },
  );
  const perRound = ratios(of(results.own, 'perSecond'), of(results.peer, 'perSecond'));
  const cpu = { own: median(of(results.own, 'cpuMicroseconds')), peer: median(of(results.peer, 'cpuMicroseconds')) };
  const facts =
    `the box used ${percent(median(of(results.own, 'cpuShare')))} of its core and ${cpu.own.toFixed(1)} µs of processor time a message, ` +
    `mosquitto ${percent(median(of(results.peer, 'cpuShare')))} and ${cpu.peer.toFixed(1)} µs; the load generator ` +
    `${percent(median(of(results.own, 'ownCpuShare')))} and ${percent(median(of(results.peer, 'ownCpuShare')))} of the other core; ` +
    `after the load, ${results.own.map(({ lag }) => lag).join('; ')}`;
  const ratio = median(perRound);
  const common = { peer: 'mosquitto, in memory' };
  return [
    {
      ...common,
      what: `${name}, messages/s`,
      own: spread(of(results.own, 'perSecond')),
      beside: spread(of(results.peer, 'perSecond')),
      ratio: spread(perRound, 2),
      floor: beside(results.floor, 'perSecond', of(results.own, 'perSecond'), tls),
      bar: 'first 0.5, then 1.2',
      met: ratio >= 0.5,
      why: `${ratio >= 1.2 ? 'both bars are met' : ratio >= 0.5 ? 'the second bar (1.2) is not met' : 'the first bar is not met'}: ${facts}`,
    },
    {
      ...common,
      what: `${name}, processor time, µs/message`,
      own: spread(of(results.own, 'cpuMicroseconds'), 1),
      beside: spread(of(results.peer, 'cpuMicroseconds'), 1),
      ratio: spread(ratios(of(results.own, 'cpuMicroseconds'), of(results.peer, 'cpuMicroseconds')), 2),
      floor: beside(results.floor, 'cpuMicroseconds', of(results.own, 'cpuMicroseconds'), tls),
      bar: 'no more than mosquitto',
      met: cpu.own <= cpu.peer,
      why:
        cpu.own <= cpu.peer
          ? ''
          : 'it includes the writing, the syncing and the tables behind the journal, which mosquitto does not do',
    },
  ];
}

/** p99 from PUBLISH to PUBACK at half of what the box took at full load. */
export async function latency(pace: Pace, tls: boolean): Promise<Row[]> {
  const name = `PUBLISH to PUBACK at half load, ${tls ? 'TLS' : 'plain'}`;
  pace.note(name);
  let rate = 0;
  {
    await using server = await startBox();
    rate = Math.round((await measureMqtt(server, mqttLoad(server, tls, { seconds: pace.seconds }))).perSecond / 2);
  }
  const results = await interleaved(pace, { own: () => startBox(), peer: () => startMosquitto() }, server =>
    // With 16 in flight, a round trip of 4 ms would use up the window at such rates: what waits in
    // the load would be measured, with mosquitto too.
    measureMqtt(server, mqttLoad(server, tls, { seconds: pace.seconds, rate, window: 64 })),
  );
  const bar = tls ? 9 : 8;
  return [
    {
      what: `${name} (${rate.toLocaleString('en-US')}/s), p99 ms`,
      own: spread(of(results.own, 'p99Ms'), 1),
      peer: 'mosquitto, in memory',
      beside: spread(of(results.peer, 'p99Ms'), 1),
      ratio: '',
      bar: `at most ${bar}, and no more than mosquitto, in every round`,
      met: of(results.own, 'p99Ms').every((p99, round) => p99 <= Math.min(bar, of(results.peer, 'p99Ms')[round]!)),
      why: `p50 ${spread(of(results.own, 'p50Ms'), 1)} ms, mosquitto ${spread(of(results.peer, 'p50Ms'), 1)} ms; the box used ${percent(median(of(results.own, 'cpuShare')))} of its core`,
    },
  ];
}

/**
 * Log records by HTTP push on kept connections, beside a server that only parses them. Both under
 * TLS: the box has no plain listener.
 */
export async function http(pace: Pace): Promise<Row[]> {
  const name = 'HTTP push, keep-alive, 50 connections, TLS';
  pace.note(name);
  const results = await interleaved(pace, { own: () => startBox(), peer: startBareHttp }, server =>
    measureHttp(server, pace.seconds, server.name === 'gatehouse'),
  );
  const perRound = ratios(of(results.own, 'perSecond'), of(results.peer, 'perSecond'));
  return [
    {
      what: `${name}, requests/s`,
      own: spread(of(results.own, 'perSecond')),
      peer: 'bare node:https',
      beside: spread(of(results.peer, 'perSecond')),
      ratio: spread(perRound, 2),
      bar: '0.65',
      met: median(perRound) >= 0.65,
      why: `both under TLS: the box has no plain listener; ${median(of(results.own, 'cpuMicroseconds')).toFixed(0)} µs of processor time a request, the bare server ${median(of(results.peer, 'cpuMicroseconds')).toFixed(0)} µs; p99 ${spread(of(results.own, 'p99Ms'), 1)} ms beside ${spread(of(results.peer, 'p99Ms'), 1)} ms`,
    },
  ];
}

/** From the start of the process to `ready`, on an empty store. */
export async function start(pace: Pace): Promise<Row[]> {
  pace.note('start to ready');
  const ms: number[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    await using server = await startBox();
    ms.push(server.startedInMs);
  }
  return [
    {
      what: 'start to `ready`, empty store, ms',
      own: spread(ms),
      peer: '',
      beside: '',
      ratio: '',
      bar: '',
      met: null,
      why: 'it makes its certificate authority and its tables too',
    },
  ];
}
