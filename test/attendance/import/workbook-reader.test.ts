import { closeSync, cpSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { byProgram, readXlsx, workbookReader } from '../../../src/attendance/import/read-xlsx.ts';
import { type BoundedProgram, runBounded, v8CodeBytes } from '../../../src/runtime/bounded-program.ts';
import { aClient, signInEverybody } from '../../support/every-caller.ts';
import { aBoxWithEveryListener } from '../../support/every-listener.ts';
import { workbookParts, zipped } from '../../support/workbook-parts.ts';

/** What a library that reads people's files may do one day, in the place of it. */
const withoutEnd = {
  'allocates ArrayBuffers': 'const held = []; for (;;) held.push(new Uint8Array(1 << 20).fill(1));',
  'fills its heap': "const held = []; for (let one = 0; ; one++) held.push({ text: 'x' + one });",
  writes: "for (;;) require('node:fs').writeSync(1, 'x'.repeat(1 << 16));",
  'writes rows': `for (;;) require('node:fs').writeSync(1, '{"line":1,"cells":["${'x'.repeat(1 << 16)}"]}\\n');`,
  thinks: 'for (;;);',
  waits: 'setInterval(() => {}, 1 << 30);',
};
const tooMuch = 'the file needs too much memory or time: split it, or save it as CSV';
const failed = 'the reader of workbooks failed: try again, or save the list as CSV';

const cells = (...texts: string[]): string =>
  `<row>${texts.map(text => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
const workbook = zipped(workbookParts(cells('ext_id', 'name', 'department_ext_id') + cells('e1', 'Wu', '0')));
const tableOf = async (reader?: BoundedProgram) => (await readXlsx(workbook, null, reader && byProgram(reader))).table;
const readGood = { ok: true, rows: [{ cells: ['e1', 'Wu', '0'] }] };

function aFolder(): string {
  const folder = mkdtempSync(join(import.meta.dirname, '.workbook-reader-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The reader of workbooks with a program in its place. */
function aReader(program: string, bounds: Partial<BoundedProgram> = {}): BoundedProgram {
  const file = join(aFolder(), 'reader.cjs');
  writeFileSync(file, program);
  return { ...workbookReader(), command: [process.execPath, file], ...bounds };
}

test.each(Object.entries(withoutEnd))(
  'a reader of workbooks that %s without end ends the import alone',
  async (name, program) => {
    const bounds = { thinks: { processorSecondsMax: 1 }, waits: { durationMsMax: 500 } }[name];
    expect(await tableOf(aReader(program, bounds))).toMatchObject({ ok: false, line: 1, reason: tooMuch });
    expect(await tableOf()).toMatchObject(readGood);
  },
);

test.each([
  ['says no row', "process.stdout.write('[1]\\n1\\n')"],
  ['says cells that are no text', `process.stdout.write('{"line":1,"cells":[{}]}\\n1\\n')`],
  ['says half of the rows', `process.stdout.write('{"line":1,"cells":["a"]}\\n')`],
  ['says nothing', ''],
  ['ends with an unknown status', 'process.exit(9)'],
])('a reader of workbooks that %s is not believed', async (_name, program) => {
  expect(await tableOf(aReader(program))).toMatchObject({ ok: false, line: 1, reason: failed });
});

test.each([
  [64, { ok: true, header: { cells: ['done'] } }],
  [192, { ok: false, reason: tooMuch }],
])('of 192 MiB, a reader of workbooks that takes %d MiB of ArrayBuffers gets …', async (mib, table) => {
  const program = `const held = Array.from({ length: ${mib} }, () => new Uint8Array(1 << 20).fill(1));
    console.log('{"line":1,"cells":["done"]}\\n' + (held.length > 0 ? 1 : 0));`;
  const reader = aReader(program, { memoryBytesMax: v8CodeBytes + (192 << 20) });
  expect(await tableOf(reader)).toMatchObject(table);
});

test('a list of 100,000 people is read while the event loop goes on', async () => {
  const row = cells('e1', '李梅', 'd1');
  const bytes = zipped(workbookParts(cells('ext_id', 'name', 'department_ext_id') + row.repeat(100_000)));
  let turns = 0;
  let isReading = true;
  const turn = () => {
    turns++;
    if (isReading) setImmediate(turn);
  };
  turn();
  const { table } = await readXlsx(bytes);
  isReading = false;
  expect(table).toMatchObject({ ok: true, rows: { length: 100_000 } });
  expect(turns).toBeGreaterThan(100);
});

test('a reader of workbooks that cannot be started is an error in words', async () => {
  const reader = { ...workbookReader(), command: ['/nowhere/node'] };
  expect(await tableOf(reader)).toMatchObject({ ok: false, line: 1, reason: failed });
});

test('the reader of workbooks gets no secret, no open file and no folder of the box, and makes no file', async () => {
  const saidBy = async (...command: string[]) => {
    let said = '';
    for await (const chunk of runBounded({ ...workbookReader(), command }, Buffer.from('input'))) said += chunk;
    return said.trim().split('\n').sort();
  };
  vi.stubEnv('GATEHOUSE_SECRET', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await saidBy('/usr/bin/env')).filter(line => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line))).toEqual([
    'MALLOC_ARENA_MAX=2',
  ]);
  expect(await saidBy('/bin/pwd')).toEqual(['/']);
  const file = join(aFolder(), 'file');
  const opened = openSync(file, 'w');
  expect((await saidBy('/bin/ls', '-l', '/proc/self/fd')).join('\n')).not.toContain(file);
  closeSync(opened);
  expect(await saidBy('/bin/cat', '/proc/self/oom_score_adj')).toEqual(['1000']);
  expect(await saidBy('/bin/cat')).toEqual(['input']);
  await saidBy('/bin/sh', '-c', 'echo text > "$1" || exit 0', 'sh', file).catch(() => {});
  expect(statSync(file).size).toBe(0);
});

test('a box goes on whatever the reader of workbooks does, and imports the next workbook', async () => {
  await using running = await aBoxWithEveryListener();
  const { staff } = await signInEverybody(running.box);
  using client = aClient(running.target('https'));
  const path = '/admin/v1/people/import?what=employees&dry_run=true';
  const imported = async () => {
    const answer = await client.ask({ method: 'POST', path, headers: staff[0]!(path), body: workbook });
    return JSON.parse(answer.body);
  };
  const bundles = process.env.GATEHOUSE_THREADS!;
  for (const name of ['allocates ArrayBuffers', 'writes'] as const) {
    const folder = aFolder();
    cpSync(bundles, folder, { recursive: true });
    writeFileSync(join(folder, 'workbook-reader.cjs'), withoutEnd[name]);
    vi.stubEnv('GATEHOUSE_THREADS', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await imported(), name).toMatchObject({ wrong: 1, problems: [{ line: 1, reason: tooMuch }] });
    vi.unstubAllEnvs();
    expect(await imported()).toMatchObject({ rows: 1, wrong: 0, added: 1 });
  }
});
