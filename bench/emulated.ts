import { measureMqtt, mqttLoad } from './measure.ts';
import { type Row, ratios, spread } from './report.ts';
import { interleaved, of, type Pace } from './rounds.ts';
import { startBox } from './servers.ts';
import { armLibraries, binaryFor } from './tools.ts';

/**
 * The executable for ARM beside the one for x64, both emulated: compares what a message costs on
 * each. The figures are not those of any board.
 */
export async function emulated(pace: Pace): Promise<Row[]> {
  pace.note('the executables, emulated');
  const { own, peer } = await interleaved(
    pace,
    {
      own: () => startBox({ command: ['qemu-aarch64-static', '-L', armLibraries, binaryFor('arm64')] }),
      peer: () => startBox({ command: ['qemu-x86_64-static', binaryFor('x64')] }),
    },
    server =>
      measureMqtt(
        server,
        mqttLoad(server, false, { seconds: pace.seconds, warmUpSeconds: Math.max(10, pace.seconds) }),
      ),
  );
  return [
    {
      what: 'the executable for ARM under qemu-user, processor time, µs/message',
      own: spread(of(own, 'cpuMicroseconds'), 1),
      peer: 'the one for x64 under qemu-user',
      beside: spread(of(peer, 'cpuMicroseconds'), 1),
      ratio: spread(ratios(of(own, 'cpuMicroseconds'), of(peer, 'cpuMicroseconds')), 2),
      bar: '',
      met: null,
      why: `for the ratio alone: an emulator does not run at the pace of any board; ${spread(of(own, 'perSecond'))} messages/s beside ${spread(of(peer, 'perSecond'))}`,
    },
  ];
}
