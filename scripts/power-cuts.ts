import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fileSystems } from '../test/power/btrfs.ts';
import { imageBlockBytes } from '../test/power/ext4.ts';
import { isGood, said } from '../test/power/findings.ts';
import { FuseDisk } from '../test/power/fuse-disk.ts';
import { recordPage } from '../test/power/page.ts';
import type { CutResult, ExaminedCut } from '../test/power/power-record.ts';
import { repeatFailure, runRecord } from '../test/power/run.ts';
import type { Scenario } from '../test/power/scenario.ts';
import { scenarios } from '../test/power/scenarios/list.ts';

/**
 * Cuts the power of a box at many moments, and writes docs/power-cuts.md:
 *
 *     npm run power-cuts -- --cuts 10000 [--seed N] [--only SCENARIO] [--page FILE] [--file-system btrfs]
 *     npm run power-cuts -- --repeat FILE
 *
 * The cuts repeat from the seed, the recordings do not (they depend on timing): a moment at which
 * something is wrong is kept in a file, and `--repeat` looks at it alone. Ends with 1 if there was
 * one. With `--only`, or on btrfs, no page is written, unless it is named.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const keepIn = join(root, 'node_modules', '.cache', 'power-cuts');
/**
 * Enough to cut each flush of one recording of each scenario. Then the page is written, and all is
 * recorded again.
 */
const roundMax = 10_000;
const print = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    'file-system': { type: 'string', default: 'ext4' },
    page: { type: 'string' },
    repeat: { type: 'string' },
  },
});

async function repeat(file: string): Promise<boolean> {
  const { byRepair, byMount } = await repeatFailure(file);
  print(`repaired: ${isGood(byRepair) ? 'nothing is wrong' : said(byRepair)}`);
  print(`mounted:  ${isGood(byMount) ? 'nothing is wrong' : said(byMount)}`);
  return isGood(byRepair) && isGood(byMount);
}

async function run(): Promise<boolean> {
  const [cuts, seed] = [Number(values.cuts), Number(values.seed)];
  if (!Number.isInteger(cuts) || cuts < 1 || !Number.isInteger(seed)) throw new Error('--cuts and --seed are numbers');
  const fileSystem = fileSystems.find(one => one === values['file-system']);
  if (fileSystem === undefined) throw new Error(`--file-system takes one of ${fileSystems.join(', ')}`);
  const among = scenarios.filter(({ name }) => values.only === undefined || name === values.only);
  if (among.length === 0) throw new Error(`--only takes one of ${scenarios.map(({ name }) => name).join(', ')}`);
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const began = performance.now();
  let done = 0;
  let wrong = 0;
  const onCut = (scenario: Scenario, { findings, moment, kept }: ExaminedCut) => {
    if (++done % 100 === 0) print(`${done} of ${cuts} (${scenario.name}), ${wrong} with a loss or a fault`);
    if (isGood(findings)) return;
    wrong++;
    print(`${scenario.name}, request ${moment.entries}, kept ${moment.kind}: ${said(findings)}`);
    if (kept) print(`  alone: npm run power-cuts -- --repeat ${kept}`);
  };
  const isUsual = values.only === undefined && fileSystem === 'ext4';
  const page = values.page ?? (isUsual ? join(root, 'docs', 'power-cuts.md') : null);
  const results: CutResult[] = [];
  for (let round = 0; done < cuts; round++) {
    const own = Math.min(cuts - done, roundMax);
    results.push(...(await runRecord({ cuts: own, seed: seed + round * 100_000, among, keepIn, fileSystem, onCut })));
    print(`${done} moments, ${wrong} with a loss or a fault`);
    if (page === null) continue;
    const run = {
      day: new Date().toISOString().slice(0, 10),
      version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
      commit,
      seed,
      fileSystem,
      blockBytes: imageBlockBytes,
      machine: `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Linux, Node ${process.versions.node}`,
      minutes: Math.max(1, Math.round((performance.now() - began) / 60_000)),
      command: `npm run power-cuts -- --cuts ${done} --seed ${seed}${fileSystem === 'ext4' ? '' : ` --file-system ${fileSystem}`}`,
      results,
    };
    writeFileSync(page, recordPage(run, scenarios));
    print(`written: ${page}`);
  }
  return wrong === 0;
}

if (!FuseDisk.possible) throw new Error(`power cuts: ${FuseDisk.needs}`);
process.exitCode = (values.repeat ? await repeat(values.repeat) : await run()) ? 0 : 1;
