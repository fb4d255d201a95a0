import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '../../src/cli/command.ts';
import { openOut } from '../../src/cli/out.ts';

async function aFolder() {
  const cwd = await mkdtemp(join(tmpdir(), 'gatehouse-out-'));
  const call = (out: string) => ({ cwd, options: { out } }) as unknown as Call;
  return { cwd, call, [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }) };
}

test('a file has its name only when all of it is written, and replaces the one before', async () => {
  await using folder = await aFolder();
  const file = join(folder.cwd, 'rows.csv');
  await writeFile(file, 'of before');
  {
    await using out = openOut(folder.call('rows.csv'));
    await out.write('one\n');
    expect(await readFile(file, 'utf8')).toBe('of before');
    await out.write('two\n');
    await out.done();
  }
  expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
  expect(await readdir(folder.cwd)).toEqual(['rows.csv']);
});

test('what was cut off leaves the file of before, and nothing else', async () => {
  await using folder = await aFolder();
  const cutOff = async (name: string) => {
    await using out = openOut(folder.call(name));
    await out.write('one\n');
    throw new Error('the box went away');
  };
  await writeFile(join(folder.cwd, 'rows.csv'), 'of before');
  await expect(cutOff('rows.csv')).rejects.toThrow('the box went away');
  await expect(cutOff('new.csv')).rejects.toThrow('the box went away');
  expect(await readdir(folder.cwd)).toEqual(['rows.csv']);
  expect(await readFile(join(folder.cwd, 'rows.csv'), 'utf8')).toBe('of before');
});

test('a device is written to, and stays what it is', async () => {
  await using folder = await aFolder();
  await using out = openOut(folder.call('/dev/null'));
  await out.write('one\n');
  await out.done();
  expect(await readdir(folder.cwd)).toEqual([]);
});
