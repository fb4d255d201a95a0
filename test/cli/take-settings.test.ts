import fs, { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applianceCommands } from '../../src/cli/appliance-commands.ts';
import type { Call } from '../../src/cli/command.ts';
import { takeSettings } from '../../src/cli/take-settings.ts';
import { loadConfig } from '../../src/config/index.ts';
import { runCommand } from '../support/command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-card-'));
  mkdirSync(join(folder, 'card'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const folders = ['--config-dir', 'config', '--data-dir', 'data', '--network-dir', 'network'];
const drop = (name: string, text: string): void => {
  mkdirSync(join(folder, 'card', name, '..'), { recursive: true });
  writeFileSync(join(folder, 'card', name), text);
};
const onCard = () => readdirSync(join(folder, 'card')).sort();
const kept = (name: string) => readFileSync(join(folder, name), 'utf8');
const take = () => runCommand(['take-settings', 'card', ...folders], { cwd: folder });
const inForce = () => loadConfig({ file: join(folder, 'config/gatehouse.yaml'), env: {}, cwd: folder }).config;
const exported = async () =>
  (await runCommand(['export', '--data-dir', 'data', '--with-secrets'], { cwd: folder })).stdout;

describe('a card with nothing on it', () => {
  test('gives the box a serial number and a setup code of its own, once', async () => {
    expect(await take()).toMatchObject({ status: 0, stderr: '' });
    const { box, data_dir } = inForce();
    expect(data_dir).toBe(join(folder, 'data'));
    expect(box.device_sn).toMatch(/^[0-9A-Z-]{6,24}$/);
    expect(box.setup_code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    expect(await take()).toMatchObject({ status: 0, stderr: '' });
    expect(inForce()).toMatchObject({ box: { device_sn: box.device_sn, setup_code: box.setup_code } });
    expect(onCard()).toEqual([]);
  });

  test('leaves a box whose files only their owner and the box may read', async () => {
    await take();
    expect(statSync(join(folder, 'config')).mode & 0o777).toBe(0o750);
    expect(statSync(join(folder, 'config/identity.yaml')).mode & 0o777).toBe(0o640);
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
  });
});

describe('what is right on the card', () => {
  test('is in force, with the files that it names, and gone from the card', async () => {
    drop('GATEHOUSE.YAML', 'site: { name: Plant 4 }\nbox: { access_key: file:keys/box.key }\n');
    drop('keys/box.key', 'the-key-of-this-box\n');
    expect(await take()).toMatchObject({ status: 0, stdout: 'gatehouse.yaml: in force\n' });
    expect(inForce()).toMatchObject({ site: { name: 'Plant 4' }, box: { access_key: 'the-key-of-this-box' } });
    expect(onCard()).toEqual(['keys']);
    expect(readdirSync(join(folder, 'card/keys'))).toEqual([]);
    expect(statSync(join(folder, 'config/gatehouse.yaml')).mode & 0o777).toBe(0o640);
    expect(statSync(join(folder, 'config/keys/box.key')).mode & 0o777).toBe(0o640);
  });

  test('a site is in the store before the first start, with passwords from files on the card', async () => {
    drop(
      'site.yaml',
      'products: [{ product_id: FACE-T1, product_key: s3cret-key, name: Face, model: FT1 }]\nusers: [{ name: mei, password: file:./mei.pw, role: admin }]\n',
    );
    drop('mei.pw', 'correct horse battery\n');
    expect(await take()).toMatchObject({ status: 0, stdout: 'site.yaml: in force\n' });
    expect(await exported()).toMatch(/FACE-T1[\s\S]*mei/);
    expect(onCard()).toEqual([]);
    for (const name of fs.globSync('**', { cwd: folder, withFileTypes: true }))
      if (name.isFile())
        expect(readFileSync(join(name.parentPath, name.name), 'latin1')).not.toContain('correct horse');
  });

  test('a wifi network is the one that set-up keeps, as NetworkManager reads it', async () => {
    drop('wifi.yaml', 'ssid: 车间 4\nkey: " a;b=\\\\c "\nhidden: true\n');
    mkdirSync(join(folder, 'network'));
    writeFileSync(join(folder, 'network/gatehouse-wifi-1234.nmconnection'), 'an older one');
    expect(await take()).toMatchObject({ status: 0, stdout: 'wifi.yaml: in force\n' });
    expect(readdirSync(join(folder, 'network'))).toEqual(['gatehouse-wifi.nmconnection']);
    expect(statSync(join(folder, 'network/gatehouse-wifi.nmconnection')).mode & 0o777).toBe(0o600);
    const text = kept('network/gatehouse-wifi.nmconnection');
    expect(text).toContain('id=gatehouse-wifi\n');
    expect(text).toContain('autoconnect=true\n');
    expect(text).toContain('ssid=232;189;166;233;151;180;32;52;\n');
    expect(text).toContain('hidden=true\n');
    expect(text).toContain('key-mgmt=wpa-psk\npsk=\\sa;b=\\\\c\\s\n');
  });

  test('an open network has no security, one of WPA3 says so', async () => {
    drop('wifi.yaml', 'ssid: Guests\n');
    await take();
    expect(kept('network/gatehouse-wifi.nmconnection')).not.toContain('security');
    drop('wifi.yaml', 'ssid: Plant\nkey: long enough\nsecurity: wpa3-sae\n');
    await take();
    expect(kept('network/gatehouse-wifi.nmconnection')).toContain('key-mgmt=sae\npsk=long\\senough\n');
  });

  test('an identity from a batch is that of its label, and the config does not repeat it', async () => {
    await take();
    drop(
      'identity.yaml',
      'box: { device_sn: A0017, setup_code: ABCD-2345, access_key: k17 }\nprovisioning: { hotspot_key: tea-at-four }\n',
    );
    drop('gatehouse.yaml', 'upstream: { mode: gateway, device_mqtt: "mqtts://above:8883" }\n');
    expect(await take()).toMatchObject({ status: 0 });
    expect(inForce()).toMatchObject({
      box: { device_sn: 'A0017', setup_code: 'ABCD-2345', access_key: 'k17' },
      provisioning: { hotspot_key: 'tea-at-four' },
    });
    const { stdout } = await runCommand(['check-config', '--effective', 'config/gatehouse.yaml'], { cwd: folder });
    expect(stdout).toMatch(/box\.device_sn: "A0017" +# config\/identity\.yaml:\d+:\d+/);
    expect(stdout).not.toContain('ABCD');
  });
});

describe('what is wrong on the card', () => {
  test('stays there with a note of line, column and remedy, and what was in force still is', async () => {
    drop('gatehouse.yaml', 'site: { name: Plant 4 }\n');
    await take();
    drop('gatehouse.yaml', 'site: { name: Plant 5 }\nlisten:\n  mqts: 0.0.0.0:1\n');
    drop('site.yaml', 'departments: [{ ext_id: d1, name: X, p_ext_id: d9 }]\n');
    drop('wifi.yaml', 'ssid: Plant\nkey: short77\npasword: x\n');
    const { status } = await take();
    expect(status).toBe(1);
    expect(inForce().site.name).toBe('Plant 4');
    expect(existsSync(join(folder, 'network'))).toBe(false);
    expect(onCard()).toEqual(['gatehouse-problems.txt', 'gatehouse.yaml', 'site.yaml', 'wifi.yaml']);
    const report = kept('card/gatehouse-problems.txt');
    expect(report).toContain('gatehouse.yaml:3:3 listen.mqts: unknown key; did you mean "mqtts"?\r\n');
    expect(report).toMatch(/site\.yaml:1:\d+ departments\[0\]\.p_ext_id "d9": no such department/);
    expect(report).toMatch(/wifi\.yaml:3:1 pasword: unknown key/);
    expect(report).not.toContain('short77');
  });

  test('once it is corrected the note goes away', async () => {
    drop('wifi.yaml', 'ssid: Plant\nkey: short\n');
    expect((await take()).stderr).toMatch(/wifi\.yaml:2:6 key: a wifi password has 8 to 63 characters/);
    drop('wifi.yaml', 'ssid: Plant\nkey: long enough\n');
    expect(await take()).toMatchObject({ status: 0 });
    expect(onCard()).toEqual([]);
  });

  test.each([
    ['gatehouse.yaml.txt', 'site: {}', /gatehouse\.yaml\.txt: not read under this name: call it gatehouse\.yaml/],
    ['gatehouse.yaml', 'data_dir: /srv/box', /gatehouse\.yaml:1:11 data_dir: on this box it is .*: remove the key/],
    ['gatehouse.yaml', 'box: { access_key: file:../box.key }', /cannot read|outside the card/],
    ['identity.yaml', 'site: { name: X }', /identity\.yaml:1:1 site: belongs into gatehouse\.yaml/],
    ['identity.yaml', 'box: { setup_code: "1234" }', /identity\.yaml:1:20 box\.setup_code: not a setup code/],
    ['wifi.yaml', 'ssid: X\nsecurity: WPA9', /wifi\.yaml:2:11 security: write one of none/],
  ])('%s with %s', async (name, text, reason) => {
    drop(name, text);
    const { status, stderr } = await take();
    expect(status).toBe(1);
    expect(stderr).toMatch(reason);
    expect(onCard()).toContain(name);
  });

  test('a file that a refused one names stays, though another that names it was taken', async () => {
    drop('gatehouse.yaml', 'box: { access_key: file:./shared.key }\n');
    drop('site.yaml', 'users: [{ name: mei, password: file:./shared.key, role: king }]\n');
    drop('shared.key', 'a-key-for-both\n');
    await take();
    expect(onCard()).toEqual(['gatehouse-problems.txt', 'shared.key', 'site.yaml']);
  });

  test('a damaged identity is said, and one on the card heals it', async () => {
    await take();
    writeFileSync(join(folder, 'config/identity.yaml'), '\0\0\0\0');
    expect((await take()).stderr).toContain('config/identity.yaml:1:1: no text file: it holds NUL bytes');
    drop('identity.yaml', 'box: { device_sn: A0017, setup_code: ABCD-2345 }\n');
    expect(await take()).toMatchObject({ status: 0 });
    expect(inForce().box.device_sn).toBe('A0017');
  });
});

describe('the power may go at any moment', () => {
  const cutting = ['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'rmSync', 'mkdirSync', 'fchmodSync'] as const;
  const whole = { ...fs };
  const call = {
    command: applianceCommands[0]!,
    options: {},
    arguments: ['card'],
    env: {},
    print: async () => {},
    tell: () => {},
  };

  /** Lets so many steps reach the disk, and then nothing any more. True: it was done before. */
  async function cutAfter(steps: number): Promise<boolean> {
    let left = steps;
    for (const name of cutting)
      Object.assign(fs, {
        [name]: (...args: never[]) => {
          if (left-- <= 0) throw new Error('the power is gone');
          return (whole[name] as (...args: never[]) => unknown)(...args);
        },
      });
    syncBuiltinESMExports();
    try {
      const options = { 'config-dir': 'config', 'data-dir': 'data', 'network-dir': 'network' };
      await takeSettings({ ...call, options, cwd: folder } as unknown as Call);
      return left >= 0;
    } catch {
      return false;
    } finally {
      for (const name of cutting) Object.assign(fs, { [name]: whole[name] });
      syncBuiltinESMExports();
    }
  }

  test('between any two steps: the box starts with the old config or the new one, and the next start ends it', async () => {
    let cuts = 0;
    for (let steps = 0; ; steps++) {
      await rm(folder, { recursive: true, force: true });
      mkdirSync(join(folder, 'card'), { recursive: true });
      await cutAfter(Number.POSITIVE_INFINITY);
      const before = inForce();
      drop('gatehouse.yaml', 'site: { name: Plant 5 }\nbox: { access_key: file:./box.key }\n');
      drop('box.key', 'the-key\n');
      drop('wifi.yaml', 'ssid: Plant\nkey: long enough\n');
      const done = await cutAfter(steps);
      const { site, box } = inForce();
      expect(box.device_sn).toBe(before.box.device_sn);
      expect(
        [
          [before.site.name, undefined],
          ['Plant 5', 'the-key'],
        ],
        `after ${steps} steps`,
      ).toContainEqual([site.name, box.access_key]);
      await cutAfter(Number.POSITIVE_INFINITY);
      expect(inForce()).toMatchObject({ site: { name: 'Plant 5' }, box: { access_key: 'the-key' } });
      expect(kept('network/gatehouse-wifi.nmconnection')).toContain('psk=long\\senough');
      expect(onCard(), `after ${steps} steps`).toEqual([]);
      if (done) break;
      cuts++;
    }
    expect(cuts).toBeGreaterThan(20);
  });
});
