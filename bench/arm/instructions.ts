import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorShares, root, temporaryFolder } from '../machine.ts';
import type { Seen } from '../measure.ts';
import { median, type Row, spread } from '../report.ts';
import { type Pace, percent } from '../rounds.ts';
import { startBox } from '../servers.ts';
import { armLibraries, binaryFor } from '../tools.ts';
import { type Case, type CaseName, cases } from './cases.ts';

const secondsMin = 15;
/** Long enough for the emulated program to be compiled: until then it interprets and compiles. */
const emulatedWarmUpSeconds = 30;
const warmUpSeconds = 5;

/** OpenSSL then uses what every ARMv8 has: a Raspberry Pi 4 has no instructions for AES and SHA. */
const withoutCrypto = 'OPENSSL_armcap=1';

const allCases = Object.keys(cases) as readonly CaseName[];

/** What one of a case takes. */
export interface CaseCounts {
  /** Instructions of all threads, without the kernel. */
  readonly all: number;
  /** Those of the busiest thread among them. */
  readonly busiest: number;
  /** The kernel's share of the processor time, on the machine that counted. */
  readonly kernelShare: number;
}

interface Round extends CaseCounts {
  readonly emulated: Seen;
}

/**
 * What the executable for ARM costs in instructions: they are the same on every board, whatever
 * emulates it, and what docs/arm.md calculates with. The kernel's share comes from this machine.
 */
export async function armInstructions(pace: Pace): Promise<Row[]> {
  const counted = await countCases(pace);
  return Object.entries(counted).map(([name, rounds]) => {
    const share = (part: (round: Round) => number) => spread(rounds.map(round => part(round) * 100));
    return {
      what: `instructions of the executable for ARM for ${cases[name as CaseName].name}`,
      own: spread(rounds.map(({ all }) => all)),
      peer: '',
      beside: '',
      ratio: '',
      bar: '',
      met: null,
      why:
        `${share(({ busiest, all }) => busiest / all)} % of them in the busiest thread; counted under qemu-aarch64 (OpenSSL without instructions for AES and SHA, as on a Raspberry Pi 4), ` +
        'all threads, but without the kernel; on this machine the kernel takes ' +
        `${share(({ kernelShare }) => kernelShare)} % of the processor time for it; the emulator reached ${spread(rounds.map(({ emulated }) => emulated.perSecond))}/s`,
    };
  });
}

/**
 * Cases in as many rounds as `pace` says. An emulated round takes a minute, of a site five.
 */
export async function countCases(pace: Pace, names = allCases): Promise<Record<CaseName, Round[]>> {
  await using folder = await temporaryFolder();
  const plugin = join(folder.path, 'count.so');
  execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', plugin, `${root}bench/arm/count-instructions.c`]);
  const counted = {} as Record<CaseName, Round[]>;
  for (const name of names) {
    pace.note(cases[name].name);
    counted[name] = [];
    for (let number = 1; number <= pace.rounds; number++) {
      const file = join(folder.path, `instructions-${name}-${number}`);
      const counts = await countEmulated(plugin, file, name, Math.max(secondsMin, pace.seconds));
      const round = { ...counts, kernelShare: await kernelShare(name, pace.seconds) };
      counted[name].push(round);
      pace.note(
        `  round ${number}: ${Math.round(round.all)} instructions, ${percent(round.kernelShare)} in the kernel`,
      );
    }
  }
  return counted;
}

/** Of each case the median of its rounds. */
export function mediansOf(counted: Readonly<Record<CaseName, readonly Round[]>>): Record<CaseName, CaseCounts> {
  const medians = Object.entries(counted).map(([name, rounds]) => {
    const of = (part: (round: Round) => number) => median(rounds.map(part));
    const counts: CaseCounts = {
      all: Math.round(of(({ all }) => all)),
      busiest: Math.round(of(({ busiest }) => busiest)),
      kernelShare: Number(of(({ kernelShare }) => kernelShare).toFixed(2)),
    };
    return [name, counts];
  });
  return Object.fromEntries(medians) as Record<CaseName, CaseCounts>;
}

async function countEmulated(plugin: string, file: string, name: CaseName, seconds: number) {
  const command = [
    ...['env', withoutCrypto, 'qemu-aarch64', '-plugin', `${plugin},out=${file}`, '-L', armLibraries],
    binaryFor('arm64'),
  ];
  const { load, site }: Case = cases[name];
  await using server = await startBox({ command, ...(site && { site }) });
  let before = instructionsIn(file);
  const emulated = await load(server, { seconds, warmUpSeconds: emulatedWarmUpSeconds }, () => {
    before = instructionsIn(file);
  });
  const each = instructionsIn(file).map((after, thread) => (after - before[thread]!) / emulated.acknowledged);
  return { all: each.reduce((sum, one) => sum + one), busiest: Math.max(...each), emulated };
}

/** Of the processor time of the same load on this machine, natively. */
async function kernelShare(name: CaseName, seconds: number): Promise<number> {
  const { load, site }: Case = cases[name];
  await using server = await startBox({ ...(site && { site }) });
  let before = processorShares(server.pid);
  await load(server, { seconds, warmUpSeconds }, () => {
    before = processorShares(server.pid);
  });
  const after = processorShares(server.pid);
  const [user, system] = [after.user - before.user, after.system - before.system];
  return system / (user + system);
}

/** So far, of each thread. */
function instructionsIn(file: string): number[] {
  const counters = readFileSync(file);
  return Array.from({ length: counters.length / 64 }, (_, thread) => Number(counters.readBigUInt64LE(thread * 64)));
}
