import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-region-'));
});
afterEach(() => rm(folder, { recursive: true }));

const machines = '10.0.0.21,10.0.0.22,10.0.0.23';

test('region init writes a folder for each machine, for its owner alone, and says what to do with it', async () => {
  const region = join(folder, 'region');
  const { status, stdout } = await runCommand(['region', 'init', region, '--machines', machines]);
  expect(status).toBe(0);
  expect((await readdir(region)).sort()).toEqual(['ca.pem', 'one', 'region.json', 'three', 'two']);
  for (const path of await readdir(region, { recursive: true })) {
    const found = await stat(join(region, path));
    expect(`${path} ${(found.mode & 0o777).toString(8)}`).toBe(`${path} ${found.isDirectory() ? '700' : '600'}`);
  }
  expect(stdout).toContain(`scp -rp ${region}/two root@10.0.0.22:region`);
  expect(stdout).toContain('gatehouse doctor --region');
  expect(stdout).toContain(`Keep ${region} offline`);
  const { secrets } = JSON.parse(await readFile(join(region, 'region.json'), 'utf8'));
  for (const secret of Object.values(secrets)) expect(stdout).not.toContain(secret);
});

test('repeated on its folder it keeps the secrets and what it was told before', async () => {
  const read = async () => JSON.parse(await readFile(join(folder, 'region.json'), 'utf8'));
  const first = ['--machines', machines, '--name', 'region.example.com', '--files', '/srv/gatehouse'];
  expect(await runCommand(['region', 'init', folder, ...first])).toMatchObject({ status: 0 });
  const before = await read();
  expect(await runCommand(['region', 'init', folder, '--backups', '/srv/pgbackrest'])).toMatchObject({ status: 0 });
  expect(await read()).toEqual({ ...before, choices: { ...before.choices, backups: '/srv/pgbackrest' } });
});

test('with the key of a box whose store is moved there, every machine has that key', async () => {
  await writeFile(join(folder, 'seal.key'), Buffer.alloc(32, 7));
  await writeFile(join(folder, 'short.key'), 'short');
  const region = join(folder, 'region');
  const init = (file: string) =>
    runCommand(['region', 'init', region, '--machines', machines, '--seal-key', join(folder, file)]);
  const refused = await init('short.key');
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('is no keys/seal.key of a box') });
  expect(await init('seal.key')).toMatchObject({ status: 0 });
  for (const machine of ['one', 'two', 'three'])
    expect(await readFile(join(region, machine, 'files/var/lib/gatehouse/keys/seal.key'))).toEqual(Buffer.alloc(32, 7));
});

test('it refuses wrong addresses, and a folder of something else, and writes nothing', async () => {
  const region = join(folder, 'region');
  for (const [words, says] of [
    [[], '--machines is missing'],
    [['--machines', '10.0.0.21,10.0.0.22'], 'three different addresses'],
    [['--machines', machines, '--postgresql', 'new'], '--postgresql "new"'],
  ] as const) {
    const { status, stderr } = await runCommand(['region', 'init', region, ...words]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(says) });
  }
  await writeFile(join(folder, 'letter.txt'), 'Dear');
  const { status, stderr } = await runCommand(['region', 'init', folder, '--machines', machines]);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('holds something else') });
  expect(await readdir(folder)).toEqual(['letter.txt']);
});
