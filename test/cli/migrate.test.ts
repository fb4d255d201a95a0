import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-migrate-'));
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'none'), 'a database somewhere\n');
  await writeFile(join(folder, 'address'), 'postgresql://a:s3cret@127.0.0.1:1/b\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const migrate = (...words: string[]) => runCommand(['migrate', ...words, '--data-dir', 'data'], { cwd: folder });

test.each([
  [[], 2, 'say where to: --to postgres, or --take-back to let a box start again'],
  [['--to', 'mysql'], 2, '--to "mysql": write one of postgres'],
  [['--to', 'postgres'], 2, '--url is missing: write file: and the path of a file with the address'],
  [['--to', 'postgres', '--url', 'postgresql://a:s3cret@db/b'], 2, '--url: write the address into a file'],
  [['--take-back', '--to', 'postgres'], 2, '--take-back goes with neither --to nor --url'],
  [['--to', 'postgres', '--url', 'file:missing'], 1, 'missing: the address of the database cannot be read'],
  [['--to', 'postgres', '--url', 'file:none'], 1, 'file:none: holds no address: write postgresql://USER'],
  [['--to', 'postgres', '--url', 'file:address'], 1, 'no store of a box here: name its --data-dir'],
  [['--take-back'], 1, 'its store was not moved: there is nothing to take back'],
])('gatehouse migrate %j', async (words, status, says) => {
  const outcome = await migrate(...words);
  expect(outcome).toMatchObject({ status, stdout: '' });
  expect(outcome.stderr).toContain(says);
  expect(outcome.stderr).not.toContain('s3cret');
});
