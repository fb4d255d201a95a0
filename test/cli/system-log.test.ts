import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../support/program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-journal-'));
  for (const tool of ['readlink', 'dirname', 'uname']) symlinkSync(`/usr/bin/${tool}`, join(folder, tool));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * With nothing of the machine on the PATH but what starts the program, and what stands in for
 * journalctl.
 */
const logs = (...options: string[]) => run(['logs', '--system', ...options], { env: { PATH: folder } });

function journal(text: string): void {
  const file = join(folder, 'journalctl');
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

test('the log of the box is what the journal has of it', async () => {
  journal('echo "$@"; exit 3');
  const { stdout, status } = await logs('--from', '2026-11-20T08:00Z', '-f');
  expect(stdout).toBe(
    '--unit=gatehouse* --since=@1795161600 --output=short-iso --no-pager --quiet --follow --no-tail\n',
  );
  expect(status).toBe(3);
  expect((await logs('--json')).stdout).toMatch(/--output=json --no-pager --quiet\n$/);
});

test('without systemd it says where the log is', async () => {
  const { status, stderr } = await logs();
  expect([status, stderr]).toEqual([1, expect.stringContaining('there is no journal on this machine')]);
});

test('devices have no part in it', async () => {
  expect(await logs('--device', 'A_1')).toMatchObject({ status: 2 });
});
