/**
 * `npm run bench [-- --only qos1 --rounds 1 --seconds 2 --write FILE]`: the performance bars beside
 * mosquitto and a bare node:https server, the server pinned to one core and the load to another.
 * Prints a table, which bars are met, why the others are not, and what was not measured.
 */
import { appendFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { entries, plan } from './list.ts';
import { describeMachine } from './machine.ts';
import { median, type Row, reasons, table } from './report.ts';
import { type Pace, percent, stolenMax } from './rounds.ts';
import { tools } from './tools.ts';

const usage = `usage: npm run bench -- [--only ROW]... [--rounds COUNT] [--seconds S] [--minutes M] [--rows COUNT] [--records COUNT] [--write FILE]

  --only ROW      this row, and others that are named so; all but soak when absent:
                  ${Object.keys(entries).join(', ')}
  --rounds COUNT  how often each figure is taken; 5 when absent
  --seconds S     how long each time; 5 when absent
  --minutes M     how long the soak lasts; 60 when absent
  --rows COUNT    in the full store; 10000000 when absent
  --records COUNT that paced-long drains, from 4000000 on; 5000000 when absent, which takes six minutes
  --write FILE    appends the report to this file
`;
const refuse = (why: string): never => {
  process.stderr.write(`${why}\n${usage}`);
  process.exit(2);
};
const readWords = () =>
  parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
      minutes: { type: 'string', default: '60' },
      rows: { type: 'string', default: '10000000' },
      records: { type: 'string', default: '5000000' },
      write: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;
const values = (() => {
  try {
    return readWords();
  } catch (error) {
    return refuse((error as Error).message);
  }
})();
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const temporaryPath = /\S*\/gatehouse-bench-\w+\//g;
const unknown = values.only?.find(name => !(name in entries));
if (unknown !== undefined) refuse(`no row "${unknown}"`);
const number = (name: 'rounds' | 'seconds' | 'minutes' | 'rows' | 'records'): number => {
  const value = Number(values[name]);
  if (value > 0) return value;
  return refuse(`--${name} ${values[name]}: must be a number over 0`);
};
const pace: Pace = {
  rounds: number('rounds'),
  seconds: number('seconds'),
  minutes: number('minutes'),
  rows: number('rows'),
  records: number('records'),
  note: line => void process.stderr.write(`${line}\n`),
  onRound: (stolen, counts) => {
    shares.push(stolen);
    if (!counts) leftOut++;
  },
};
/** Of the processors, what was stolen in each round. */
const shares: number[] = [];
let leftOut = 0;

process.once('SIGINT', () => process.exit(130));
const { run, left } = plan(values.only, tool => (tools[tool].there() ? null : tools[tool].bring));
const results: Row[] = [];
const notMeasured = [...left];
for (const name of run) {
  try {
    results.push(...(await entries[name]!.run(pace)));
  } catch (error) {
    const { message } = error as Error;
    pace.note(message);
    // The second line has the last output before it gave up.
    const brief = message.split('\n').slice(0, 2).join(' ').replaceAll(temporaryPath, '').trim();
    notMeasured.push(`${name}: ${brief}`);
  }
}

const stolen =
  shares.length === 0
    ? ''
    : ` Of the processors ${percent(median(shares))} (${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}) was stolen; ${leftOut} of ${shares.length} rounds with more than ${percent(stolenMax)} are left out.`;
const command = `npm run bench${process.argv.length > 2 ? ` -- ${process.argv.slice(2).join(' ')}` : ''}`;
const body = `Measured ${new Date().toISOString().slice(0, 10)} by \`${command}\` on ${describeMachine()}: ${pace.rounds} rounds of ${
  pace.seconds
} s, interleaved; the server on core 0, the load on core 1; the load offers X25519 and P-256, as devices do; limits lifted by the config; every acknowledgement after a commit with \`synchronous=FULL\`.${stolen}

${table(results)}

${reasons(results)}
${notMeasured.length > 0 ? `\nNot measured:\n\n${notMeasured.map(line => `- ${line}`).join('\n')}\n` : ''}`;
process.stdout.write(`${body}\n`);
if (values.write !== undefined) await appendFile(values.write, `## ${run.join(', ')}\n\n${body}\n`);
process.exit(0);
