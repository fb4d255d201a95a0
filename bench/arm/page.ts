/**
 * `bin/node bench/arm/page.ts [--measure [CASE …]]`: writes the figures of docs/arm.md from
 * bench/arm/counts.json; with `--measure` counts again before (cases.ts), which takes an hour for
 * all.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { root } from '../machine.ts';
import { calculatedRange, rounded } from '../range.ts';
import { type CaseName, cases } from './cases.ts';
import { type Assumed, best, type Counted, loneMs, rate, stormSeconds, worst } from './estimate.ts';
import { countCases, mediansOf } from './instructions.ts';

const countsFile = `${root}bench/arm/counts.json`;
export const pageFile = `${root}docs/arm.md`;
const rounds = 2;
const seconds = 5;

export const readCounts = (): Counted => JSON.parse(readFileSync(countsFile, 'utf8')) as Counted;

/** The page with its figures as the counts give them. */
export function withFigures(page: string, counted: Counted): string {
  const put = (text: string, name: string, figures: string) =>
    text.replace(
      new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`),
      (_, begin: string, end: string) => `${begin}${figures}\n${end}`,
    );
  return put(put(page, 'calculated', calculated(counted)), 'assumed', assumptions());
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

function days({ cases }: Counted): string {
  const all = [...new Set(Object.values(cases).map(({ measured }) => measured))].sort();
  return all.length === 1 ? all[0]! : `from ${all[0]} to ${all.at(-1)}`;
}

function calculated(counted: Counted): string {
  const line = (what: string, instructions: string, of: (assumed: Assumed) => number): string =>
    `| ${[what, instructions, calculatedRange(of(worst), of(best))].join(' | ')} |`;
  const aSecond = (name: CaseName): string =>
    line(`${cases[name].name}: how many a second`, rounded(counted.cases[name].all), assumed =>
      rate(counted.cases[name], cases[name].inFlight, assumed),
    );
  return [
    `Counted ${days(counted)}; the kernel's share on ${counted.on}.`,
    '',
    '| what | instructions, counted | on a board, calculated |',
    '|---|---|---|',
    ...(Object.keys(cases) as CaseName[]).map(aSecond),
    line('a lone check-in: ms until it is acknowledged', '', assumed => loneMs(counted, assumed)),
    ...[500, 2000].map(devices =>
      line(
        `${whole(devices)} TLS devices come back with 100 check-ins each: s until all are acknowledged`,
        '',
        assumed => stormSeconds(counted, devices, 100, assumed),
      ),
    ),
  ].join('\n');
}

function assumptions(): string {
  const line = (what: string, of: (assumed: Assumed) => string): string =>
    `- ${what}: at worst ${of(worst)}, at best ${of(best)}`;
  return [
    line('instructions that a core executes in a cycle', ({ ipc }) => ipc.toFixed(1)),
    line("the kernel's time beside the program's, against the machine that counted", ({ kernel }) => `× ${kernel}`),
    line('a sync', ({ syncMs }) => `${syncMs} ms`),
    line('processor and card work', ({ overlaps }) => (overlaps ? 'both at the same time' : 'one after the other')),
    line('check-ins of devices that come back cost as', ({ stormCheckin }) =>
      stormCheckin === 'checkin' ? 'those with 16 in flight' : 'those with one in flight',
    ),
  ].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const [option, ...names] = process.argv.slice(2);
  if (option === '--measure')
    writeFileSync(countsFile, `${JSON.stringify(await measure(names as CaseName[]), null, 2)}\n`);
  writeFileSync(pageFile, withFigures(readFileSync(pageFile, 'utf8'), readCounts()));
  process.exit(0);
}

/** Counts some cases, or all where none is named. */
async function measure(names: readonly CaseName[]): Promise<Counted> {
  const note = (line: string) => void process.stderr.write(`${line}\n`);
  const pace = { rounds, seconds, minutes: 0, rows: 0, records: 0, note, onRound: () => {} };
  const measured = new Date().toISOString().slice(0, 10);
  const medians = mediansOf(await countCases(pace, names.length > 0 ? names : undefined));
  const dated = Object.entries(medians).map(([name, counts]) => [name, { measured, ...counts }]);
  return {
    on: cpus()[0]?.model.trim() ?? 'an unknown processor',
    cases: { ...readCounts().cases, ...Object.fromEntries(dated) },
  };
}
