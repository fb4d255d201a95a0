import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { commandsManual, configManual } from '../../src/cli/man.ts';
import { configKeys } from '../../src/config/index.ts';
import { runCommand } from '../support/command.ts';

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
    expect((await runCommand(['help', '--man'])).stdout).toBe(commandsManual(commands));
    expect((await runCommand(['help', '--man', 'gatehouse.yaml'])).stdout).toBe(configManual());
  });
});
