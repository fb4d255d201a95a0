import { processorSeconds } from './machine.ts';
import { type Measured, measureMqtt, mqttLoad } from './measure.ts';
import { type Row, spread } from './report.ts';
import { of, type Pace, percent } from './rounds.ts';
import { program, startBox } from './servers.ts';

const delayMs = 20;
/**
 * Only these two calls are stopped, by a filter in the kernel: everything else runs at full speed.
 */
const slowed = [
  ...['strace', '-D', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync'],
  ...['-e', `inject=fsync,fdatasync:delay_exit=${delayMs * 1000}`],
];

/**
 * The box on a disk that takes 20 ms to sync, as a cheap card does: ingest, and p99 at half of it.
 * strace delays each sync, so no such disk is needed.
 */
export async function slowDisk(pace: Pace): Promise<Row[]> {
  pace.note(`a disk with a sync of ${delayMs} ms`);
  const start = () => startBox({ command: [...slowed, ...program] });
  const [full, half, without] = [[], [], []] as Measured[][];
  for (let round = 0; round < pace.rounds; round++) {
    {
      await using server = await startBox();
      without!.push(await measureMqtt(server, mqttLoad(server, false, { seconds: pace.seconds })));
    }
    {
      await using server = await start();
      if (processorSeconds(server.pid) === 0) throw new Error('strace took the place of the box');
      full!.push(await measureMqtt(server, mqttLoad(server, false, { seconds: pace.seconds })));
    }
    await using server = await start();
    const rate = Math.round(full!.at(-1)!.perSecond / 2);
    half!.push(await measureMqtt(server, mqttLoad(server, false, { seconds: pace.seconds, rate })));
    pace.note(
      `  round ${round + 1}: ${Math.round(full!.at(-1)!.perSecond)}/s, p99 ${half!.at(-1)!.p99Ms.toFixed(1)} ms`,
    );
  }
  const common = { ratio: '', bar: '', met: null, peer: "on this machine's disk" };
  return [
    {
      ...common,
      what: `ingest on a disk with a sync of ${delayMs} ms, plain, messages/s`,
      own: spread(of(full!, 'perSecond')),
      beside: spread(of(without!, 'perSecond')),
      why: `the delay is put in by strace at the end of each fsync and fdatasync; 50 connections with 16 in flight can have no more than ${((50 * 16 * 1000) / delayMs).toLocaleString('en-US')} acknowledged a second there; the box used ${percent(of(full!, 'cpuShare')[0]!)} of its core`,
    },
    {
      ...common,
      what: `PUBLISH to PUBACK at half of that, p99 ms`,
      own: spread(of(half!, 'p99Ms'), 1),
      peer: '',
      beside: '',
      why: `p50 ${spread(of(half!, 'p50Ms'), 1)} ms`,
    },
  ];
}
