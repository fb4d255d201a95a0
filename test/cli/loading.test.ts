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
  ['export', '--what', 'checkins'],
])('a command that asks a running box loads nothing of the box: %s %s %s', async (...words) => {
  await using folder = await aCoverageFolder();
  const asked = words.filter(word => word !== undefined);
  const outcome = await run([...asked, '--data-dir', box.dataDir], { env: { NODE_V8_COVERAGE: folder.path } });
  expect(outcome).toMatchObject({ status: 0, stderr: '' });
  const loaded = await folder.modulesThatRan();
  expect(loaded).toContain('src/admin-client/client.ts');
  const allowed = /^(src\/(cli|runtime|platform|admin-client)\/|builtin:)/;
  expect(loaded.filter(module => !allowed.test(module))).toEqual([]);
});
