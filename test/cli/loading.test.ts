import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCoverageFolder } from '../support/modules-that-ran.ts';
import { BoxProcess, run } from '../support/program.ts';
import { aSite } from '../support/site.ts';

let box: BoxProcess;

beforeAll(async () => {
  box = await BoxProcess.start({}, aSite());
});
afterAll(() => box?.[Symbol.asyncDispose]());

// Schemas, config and store take a command longer than all else that it does.
test.each([
  ['status'],
  ['status', '--json'],
  ['user', 'list'],
  ['logs'],
  ['parked', 'list'],
  ['audit', 'verify'],
  ['alerts'],
  ['attendance', 'status'],
  ['fleet'],
  ['setup'],
  ['export', '--what', 'checkins'],
])('a command that asks a running box loads nothing of the box: %s %s %s', async (...words) => {
  await using folder = await aCoverageFolder();
  const asked = words.filter(word => word !== undefined);
  const outcome = await run([...asked, '--data-dir', box.dataDir], { env: { NODE_V8_COVERAGE: folder.path } });
  expect(outcome).toMatchObject({ status: 0, stderr: '' });
  const loaded = await folder.modulesThatRan();
  expect(loaded).toContain('src/admin-client/client.ts');
  const allowed = /^(src\/(cli|runtime|platform|words|admin-client)\/|tools\/commands\.ts$|builtin:)/;
  expect(loaded.filter(module => !allowed.test(module))).toEqual([]);
  expect(await folder.bundlesThatRan()).toEqual(['commands.cjs']);
});

test('it finds the data directory without the config where no config is named', async () => {
  await using folder = await aCoverageFolder();
  // What the test run itself is told by variables might be keys of the config.
  const ours = Object.keys(process.env).filter(name => name.startsWith('GATEHOUSE_'));
  const none = Object.fromEntries(ours.map(name => [name, '']));
  const env = { ...none, NODE_V8_COVERAGE: folder.path, GATEHOUSE_DATA_DIR: 'data' };
  const outcome = await run(['status'], { cwd: box.folder, env });
  expect(outcome).toMatchObject({ status: 0, stderr: '' });
  expect(await folder.bundlesThatRan()).toEqual(['commands.cjs']);
});

test('the commands are a small part of the program', async () => {
  const bytes = async (name: string) => (await stat(new URL(`../../dist/${name}`, import.meta.url))).size;
  expect((await bytes('commands.cjs')) + (await bytes('commands.cache'))).toBeLessThan(1_000_000);
});
