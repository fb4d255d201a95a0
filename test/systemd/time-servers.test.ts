import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../systemd/lib/time-servers', import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-time-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function sources(): string | null {
  const { status, stderr } = spawnSync('sh', [script, join(folder, 'asked'), join(folder, 'chrony')], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const file = join(folder, 'chrony', 'gatehouse.sources');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

test('time servers become sources of chrony, and no other line of the file does', () => {
  const lines = [
    'ntp.example',
    'fd00::1',
    'a b',
    'pool x\niburst',
    '-c',
    '$(reboot)',
    '192.0.2.1',
    'four.example',
    'five.example',
  ];
  writeFileSync(join(folder, 'asked'), lines.map(line => `${line}\n`).join(''));
  expect(sources()).toBe(
    ['ntp.example', 'fd00::1', 'iburst', '192.0.2.1'].map(one => `server ${one} iburst\n`).join(''),
  );
  writeFileSync(join(folder, 'asked'), '');
  expect(sources()).toBe('');
});

test('a link that the service put there is not followed', () => {
  writeFileSync(join(folder, 'secret'), 'secret.example\n');
  symlinkSync(join(folder, 'secret'), join(folder, 'asked'));
  expect(sources()).toBe('');
});
