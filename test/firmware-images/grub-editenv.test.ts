import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suiteNeeding } from '../support/tools.ts';

const script = fileURLToPath(new URL('../../firmware-images/generic-arm64/grub-editenv', import.meta.url));

suiteNeeding('grub-editenv', 'grub-common', "RAUC's change of GRUB's environment", () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-grubenv-'));
    file = join(folder, 'grubenv');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const grub = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' });
  const made = (...values: string[]) => {
    grub('grub-editenv', file, 'create');
    if (values.length > 0) grub('grub-editenv', file, 'set', ...values);
  };
  const listed = () => grub('grub-editenv', file, 'list').stdout.trim().split('\n').sort();

  test('changes what it is told, and keeps the rest', () => {
    made('ORDER=A B', 'A_OK=1', 'B_OK=0');
    expect(grub(script, file, 'set', 'ORDER=B A', 'B_OK=1')).toMatchObject({ status: 0, stderr: '' });
    expect(listed()).toEqual(['A_OK=1', 'B_OK=1', 'ORDER=B A']);
    expect(grub(script, file, 'unset', 'A_OK')).toMatchObject({ status: 0 });
    expect(listed()).toEqual(['B_OK=1', 'ORDER=B A']);
    expect(grub(script, file, 'list').stdout).toBe('ORDER=B A\nB_OK=1\n');
  });

  test('never lets the program of GRUB empty the file, and writes over it in its place', () => {
    made('ORDER=A B');
    const real = join(folder, 'real');
    writeFileSync(real, `#!/bin/sh\necho "$1" >>${folder}/asked\nexec grub-editenv "$@"\n`, { mode: 0o755 });
    const { ino } = statSync(file);
    const { status } = spawnSync(script, [file, 'set', 'ORDER=B A'], { env: { ...process.env, GRUB_EDITENV: real } });
    expect(status).toBe(0);
    expect(listed()).toEqual(['ORDER=B A']);
    expect(statSync(file)).toMatchObject({ ino, size: 1024 });
    expect(readFileSync(join(folder, 'asked'), 'utf8').split('\n')).not.toContain(file);
  });

  test('says all that GRUB has to know in the first sector', () => {
    made();
    grub(script, file, 'set', 'ORDER=A B', 'A_OK=1', 'A_TRY=0', 'B_OK=1', 'B_TRY=0');
    expect(readFileSync(file, 'latin1').slice(512)).toMatch(/^#+$/);
  });

  test('makes a damaged file anew', () => {
    for (const damaged of ['', 'half of a file']) {
      writeFileSync(file, damaged);
      expect(grub(script, file, 'set', 'A_OK=1')).toMatchObject({ status: 0 });
      expect(listed()).toEqual(['A_OK=1']);
    }
  });
});
