import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorShares, root, temporaryFolder } from '../machine.ts';
import { type Measured, measureConnecting, measureMqtt, mqttLoad } from '../measure.ts';
import { type Row, spread } from '../report.ts';
import { of, type Pace, percent } from '../rounds.ts';
import { type Server, startBox } from '../servers.ts';
import { armLibraries, binaryFor } from '../tools.ts';

/** Long enough for the emulated program to be compiled: until then it interprets and compiles. */
const warmUpSeconds = 30;
const secondsMin = 15;

/** What a box does at a site, each with what is counted. */
const loads = {
  'a message of QoS 1, 16 in flight, plain': (server: Server, seconds: number, begun: () => void) =>
    measureMqtt(server, mqttLoad(server, false, { seconds, warmUpSeconds }), begun),
  'a message of QoS 1, 16 in flight, TLS': (server: Server, seconds: number, begun: () => void) =>
    measureMqtt(server, mqttLoad(server, true, { seconds, warmUpSeconds }), begun),
  'a message of QoS 1, one in flight, plain': (server: Server, seconds: number, begun: () => void) =>
    measureMqtt(server, mqttLoad(server, false, { connections: 200, window: 1, seconds, warmUpSeconds }), begun),
  'a connection of a known device, plain': (server: Server, seconds: number, begun: () => void) =>
    measureConnecting(server, false, seconds, { warmUpSeconds }, begun),
  'a connection of a known device, TLS with ECDSA': (server: Server, seconds: number, begun: () => void) =>
    measureConnecting(server, true, seconds, { warmUpSeconds }, begun),
} satisfies Record<string, (server: Server, seconds: number, begun: () => void) => Promise<Measured>>;

/**
 * What the executable for ARM costs in instructions: they are the same on every board, whatever
 * emulates it, and what docs/arm.md calculates with. The kernel's share comes from this machine.
 */
export async function armInstructions(pace: Pace): Promise<Row[]> {
  await using folder = await temporaryFolder();
  const plugin = join(folder.path, 'count.so');
  execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', plugin, `${root}bench/arm/count-instructions.c`]);
  const rows: Row[] = [];
  for (const [name, load] of Object.entries(loads)) {
    pace.note(name);
    const [counts, kernel]: [number[], number[]] = [[], []];
    const emulated: Measured[] = [];
    for (let round = 0; round < pace.rounds; round++) {
      const file = join(folder.path, `instructions-${rows.length}-${round}`);
      const { instructions, measured } = await counted(plugin, file, load, Math.max(secondsMin, pace.seconds));
      counts.push(instructions / measured.acknowledged);
      emulated.push(measured);
      kernel.push(await kernelShare(load, pace.seconds));
      pace.note(
        `  round ${round + 1}: ${Math.round(counts.at(-1)!)} instructions, ${percent(kernel.at(-1)!)} in the kernel`,
      );
    }
    rows.push({
      what: `instructions of the executable for ARM for ${name}`,
      own: spread(counts),
      peer: '',
      beside: '',
      ratio: '',
      bar: '',
      met: null,
      why: `counted under qemu-aarch64, all threads, but without the kernel, and without the tables that are filled when somebody asks; on this machine the kernel takes ${spread(kernel.map(share => share * 100))} % of the processor time for it; the emulator reached ${spread(of(emulated, 'perSecond'))}/s`,
    });
  }
  return rows;
}

async function counted(plugin: string, file: string, load: (typeof loads)[keyof typeof loads], seconds: number) {
  const command = ['qemu-aarch64', '-plugin', `${plugin},out=${file}`, '-L', armLibraries, binaryFor('arm64')];
  await using server = await startBox({ command });
  let before = 0;
  const measured = await load(server, seconds, () => {
    before = instructionsIn(file);
  });
  return { instructions: instructionsIn(file) - before, measured };
}

/** Of the processor time of the same load on this machine, natively. */
async function kernelShare(load: (typeof loads)[keyof typeof loads], seconds: number): Promise<number> {
  await using server = await startBox();
  let before = processorShares(server.pid);
  await load(server, seconds, () => {
    before = processorShares(server.pid);
  });
  const after = processorShares(server.pid);
  const [user, system] = [after.user - before.user, after.system - before.system];
  return system / (user + system);
}

function instructionsIn(file: string): number {
  if (!existsSync(file)) return 0;
  const counters = readFileSync(file);
  let sum = 0;
  for (let at = 0; at < counters.length; at += 64) sum += Number(counters.readBigUInt64LE(at));
  return sum;
}
