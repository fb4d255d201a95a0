import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aBox, type LocalBox } from '../support/box.ts';
import { runCommand } from '../support/command.ts';
import { aSite } from '../support/site.ts';

const site = { name: 'Plant 4' };
const held = (box: LocalBox) => box.ask('export', '--what', 'site');

/** A box that holds something, started without its site file from then on. */
async function aFilledBox(): Promise<LocalBox> {
  const box = await aBox({ site }, aSite());
  writeFileSync(box.siteFile, '');
  expect(await held(box)).toContain('FACE-T1');
  return box;
}

describe('reset --all', () => {
  test('of a stopped box: at once, and nothing of the records stays in the directory', async () => {
    await using box = await aFilledBox();
    await box.stop();
    writeFileSync(join(box.dataDir, 'before-update.gh'), 'an older backup');
    expect(await box.ask('reset', '--all', '--yes')).toContain('everything is removed; ');
    expect(readdirSync(box.dataDir).sort()).toEqual(['owner.lock', 'owner.pid', 'reset-done']);
    await box.start();
    expect(await held(box)).not.toContain('FACE-T1');
  });

  test('asks for the name of the site, and another one changes nothing', async () => {
    await using box = await aFilledBox();
    const asked = (input: string) => box.runWith({ input }, 'reset', '--all');
    const refused = await asked('Plant 5\n');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(/"Plant 4"[\s\S]*No backup is kept[\s\S]*not its name: nothing was changed/);
    expect((await asked('')).status).toBe(1);
    expect(await held(box)).toContain('FACE-T1');
    expect((await asked('Plant 4\n')).status).toBe(0);
  });

  test.each([
    [['--all', '--network'], 'say what is reset'],
    [[], 'say what is reset'],
    [['--network', '--yes'], 'go with --all'],
  ])('%j is wrong', async (options, reason) => {
    const { status, stderr } = await runCommand(['reset', ...options]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});

describe('a reset of a flashed box', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-reset-'));
    mkdirSync(join(folder, 'card'));
    mkdirSync(join(folder, 'network'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const folders = ['--config-dir', 'config', '--data-dir', 'data', '--network-dir', 'network'];
  const take = () => runCommand(['take-settings', 'card', ...folders], { cwd: folder });
  const drop = (name: string, text: string) => writeFileSync(join(folder, 'card', name), text);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  test('takes its settings and networks too, but not what its label says, nor what is on the card by then', async () => {
    drop('gatehouse.yaml', 'box: { access_key: file:./box.key }\nsite: { name: Plant 4 }\n');
    drop('box.key', 'the-key');
    drop('wifi.yaml', 'ssid: Plant\nkey: long enough\n');
    drop('site.yaml', 'users: [{ name: mei, password: correct horse battery, role: admin }]\n');
    writeFileSync(join(folder, 'network/office.nmconnection'), "somebody's own");
    expect(await take()).toMatchObject({ status: 0 });
    const label = read('config/identity.yaml');
    const there = ['--data-dir', 'data', '--config', 'config/gatehouse.yaml'];
    expect(await runCommand(['reset', '--all', '--yes', ...there], { cwd: folder })).toMatchObject({ status: 0 });
    drop('wifi.yaml', 'ssid: Another\nkey: long enough\n');
    expect(await take()).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(join(folder, 'config')).sort()).toEqual(['gatehouse.yaml', 'identity.yaml']);
    expect(read('config/identity.yaml')).toBe(label);
    expect(read('config/gatehouse.yaml')).not.toContain('Plant 4');
    expect(readdirSync(join(folder, 'network')).sort()).toEqual(['gatehouse-wifi.nmconnection', 'office.nmconnection']);
    expect((await take()).status).toBe(0);
    expect(existsSync(join(folder, 'network/gatehouse-wifi.nmconnection'))).toBe(true);
    expect(readdirSync(join(folder, 'data'))).toContain('reset-settled');
  });

  test('is asked for by a box that runs: what starts it again takes the settings first', async () => {
    drop('gatehouse.yaml', 'site: { name: Plant 4 }\n');
    await take();
    writeFileSync(join(folder, 'data/reset-asked'), '');
    await take();
    expect(read('config/gatehouse.yaml')).not.toContain('Plant 4');
    expect(readdirSync(join(folder, 'data'))).toContain('reset-settled');
  });
});
