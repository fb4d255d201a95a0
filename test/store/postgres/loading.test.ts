import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { aCoverageFolder } from '../../support/modules-that-ran.ts';
import { BoxProcess } from '../../support/program.ts';
import { aSite, productKey } from '../../support/site.ts';
import { MqttTerminal } from '../../support/terminal.ts';

const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));
const isOfRegion = (name: string) => /^src\/store\/postgres\/|^node_modules\/pg\b/.test(name);
const filesOfRegion = ['region.cjs', 'postgres-thread.cjs', 'pg.cjs'];

test('a box that serves a terminal reads no file and runs no module of a region', async () => {
  await using folder = await aCoverageFolder();
  await using box = await BoxProcess.start({}, aSite(), { NODE_V8_COVERAGE: folder.path });
  const ca = await box.ask('trust', 'export', '--edition', 'slim');
  const identity = { deviceId: 'FACE-T1_L0001', key: productKey };
  const terminal = new MqttTerminal(identity, `mqtts://127.0.0.1:${box.port('mqtts')}`, { ca });
  await terminal.say('device');
  await terminal.say('log');
  await terminal.end();
  expect(await box.export('checkins')).toHaveLength(1);
  expect(await box.stop(), box.stderr).toBe(0);
  const ran = await folder.modulesThatRan();
  // Of the program and of the threads of its store.
  expect(ran).toContain('src/store/open.ts');
  expect(ran).toContain('src/store/writer/thread.ts');
  expect(ran.filter(isOfRegion)).toEqual([]);
  const read = await folder.bundlesThatRan();
  expect(read).toContain('program.cjs');
  expect(read).toContain('store-thread.cjs');
  expect(read.filter(file => filesOfRegion.includes(file))).toEqual([]);
});

test('the files that a box reads hold nothing of a region', async () => {
  for (const file of ['commands.cjs', 'program.cjs', 'store-thread.cjs', 'import-thread.cjs', 'reports-thread.cjs'])
    expect(
      (await readFile(join(dist, file), 'latin1')).match(/"(src\/store\/postgres|node_modules\/pg)\/[\w./-]+"\(/g),
      file,
    ).toBe(null);
  expect(await readFile(join(dist, 'region.cjs'), 'latin1')).toContain('"src/store/postgres/open.ts"(');
});

test('a process of a region reads both, here until it finds no server', async () => {
  await using folder = await aCoverageFolder();
  await using process = await BoxProcess.make({}, aSite(), { NODE_V8_COVERAGE: folder.path });
  const store = { engine: 'postgres', url: `postgresql://nobody@/none?host=${encodeURIComponent(process.folder)}` };
  await process.configure({ store, listen: { mqtts: 'off', https: '127.0.0.1:0', http: 'off' } });
  await expect(process.start()).rejects.toThrow('the database cannot be used');
  expect((await folder.modulesThatRan()).filter(isOfRegion)).toContain('src/store/postgres/open.ts');
  expect(await folder.bundlesThatRan()).toEqual(expect.arrayContaining(filesOfRegion));
});
