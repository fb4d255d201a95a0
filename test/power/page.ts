import type { FileSystem } from './btrfs.ts';
import { faultNames, isGood } from './findings.ts';
import { choices, kinds } from './moments.ts';
import type { CutResult, ExaminedCut } from './power-record.ts';
import type { Scenario } from './scenario.ts';

export interface RecordRun {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly version: string;
  readonly commit: string;
  readonly seed: number;
  readonly fileSystem: FileSystem;
  readonly blockBytes: number;
  readonly machine: string;
  readonly minutes: number;
  readonly command: string;
  /** Several recordings of a scenario are several results. */
  readonly results: readonly CutResult[];
}

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** The page of a run, in Markdown. */
export function recordPage(run: RecordRun, scenarios: readonly Scenario[]): string {
  const cuts = run.results.flatMap(result => result.cuts);
  const count = (fits: (cut: ExaminedCut) => boolean) => cuts.filter(fits).length;
  const faulty = (name: (typeof faultNames)[number], among = cuts) =>
    among.filter(cut => cut.findings[name].length > 0).length;
  const seconds = cuts.flatMap(cut => (cut.readySeconds === null ? [] : [cut.readySeconds])).sort((a, b) => a - b);
  const flushes = run.results.reduce((sum, result) => sum + result.flushes, 0);
  const flushesCut = run.results.reduce((sum, result) => sum + result.flushesCut, 0);
  const at = (portion: number) =>
    seconds[Math.min(seconds.length - 1, Math.floor(seconds.length * portion))]!.toFixed(1);
  const lines = [
    '# Power cuts at every write',
    '',
    'The box works on a disk whose writes and flushes are logged in order. For each moment a disk is put together as a',
    'cut of the power may leave it; the file system is repaired, the store is opened, and everything that was',
    'acknowledged before that moment has to be there, in order and readable, with tables, cursors, counts and the audit',
    'log that fit it. How it works, and what it does not show: [decisions/power-cuts.md](decisions/power-cuts.md).',
    'What needs a boot (the first start of a card, slots, the environment of GRUB) is cut in a machine that runs the image,',
    'on the same log: `npm run test:image`.',
    '',
    'This page is written by the command, which anybody can run (root, `/dev/fuse`, loop devices):',
    '',
    `    ${run.command}`,
    '',
    '## The result',
    '',
    row('', ''),
    row('---', '---'),
    row('date', run.day),
    row('version', `${run.version} (${run.commit})`),
    row('machine', run.machine),
    row('seed', run.seed),
    row(
      'file system',
      run.fileSystem === 'btrfs'
        ? 'btrfs as mkfs.btrfs makes it'
        : `ext4 with blocks of ${grouped(run.blockBytes)} bytes, mounted as the images mount it`,
    ),
    row('moments', `**${grouped(cuts.length)}** in ${run.minutes} minutes`),
    row('acknowledgements recorded', grouped(run.results.reduce((sum, result) => sum + result.acknowledged, 0))),
    row('moments at which something acknowledged was lost', `**${faulty('lost')}**`),
    row('out of order', `**${faulty('outOfOrder')}**`),
    row('unreadable', `**${faulty('unreadable')}**`),
    row('inconsistent tables, cursors, counts, audit log', `**${faulty('inconsistent')}**`),
    row(
      run.fileSystem === 'btrfs'
        ? 'checked by `btrfs check`, and mounted'
        : 'recovered by `e2fsck -y`, as the images do',
      grouped(count(cut => !cut.byMount)),
    ),
    row('recovered by mounting', grouped(count(cut => cut.byMount))),
    row('flushes recorded, and cut right before they took effect', `${grouped(flushes)}, ${grouped(flushesCut)}`),
    row(
      'given to a real box',
      seconds.length === 0
        ? 'none'
        : `${seconds.length}: \`ready\` after ${at(0)} to ${at(1)} s, half of them within ${at(0.5)} s`,
    ),
    '',
    '## While what',
    '',
    row('name', 'what happens', 'moments', 'acknowledged', ...faultNames.map(name => faultTitles[name])),
    row('---', '---', ...['---:', '---:', ...faultNames.map(() => '---:')]),
    ...scenarios
      .map(scenario => ({ scenario, results: run.results.filter(result => result.scenario === scenario.name) }))
      .filter(({ results }) => results.length > 0)
      .map(({ scenario, results }) => {
        const own = results.flatMap(result => result.cuts);
        const acknowledged = results.reduce((sum, result) => sum + result.acknowledged, 0);
        const faults = faultNames.map(name => faulty(name, own));
        return row(`\`${scenario.name}\``, scenario.says, grouped(own.length), grouped(acknowledged), ...faults);
      }),
    '',
    '## What the disk kept of the writes that no flush had confirmed',
    '',
    row('kept', ...choices.map(choice => choiceTitles[choice]), 'faulty'),
    row('---', ...choices.map(() => '---:'), '---:'),
    ...kinds.map(kind => {
      const own = cuts.filter(cut => cut.moment.kind === kind);
      const by = choices.map(choice => grouped(own.filter(cut => cut.moment.choice === choice).length));
      return row(kindTitles[kind], ...by, own.filter(cut => !isGood(cut.findings)).length);
    }),
    '',
    'The same harness must find what is wrong: with `synchronous = NORMAL` in place of `FULL`, and with a disk that drops',
    'a third of its flushes, `test/power/power-cuts.long.test.ts` fails unless records are lost.',
    '',
  ];
  return lines.join('\n');
}

const faultTitles = {
  lost: 'lost',
  outOfOrder: 'out of order',
  unreadable: 'unreadable',
  inconsistent: 'inconsistent',
} as const;
const choiceTitles = {
  acknowledgement: 'right after an acknowledgement',
  flush: 'right before a flush takes effect',
  anywhere: 'anywhere',
} as const;
const kindTitles = {
  none: 'none',
  all: 'all',
  half: 'each with one half',
  reordered: 'the first ones of another order',
  torn: 'all but a part of the last one',
} as const;
