import { startBareMqtt } from './bare-servers.ts';
import { serverCore, temporaryFolder } from './machine.ts';
import { measureConnecting } from './measure.ts';
import { beside, median, type Row, ratios, spread } from './report.ts';
import { interleaved, of, type Pace, percent } from './rounds.ts';
import { certificate, type KeyKind, startBox, startMosquitto } from './servers.ts';

/** Of mosquitto's rate, where the handshake is not what takes the time. */
const bar = 0.7;

/**
 * Connections made in a second, as after a power cut at a site, each with a full handshake; beside
 * mosquitto with a certificate of the same kind.
 */
export async function connections(pace: Pace, listener: 'plain' | KeyKind): Promise<Row[]> {
  const tls = listener !== 'plain';
  const name = `known devices connect, 16 at once, ${tls ? `TLS with ${listener}` : 'plain'}`;
  pace.note(name);
  await using folder = await temporaryFolder();
  const config = listener === 'RSA' ? { tls: certificate(folder.path, listener) } : {};
  const { own, peer, floor } = await interleaved(
    pace,
    {
      own: () => startBox({ config }),
      peer: () => startMosquitto('', serverCore, 0, tls ? listener : 'ECDSA'),
      floor: () => startBareMqtt(listener),
    },
    server => measureConnecting(server, tls, pace.seconds),
  );
  const shares = (all: typeof peer, key: 'cpuShare' | 'ownCpuShare') => percent(median(of(all, key)));
  const failed = [...own, ...peer].reduce((sum, { broken }) => sum + broken, 0);
  const perRound = ratios(of(own, 'perSecond'), of(peer, 'perSecond'));
  const cpu = of(own, 'cpuMicroseconds');
  // A device that comes back after a power cut waits for those before it.
  const cpuMax = { plain: 120, ECDSA: 750, RSA: null }[listener];
  return [
    {
      what: `${name}, connections/s`,
      own: spread(of(own, 'perSecond')),
      peer: 'mosquitto, in memory',
      beside: spread(of(peer, 'perSecond')),
      ratio: spread(perRound, 2),
      floor: beside(floor, 'perSecond', of(own, 'perSecond'), tls),
      bar: tls ? '' : `at least ${bar} in every round`,
      met: tls ? null : Math.min(...perRound) >= bar,
      why:
        `p99 to CONNACK ${spread(of(own, 'p99Ms'), 1)} ms, mosquitto ${spread(of(peer, 'p99Ms'), 1)} ms; the box used ${shares(own, 'cpuShare')} of its core, ` +
        `mosquitto ${shares(peer, 'cpuShare')}; the load generator ${shares(own, 'ownCpuShare')} and ${shares(peer, 'ownCpuShare')} of the other: ` +
        `where it is near 100 % the processor time below tells more; ${failed} were not greeted`,
    },
    {
      what: `${name}, processor time, µs/connection`,
      own: spread(cpu),
      peer: 'mosquitto, in memory',
      beside: spread(of(peer, 'cpuMicroseconds')),
      ratio: spread(ratios(cpu, of(peer, 'cpuMicroseconds')), 2),
      floor: beside(floor, 'cpuMicroseconds', cpu, tls),
      bar: cpuMax === null ? '' : `at most ${cpuMax}`,
      met: cpuMax === null ? null : median(cpu) <= cpuMax,
      why: 'devices that the box knows: it looks them up, checks the password and writes down who came and went',
    },
  ];
}
