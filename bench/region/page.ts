/**
 * `bin/node bench/region/page.ts [--measure]`: writes the figures of docs/region-sizing.md from
 * bench/region/figures.json; with `--measure` measures again before, which takes some minutes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { Postgres } from '../../test/support/postgres.ts';
import { root } from '../machine.ts';
import { calculatedRange, rounded } from '../range.ts';
import { median } from '../report.ts';
import { measureProcesses, type RegionCase, type RegionMeasured, regionCases } from './processes.ts';
import { best, busiest, daily, type Figures, limits, type Needs, needs, sitesAt, worst } from './sizing.ts';

const figuresFile = `${root}bench/region/figures.json`;
export const sizingFile = `${root}docs/region-sizing.md`;
const [rounds, seconds, processes] = [3, 5, 2];
const names = Object.keys(regionCases) as RegionCase[];

export const readFigures = (): Figures => JSON.parse(readFileSync(figuresFile, 'utf8')) as Figures;

/** The page with its figures as they were measured. */
export function withSizes(page: string, figures: Figures): string {
  const put = (text: string, name: string, lines: readonly string[]) =>
    text.replace(
      new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`),
      (_, begin: string, end: string) => `${begin}${lines.join('\n')}\n${end}`,
    );
  return put(put(put(page, 'needs', needed(figures)), 'assumed', assumptions()), 'measured', measuredTable(figures));
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function needed(figures: Figures): string[] {
  const ends = [needs(figures, worst), needs(figures, best)] as const;
  const range = (key: keyof Needs): string => calculatedRange(ends[0][key], ends[1][key]);
  const { connections, connectionsGB } = ends[0];
  return [
    row(`for ${whole(worst.sites)} sites`, 'calculated', ''),
    row('---', '---', '---'),
    row('processes', range('processes'), 'one of them may be missing'),
    row('cores for them', range('nodeCores'), `used by ${worst.usedAtMost * 100} % at the busiest time`),
    row('cores for PostgreSQL', range('postgresCores'), 'the same'),
    row('connections of boxes', whole(connections), `${rounded(connectionsGB)} GB of memory in all processes`),
    row('the database grows, GB a day', range('diskGBPerDay'), 'until retention removes as much'),
    row('write-ahead log, GB a day', range('logGBPerDay'), 'to each standby and into the archive'),
    ...limits(figures, worst).map(limit =>
      row('sites at the most', calculatedRange(sitesAt(limit, worst), sitesAt(limit, best)), `then ${limit.what}`),
    ),
  ];
}

function assumptions(): string[] {
  const [peak, day] = [busiest(worst), daily(worst)];
  return [
    row('a site has', '', 'all sites together'),
    row('---', '---', '---'),
    row(
      'people and check-ins',
      `${worst.people}, ${worst.checkInsOfPerson} a day each, ${worst.inBusiestHalfHour * 100} % of them in the busiest half hour`,
      `${whole(day.checkIns)} a day, ${rounded(peak.checkIns)} a second then`,
    ),
    row(
      'devices and logs',
      `${worst.devices}, ${worst.logsOfDevice} of 200 B a day each, within ${worst.hoursOfLogs} hours`,
      `${whole(day.logs)} a day, ${rounded(peak.logs)} a second`,
    ),
    row('batches', 'each record in one of its own', `${rounded(peak.checkIns + peak.logs)} a second`),
    row('pulls', 'one in five seconds', `${rounded(peak.pulls)} a second`),
  ];
}

function measuredTable({ measured, on, busy, rounds: times, processes: count, cases }: Figures): string[] {
  return [
    `Measured ${measured} on ${on}, ${count} processes, PostgreSQL and the load of 64 boxes sharing two cores; ${times} rounds of ${seconds} s, medians; load averages of ${busy}.`,
    '',
    row('of one record, or one pull', 'a second', 'Node, µs', 'PostgreSQL, µs', 'write-ahead log, B', 'database, B'),
    row('---', '---', '---', '---', '---', '---'),
    ...names.map(name => {
      const of = cases[name];
      const rate = name === 'pulls' ? 'paced' : whole(of.perSecond);
      const costs = [of.nodeMicroseconds, of.postgresMicroseconds, of.logBytes, of.diskBytes].map(rounded);
      return row(regionCases[name].name, rate, ...costs);
    }),
  ];
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--measure')) writeFileSync(figuresFile, `${JSON.stringify(await measure(), null, 2)}\n`);
  writeFileSync(sizingFile, withSizes(readFileSync(sizingFile, 'utf8'), readFigures()));
  process.exit(0);
}

async function measure(): Promise<Figures> {
  await using postgres = await Postgres.start();
  const all = new Map<RegionCase, RegionMeasured[]>(names.map(name => [name, []]));
  const loads: number[] = [];
  for (let round = 0; round < rounds; round++)
    for (const name of names) {
      const measured = await measureProcesses(processes, name, postgres, seconds);
      loads.push(loadavg()[0]!);
      process.stderr.write(`${name}: ${JSON.stringify(measured)}, load ${loads.at(-1)!.toFixed(1)}\n`);
      all.get(name)!.push(measured);
    }
  const medians = (of: readonly RegionMeasured[]): RegionMeasured => {
    const middle = (key: keyof RegionMeasured) => Number(median(of.map(one => one[key])).toPrecision(4));
    return {
      perSecond: middle('perSecond'),
      nodeMicroseconds: middle('nodeMicroseconds'),
      postgresMicroseconds: middle('postgresMicroseconds'),
      logBytes: middle('logBytes'),
      diskBytes: middle('diskBytes'),
    };
  };
  return {
    measured: new Date().toISOString().slice(0, 10),
    on: cpus()[0]?.model.trim() ?? 'an unknown processor',
    busy: `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`,
    ...{ rounds, processes },
    cases: Object.fromEntries(names.map(name => [name, medians(all.get(name)!)])) as unknown as Figures['cases'],
  };
}
