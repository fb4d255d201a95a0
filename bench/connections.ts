import { serverCore, temporaryFolder } from './machine.ts';
import { measureConnecting } from './measure.ts';
import { median, type Row, ratios, spread } from './report.ts';
import { interleaved, of, type Pace, percent } from './rounds.ts';
import { certificate, type KeyKind, startBox, startMosquitto } from './servers.ts';

/**
 * Connections made in a second, as after a power cut at a site, each with a full handshake; beside
 * mosquitto with a certificate of the same kind.
 */
export async function connections(pace: Pace, listener: 'plain' | KeyKind): Promise<Row[]> {
  const tls = listener !== 'plain';
  const name = `connecting, 16 at once, ${tls ? `TLS with ${listener}` : 'plain'}`;
  pace.note(name);
  await using folder = await temporaryFolder();
  const config = listener === 'RSA' ? { tls: certificate(folder.path, listener) } : {};
  const { own, peer } = await interleaved(
    pace,
    () => startBox({ config }),
    () => startMosquitto('', serverCore, 0, tls ? listener : 'ECDSA'),
    server => measureConnecting(server, tls, pace.seconds),
  );
  const shares = (all: typeof peer, key: 'cpuShare' | 'ownCpuShare') => percent(median(of(all, key)));
  const failed = [...own, ...peer].reduce((sum, { broken }) => sum + broken, 0);
  return [
    {
      what: `${name}, connections/s`,
      own: spread(of(own, 'perSecond')),
      peer: 'mosquitto, in memory',
      beside: spread(of(peer, 'perSecond')),
      ratio: spread(ratios(of(own, 'perSecond'), of(peer, 'perSecond')), 2),
      bar: '',
      met: null,
      why:
        `p99 to CONNACK ${spread(of(own, 'p99Ms'), 1)} ms, mosquitto ${spread(of(peer, 'p99Ms'), 1)} ms; the box used ${shares(own, 'cpuShare')} of its core, ` +
        `mosquitto ${shares(peer, 'cpuShare')}; the load generator ${shares(own, 'ownCpuShare')} and ${shares(peer, 'ownCpuShare')} of the other: ` +
        `where it is near 100 % the processor time below tells more; ${failed} were not greeted`,
    },
    {
      what: `${name}, processor time, µs/connection`,
      own: spread(of(own, 'cpuMicroseconds')),
      peer: 'mosquitto, in memory',
      beside: spread(of(peer, 'cpuMicroseconds')),
      ratio: spread(ratios(of(own, 'cpuMicroseconds'), of(peer, 'cpuMicroseconds')), 2),
      bar: '',
      met: null,
      why: 'the box looks the device up, makes new ones known and writes down who came and went',
    },
  ];
}
