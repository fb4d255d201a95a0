import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { commands } from '../../src/cli/commands.ts';
import { runCommand } from '../support/command.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const gatehouse = (...args: string[]) => runCommand(args, { cwd: folder });

describe('wrong usage is exit status 2 and says what would be right', () => {
  test.each([
    ['srve', 'gatehouse: no command "srve"; did you mean "serve"?; gatehouse help lists them\n'],
    ['apply', 'gatehouse: SITE is missing\nusage: gatehouse apply SITE [--prune]'],
    ['apply a.yaml b.yaml', 'gatehouse: "b.yaml" is one word too many\n'],
    ['status --jsn', 'gatehouse: status has no option --jsn; did you mean "--json"?\n'],
    [
      'export --what checkin',
      'gatehouse: --what "checkin": write one of site, checkins, access, logs; did you mean "checkins"?\n',
    ],
    ['export --out', 'gatehouse: --out needs a value\n'],
    ['status --json=yes', 'gatehouse: --json takes no value\n'],
    ['parked', 'gatehouse: parked: what? Write one of: parked list, parked send-again\n'],
    ['parked lst', 'gatehouse: parked: no "lst"; did you mean "list"?'],
    ['parked send-again none', 'gatehouse: "none": write the seq of `gatehouse parked list`, or all\n'],
    ['completion powershell', 'gatehouse: SHELL "powershell": write one of bash, zsh, fish\n'],
    ['sign mqtt', 'gatehouse: --device is missing: write the device id, such as --device FACE-T1_A0001\n'],
    [
      'export --what checkins --from yesterday',
      'gatehouse: --from "yesterday": write a moment such as 2026-11-20, 2026-11-20T08:00 or 2h (ago)\n',
    ],
    ['help nothing', 'gatehouse: no command "nothing"'],
  ])('gatehouse %s', async (line, expected) => {
    const { status, stdout, stderr } = await gatehouse(...line.split(' '));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr.slice(0, expected.length)).toBe(expected);
  });
});

test('help lists every command of the table, and says how each is used', async () => {
  const overview = await gatehouse('help');
  expect(overview.status).toBe(0);
  for (const { name, does } of commands)
    expect(overview.stdout).toMatch(new RegExp(`^  ${name} +${does.slice(0, 20)}`, 'm'));
  expect((await gatehouse()).stdout).toBe(overview.stdout);
  const one = await gatehouse('help', 'trust', 'export');
  expect(one.stdout).toContain('usage: gatehouse trust export [--edition full|slim]');
  expect((await gatehouse('trust', 'export', '--help')).stdout).toBe(one.stdout);
});

test('version has its number in the first line; from sources it knows neither commit nor checksum, and says so', async () => {
  expect((await gatehouse('version')).stdout).toMatch(
    /^gatehouse \d+\.\d+\.\d+ \(node 26\.\d+\.\d+, linux-(x64|arm64)\)\ncommit {2}unknown: .*\nsha256 {2}none: .*\n$/,
  );
  expect(JSON.parse((await gatehouse('version', '--json')).stdout)).toEqual({
    ...{ version: manifest.version, node: process.versions.node, target: `${process.platform}-${process.arch}` },
    ...{ commit: null, committed_at: null, sha256: null },
  });
});

describe('sign mqtt', () => {
  const key = 'product-key-of-mine';

  test('shows the password of SPEC 5.1 and the string that was signed, without the key', async () => {
    const { status, stdout } = await runCommand(['sign', 'mqtt', '--device', 'FACE-T1_A0001'], {
      input: `${key}\n`,
      cwd: folder,
    });
    expect(status).toBe(0);
    const expected = createHash('md5').update(`FACE-T1_A0001-FACE-T1-${key}`).digest('hex');
    expect(stdout).toContain(`Password        ${expected}`);
    expect(stdout).toContain('string signed   FACE-T1_A0001-FACE-T1-********');
    expect(stdout).not.toContain(key);
  });

  test('takes the key from a file, and shows it when asked', async () => {
    writeFileSync(join(folder, 'key'), key);
    const args = ['sign', 'mqtt', '--device', 'FACE-T1_A0001', '--key-file', 'key', '--show-key', '--json'];
    const signed = JSON.parse((await gatehouse(...args)).stdout);
    expect(signed).toMatchObject({ user_name: 'FACE-T1', string_to_sign: `FACE-T1_A0001-FACE-T1-${key}` });

    expect(signed.password).toBe(createHash('md5').update(signed.string_to_sign).digest('hex'));
  });

  test('fails in one line when there is no key', async () => {
    const { status, stderr } = await gatehouse('sign', 'mqtt', '--device', 'FACE-T1_A0001', '--key-file', 'none');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^gatehouse: none: the key cannot be read: .*\n$/);
  });
});

describe('check-config', () => {
  test('says every error with its place, exit status 1', async () => {
    writeFileSync(join(folder, 'bad.yaml'), 'listen:\n  mqtts: x\nenviroment: test\n');
    const { status, stdout, stderr } = await gatehouse('check-config', 'bad.yaml');
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'bad.yaml:2:10 listen.mqtts "x": not an address: write host:port, or "off"\n' +
        'bad.yaml:3:1 enviroment: unknown key; did you mean "environment"?\n',
    });
  });

  test('--effective shows what is in force and from where, secrets masked', async () => {
    writeFileSync(join(folder, 'good.yaml'), 'box: { access_key: hunter2 }\nlimits: { log_per_day: 5 }\n');
    const { status, stdout } = await runCommand(['check-config', '--effective', 'good.yaml'], {
      cwd: folder,
      env: { GATEHOUSE_LISTEN__MQTTS: '127.0.0.1:0' },
    });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^limits\.log_per_day: 5 +# good\.yaml:2:24$/m);
    expect(stdout).toMatch(/^listen\.mqtts: "127\.0\.0\.1:0" +# GATEHOUSE_LISTEN__MQTTS$/m);
    expect(stdout).toMatch(/^box\.access_key: "\(set\)" +# good\.yaml:1:20$/m);
    expect(stdout).not.toContain('hunter2');
  });
});

test('sign ble answers the signature, and a wifi password in both readings; the key stays masked', async () => {
  const args = ['sign', 'ble', '--device', 'FACE-T1_A0001', '--random', 'a1B2c3D4'];
  const { stdout } = await runCommand(args, { input: 's3cret' });
  expect(stdout).toMatch(/^signature {7}[0-9a-f]{8}$/m);
  expect(stdout).toContain('FACE-T1_A0001-a1B2c3D4-********');
  expect(stdout).not.toContain('s3cret');
  expect((await runCommand([...args.slice(0, 4)], { input: 'x' })).stderr).toContain('--random is missing');
});
