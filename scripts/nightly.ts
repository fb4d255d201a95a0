import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Runs what a night has time for: the suites called `*.nightly.test.ts`, the story of the images,
 * and the long runs of the suites that kill, cut and fill:
 *
 *     npm run test:nightly [-- NAME...] [-- --list]
 *
 * As root, on a machine with the packages of `.ci/run`. A run that fails does not keep the others
 * from running; the exit status is 1 if one did.
 */

export interface NightlyRun {
  readonly name: string;
  /** About, on two idle cores; a run ends with what it took. */
  readonly minutes: number;
  /** Figures in place of those of `npm run test:long`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of vitest, or of a script where the first one ends in `.ts`. */
  readonly words: readonly string[];
}

const cutsPage = 'node_modules/.cache/power-cuts/page.md';

export const nightlyRuns: readonly NightlyRun[] = [
  { name: 'suites', minutes: 74, words: ['--project', 'nightly-*', '--no-file-parallelism'] },
  {
    name: 'kills',
    minutes: 25,
    env: { KILLS: '300', MONTHS: '6' },
    words: ['--project', 'long-system', 'kill', 'chain', 'events', 'whole-answers'],
  },
  {
    name: 'region-kills',
    minutes: 30,
    env: { KILLS: '20', CRASHES: '5', FREEZES: '3', DEVICES: '60', BOXES: '500' },
    words: [
      '--project',
      'long-*',
      '--project',
      'nightly-*',
      'system/region',
      'postgres/processes',
      'postgres/failover',
    ],
  },
  { name: 'power-cuts', minutes: 20, words: ['scripts/power-cuts.ts', '--cuts', '10000', '--page', cutsPage] },
  { name: 'nights', minutes: 35, words: ['test/simulation/nights.ts', '--seeds', '10000'] },
  { name: 'errors', minutes: 10, env: { CUTS: '600' }, words: ['--project', 'long-parts', 'passing-errors'] },
  { name: 'payroll', minutes: 15, env: { PUNCHES: '1000000' }, words: ['--project', 'long-parts', 'payroll'] },
  {
    name: 'attack',
    minutes: 6,
    env: { ATTACK_SECONDS: '60', ATTACK_ADDRESSES: '1,4,240' },
    words: ['--project', 'long-system', 'system/attack'],
  },
  {
    name: 'large-site',
    minutes: 20,
    env: { CHECKINS: '10000000', SECONDS: '600' },
    words: ['--project', 'long-parts', 'ui/many.'],
  },
  {
    name: 'looks',
    minutes: 10,
    env: { LOOKS: 'all' },
    words: ['--project', 'long-parts', 'ui/clicks', 'ui/commission', 'ui/every-page.long', 'ui/first-sentence'],
  },
  {
    name: 'first-paint',
    minutes: 5,
    env: { FIRST_PAINT_MS: '1000' },
    words: ['--project', 'long-parts', 'ui/phone'],
  },
  { name: 'image', minutes: 55, words: ['--project', 'image'] },
];

const root = fileURLToPath(new URL('..', import.meta.url));
const print = (line: string) => process.stdout.write(`${line}\n`);
const sumOf = (minutes: readonly number[]) => Math.round(minutes.reduce((sum, one) => sum + one, 0));

function succeeds({ words, env }: NightlyRun): boolean {
  const program = words[0]!.endsWith('.ts') ? words : ['node_modules/vitest/vitest.mjs', 'run', ...words];
  const { status } = spawnSync(`${root}bin/node`, program, {
    ...{ cwd: root, stdio: 'inherit' },
    env: { ...process.env, GATEHOUSE_TEST_SKIP: 'nothing', ...env },
  });
  return status === 0;
}

function runAll(runs: readonly NightlyRun[]): boolean {
  print(`about ${sumOf(runs.map(({ minutes }) => minutes))} minutes: ${runs.map(({ name }) => name).join(', ')}`);
  mkdirSync(`${root}node_modules/.cache/power-cuts`, { recursive: true });
  const ended = runs.map(run => {
    print(`\n----- ${run.name}, about ${run.minutes} minutes`);
    const begun = performance.now();
    const good = succeeds(run);
    return { name: run.name, good, minutes: (performance.now() - begun) / 60_000 };
  });
  print(`\n${sumOf(ended.map(({ minutes }) => minutes))} minutes`);
  for (const { name, good, minutes } of ended)
    print(`${good ? 'passed' : 'FAILED'}  ${name.padEnd(14)}${minutes.toFixed(1).padStart(6)} min`);
  return ended.every(({ good }) => good);
}

if (import.meta.main) {
  const words = process.argv.slice(2);
  const names = words.filter(word => word !== '--list');
  const unknown = names.filter(name => !nightlyRuns.some(run => run.name === name));
  if (unknown.length > 0) throw new Error(`${unknown.join()}: write ${nightlyRuns.map(({ name }) => name).join(', ')}`);
  const runs = nightlyRuns.filter(({ name }) => names.length === 0 || names.includes(name));
  if (words.includes('--list'))
    for (const { name, minutes, env = {} } of runs)
      print(
        `${name.padEnd(14)}${String(minutes).padStart(4)} min  ${Object.entries(env)
          .map(pair => pair.join('='))
          .join(' ')}`,
      );
  else process.exitCode = runAll(runs) ? 0 : 1;
}
