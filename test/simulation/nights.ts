/**
 * `npm run nights -- --seeds N`: simulates N nights of a box, each from its own seed, and prints a
 * line for each finding, the command that repeats it, and the row for docs/nights.md
 * (`--write` appends it there). `--seed S` repeats one: what it found, and the fewest steps that
 * find the same.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { memoryFolder } from '../support/memory-folder.ts';
import { type OldBugName, putBack } from './old-bugs.ts';
import { shrink } from './shrink.ts';
import type { Outcome } from './simulate.ts';
import { planOf, toldOf } from './steps.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Every so many seeds one is simulated twice. */
const twiceEvery = 10;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
    'old-bug': { type: 'string' },
    days: { type: 'string', default: '0' },
    until: { type: 'string' },
    write: { type: 'boolean', default: false },
    part: { type: 'boolean', default: false },
  },
});
const bug = values['old-bug'];
const planOfSeed = (seed: number) => planOf(seed, Number(values.days));

type Told = Omit<Outcome, 'history'> & { readonly seed: number };

if (values.seed !== undefined) await repeat(Number(values.seed));
else if (values.part) await part(Number(values.first), Number(values.seeds));
else await nights(Number(values.first), Number(values.seeds));

/** Of many seeds, a part for each processor. */
async function nights(first: number, seeds: number): Promise<void> {
  const parts = Math.min(seeds, availableParallelism());
  const sum = { seeds: 0, hours: 0, records: 0, faults: 0, findings: 0 };
  await Promise.all(
    Array.from({ length: parts }, async (_, index) => {
      const from = first + Math.floor((seeds * index) / parts);
      const to = first + Math.floor((seeds * (index + 1)) / parts);
      for await (const told of partOf(from, to - from)) {
        sum.seeds++;
        sum.hours += told.hours;
        sum.records += told.records;
        sum.faults += told.faults;
        if (told.findings.length === 0) continue;
        sum.findings++;
        const again = `npm run nights -- --seed ${told.seed}${bug === undefined ? '' : ` --old-bug '${bug}'`}`;
        process.stdout.write(`seed ${told.seed}: ${told.findings[0]}\n  ${again}\n`);
      }
    }),
  );
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const count = (number: number) => Math.round(number).toLocaleString('en');
  const figures = [sum.seeds, sum.hours, sum.records, sum.faults, sum.findings].map(count);
  const row = `| ${[new Date().toISOString().slice(0, 10), commit, 'simulation', ...figures].join(' | ')} |\n`;
  process.stdout.write(row);
  if (values.write) appendFileSync(join(root, 'docs', 'nights.md'), row);
  process.exitCode = sum.findings === 0 ? 0 : 1;
}

async function* partOf(first: number, seeds: number): AsyncGenerator<Told> {
  const child = spawn(
    process.execPath,
    [
      '--max-semi-space-size=32',
      ...[fileURLToPath(import.meta.url), '--part', '--first', String(first), '--seeds', String(seeds)],
      ...(bug === undefined ? [] : ['--old-bug', bug]),
      ...['--days', values.days],
      ...(values.until === undefined ? [] : ['--until', values.until]),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<number>(resolve => child.once('exit', code => resolve(code ?? 1)));
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as Told;
  if ((await ended) !== 0) throw new Error(`the seeds from ${first} on ended early`);
}

async function begun() {
  const isPutBack = bug === undefined ? () => true : putBack(bug as OldBugName);
  // Not before: it loads a part of the program.
  const { beginSimulating, simulate } = await import('./simulate.ts');
  const folder = mkdtempSync(join(memoryFolder().TMPDIR ?? tmpdir(), 'gatehouse-simulated-'));
  await beginSimulating();
  if (!isPutBack()) throw new Error(`the program was loaded without its old bug: ${bug}`);
  return { folder, simulate, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

async function part(first: number, seeds: number): Promise<void> {
  const until = values.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(values.until);
  const realNow = Date.now;
  using place = await begun();
  const { simulate } = place;
  for (let seed = first; seed < first + seeds && realNow() < until; seed++) {
    const { history: _, ...outcome } = await simulate(planOfSeed(seed), join(place.folder, 'one'));
    const findings = [...outcome.findings];
    if (seed % twiceEvery === 0) {
      const { digest } = await simulate(planOfSeed(seed), join(place.folder, 'again'));
      if (digest !== outcome.digest) findings.push('unlike: the same seed has two histories');
    }
    process.stdout.write(`${JSON.stringify({ ...outcome, seed, findings } satisfies Told)}\n`);
  }
}

async function repeat(seed: number): Promise<void> {
  using place = await begun();
  const { simulate } = place;
  const plan = planOfSeed(seed);
  const outcome = await simulate(plan, join(place.folder, 'one'));
  const histories = join(root, 'node_modules', '.cache', 'histories');
  mkdirSync(histories, { recursive: true });
  const file = join(histories, `seed-${seed}.ndjson`);
  writeFileSync(file, outcome.history);
  process.stdout.write(`${outcome.digest}  bin/node test/history/check.ts ${file}\n`);
  for (const finding of outcome.findings) process.stdout.write(`${finding}\n`);
  const rule = outcome.findings[0]?.split(':')[0];
  if (rule === undefined) return;
  const fewest = await shrink(plan, async shorter => {
    const { findings } = await simulate(shorter, join(place.folder, 'shorter'));
    return findings.some(finding => finding.startsWith(`${rule}:`));
  });
  process.stdout.write(`\n${fewest.steps.length} of ${plan.steps.length} steps find the same:\n`);
  for (const step of fewest.steps) process.stdout.write(`${toldOf(step)}\n`);
  process.exitCode = 1;
}
