/**
 * `npm run bench [-- --row qos1 --rounds 1 --seconds 2 --write]`: the device rows of the performance bars beside mosquitto and a bare
 * node:https server, the server pinned to one core and the load to another. Prints a table, says which bars are met and why the others are not.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { drain, paced } from './drain.ts';
import { describeMachine, mosquitto, root } from './machine.ts';
import { type Row, reasons, table } from './report.ts';
import { http, latency, memory, type Pace, qos1, start } from './rows.ts';

const rows: Readonly<Record<string, (pace: Pace) => Promise<Row[]>>> = {
  qos1: pace => qos1(pace, false),
  'qos1-tls': pace => qos1(pace, true),
  latency: pace => latency(pace, false),
  'latency-tls': pace => latency(pace, true),
  http,
  drain,
  paced,
  memory,
  start,
};
const needMosquitto = new Set(['qos1', 'qos1-tls', 'latency', 'latency-tls', 'drain']);

const { values } = parseArgs({
  options: {
    row: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
});
const asked = values.row ?? Object.keys(rows);
const unknown = asked.find(name => !(name in rows));
if (unknown !== undefined) {
  process.stderr.write(`no row "${unknown}": write one of ${Object.keys(rows).join(', ')}\n`);
  process.exit(2);
}
const pace: Pace = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  note: line => void process.stderr.write(`${line}\n`),
};

const results: Row[] = [];
const left: string[] = [];
for (const name of asked) {
  if (needMosquitto.has(name) && !mosquitto) {
    left.push(`${name}: mosquitto is not installed; apt-get install mosquitto`);
    continue;
  }
  try {
    results.push(...(await rows[name]!(pace)));
  } catch (error) {
    left.push(`${name}: ${(error as Error).message.split('\n')[0]}`);
  }
}

const command = `npm run bench${process.argv.length > 2 ? ` -- ${process.argv.slice(2).join(' ')}` : ''}`;
const text = `Measured ${new Date().toISOString().slice(0, 10)} by \`${command}\` on ${describeMachine()}: ${pace.rounds} rounds of ${
  pace.seconds
} s, interleaved; the server on core 0, the load on core 1; limits lifted by the config; every acknowledgement after a commit with \`synchronous=FULL\`.

${table(results)}

${reasons(results)}
${left.length > 0 ? `\nNot measured:\n\n${left.map(line => `- ${line}`).join('\n')}\n` : ''}`;
process.stdout.write(`${text}\n`);
if (values.write)
  await writeFile(
    `${root}docs/performance.md`,
    `# Performance\n\nWhat the box does beside its peers, and the command that measures it. Figures are of one machine: compare the ratios.\n\n${text}`,
  );
