import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileFolder } from '../../../src/services/files/file-folder.ts';
import { aServiceBox } from '../../support/services.ts';
import { until } from '../../support/until.ts';

async function all(ids: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const id of ids) found.push(id);
  return found;
}

const hourMs = 3600_000;

async function* slowly(text: string, gate: Promise<void>) {
  yield Buffer.from(text.slice(0, 1));
  await gate;
  yield Buffer.from(text.slice(1));
}

test('an upload goes on while another process of the same directory starts', async () => {
  await using box = await aServiceBox();
  const { dataDir } = box.opened;
  const now = Date.now();
  const one = await FileFolder.open({ folder: dataDir, process: 'one' }, now);
  const gate = Promise.withResolvers<void>();
  const receiving = one.receive(slowly('a file', gate.promise), 100);
  const incoming = join(dataDir, 'files', 'incoming');
  await until('it comes in', async () => (await readdir(incoming)).length === 1);
  await writeFile(join(incoming, 'left'), 'by a power cut');
  await utimes(join(incoming, 'left'), (now - 25 * hourMs) / 1000, (now - 25 * hourMs) / 1000);
  const other = await FileFolder.open({ folder: dataDir, process: 'other' }, now);
  expect(await readdir(incoming)).toHaveLength(1);
  gate.resolve();
  const fileId = `gh${'0'.repeat(40)}`;
  await one.keep(await receiving, fileId);
  expect(await readdir(incoming)).toEqual([]);
  // Its row is not written yet: another process must not take it for one that nobody knows.
  expect(await all(other.stored(now))).toEqual([]);
  expect(await all(other.stored(now + 25 * hourMs))).toEqual([fileId]);
});

test('a box that starts removes what was coming in at once', async () => {
  await using box = await aServiceBox();
  const { dataDir } = box.opened;
  const incoming = join(dataDir, 'files', 'incoming');
  await mkdir(incoming, { recursive: true });
  await writeFile(join(incoming, 'left'), 'by a power cut');
  await FileFolder.open({ folder: dataDir, process: null }, Date.now());
  expect(await readdir(incoming)).toEqual([]);
});
