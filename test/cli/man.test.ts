import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { commandsManual, configManual } from '../../src/cli/man.ts';
import { configKeys } from '../../src/config/index.ts';
import { run } from '../support/program.ts';
import { suiteNeeding } from '../support/tools.ts';

const plain = (roff: string) => roff.replaceAll('\\-', '-');

describe('the manual pages', () => {
  test('gatehouse(1) has every command, and every option of it', () => {
    const page = plain(commandsManual(commands));
    for (const { name, options = {} } of commands) {
      const [, section = ''] = new RegExp(`^\\.SS "gatehouse ${name}( [^\n]*)?"\n([\\s\\S]*?)(?=^\\.S[SH])`, 'm')
        .exec(page)!
        .slice(1);
      for (const option of Object.keys(options)) expect(section, name).toContain(`--${option}`);
    }
  });

  test('gatehouse.yaml(5) has every key', () => {
    const page = plain(configManual());
    for (const { path, section } of configKeys) if (!section) expect(page).toContain(`.B ${path.join('.')}\n`);
  });

  test('are printed by the program that they describe', async () => {
    expect((await run(['help', '--man'])).stdout).toBe(commandsManual(commands));
    expect((await run(['help', '--man', 'gatehouse.yaml'])).stdout).toBe(configManual());
  });
});

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
