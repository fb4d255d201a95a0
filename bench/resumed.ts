import { randomUUID } from 'node:crypto';
import { temporaryFolder } from './machine.ts';
import { measureConnecting } from './measure.ts';
import { median, type Row, ratios, spread } from './report.ts';
import { interleaved, of, type Pace } from './rounds.ts';
import { type Server, startBox } from './servers.ts';

const cpuMax = { 'TLSv1.2': 350, 'TLSv1.3': 500 } as const;

/**
 * Power returns to a site whose box was off too: each device resumes the TLS session that it had
 * with the box before. Beside full handshakes of the same version.
 */
export async function resumed(pace: Pace, version: keyof typeof cpuMax): Promise<Row[]> {
  const name = `known devices connect after a restart of the box, 16 at once, ${version} resumed by ticket`;
  pace.note(name);
  await using folder = await temporaryFolder();
  /** Where the sessions are that the devices of a server have. */
  const sessionsOf = new Map<Server, string>();
  const restarted = async (): Promise<Server> => {
    const here = `${folder.path}/${randomUUID()}`;
    const sessions = `${here}.sessions`;
    {
      await using before = await startBox({ dataDir: here, endBy: 'SIGTERM' });
      await measureConnecting(before, true, pace.seconds, { version, sessions, resumes: false });
    }
    const server = await startBox({ dataDir: here });
    sessionsOf.set(server, sessions);
    return server;
  };
  const { own, peer } = await interleaved(pace, { own: restarted, peer: () => startBox() }, server => {
    const sessions = sessionsOf.get(server);
    return measureConnecting(
      server,
      true,
      pace.seconds,
      sessions === undefined ? { version } : { version, sessions, resumes: true },
    );
  });
  const cpu = of(own, 'cpuMicroseconds');
  return [
    {
      what: `${name}, processor time, µs/connection`,
      own: spread(cpu),
      peer: 'the box, full handshakes',
      beside: spread(of(peer, 'cpuMicroseconds')),
      ratio: spread(ratios(cpu, of(peer, 'cpuMicroseconds')), 2),
      bar: `at most ${cpuMax[version]}`,
      met: median(cpu) <= cpuMax[version],
      why: `every session was resumed, else there is no figure; ${spread(of(own, 'perSecond'))} connections/s, in full ${spread(of(peer, 'perSecond'))}`,
    },
  ];
}
