import { spawnSync } from 'node:child_process';
import { dataFolder } from './big-store.ts';
import { root } from './machine.ts';
import { median, type Row, ratios, spread } from './report.ts';
import type { Pace } from './rounds.ts';
import { program, startBox } from './servers.ts';

/** Runs of each command in a round: one takes so little that a single one tells nothing. */
const runs = 10;
const barMs = 150;

/**
 * Commands that ask a running box, from the start of the process to its end, beside a bare start of
 * Node, in turn. Not pinned: a person waits for them, on a machine that has nothing else to do.
 */
export async function commands(pace: Pace): Promise<Row[]> {
  pace.note('commands that ask a running box');
  await using folder = await dataFolder(0, pace.note);
  await using box = await startBox({ dataDir: folder.dataDir });
  const asked = { status: ['status'], 'user list': ['user', 'list'], 'parked list': ['parked', 'list'] };
  const bare: number[] = [];
  const own: Record<string, number[]> = Object.fromEntries(Object.keys(asked).map(name => [name, []]));
  for (let round = 0; round < pace.rounds; round++) {
    const turns = Array.from({ length: runs }, () => ({
      bare: wallMs([`${root}bin/node`, '--eval', '0']),
      own: Object.values(asked).map(words => wallMs([...program, ...words, '--data-dir', box.dataDir])),
    }));
    bare.push(median(turns.map(turn => turn.bare)));
    for (const [at, name] of Object.keys(asked).entries()) own[name]!.push(median(turns.map(turn => turn.own[at]!)));
    const shown = Object.entries(own).map(([name, values]) => `${name} ${values.at(-1)!.toFixed(0)} ms`);
    pace.note(`  round ${round + 1}: ${shown.join(', ')}, bare ${bare.at(-1)!.toFixed(0)} ms`);
  }
  return Object.entries(own).map(([name, values]) => ({
    what: `\`gatehouse ${name}\` of a running box, ms`,
    own: spread(values),
    peer: 'a bare start of Node',
    beside: spread(bare),
    ratio: spread(ratios(values, bare), 2),
    bar: `at most ${barMs}`,
    met: Math.max(...values) <= barMs,
    why: name === 'status' ? `the median of ${runs} runs in each round, each from exec to exit` : '',
  }));
}

function wallMs([command, ...words]: readonly string[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(command!, words);
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - begun;
}
