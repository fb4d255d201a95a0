import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { commandsManual, configManual } from '../../src/cli/man.ts';
import { suiteNeeding } from '../support/tools.ts';

suiteNeeding('man', 'man-db', 'the manual pages, read by man', () => {
  test.each([
    ['gatehouse(1)', () => commandsManual(commands), 'gatehouse serve'],
    ['gatehouse.yaml(5)', configManual, 'provisioning.hotspot'],
  ])('%s without a warning', (_, page, said) => {
    const { stdout, stderr, status } = spawnSync('man', ['--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-'], {
      input: page(),
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '100', GROFF_NO_SGR: '1' },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // Bold is a letter over itself.
    expect(stdout.replaceAll(/.\x08/g, '')).toContain(said);
  });
});
