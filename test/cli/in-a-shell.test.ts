import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { runCommand } from '../support/command.ts';
import { hasTool } from '../support/tools.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const gatehouse = (...args: string[]) => runCommand(args, { cwd: folder });

describe('completions are programs that their shell can read', () => {
  test.each(['bash', 'zsh', 'fish'])('%s', async shell => {
    const { status, stdout } = await gatehouse('completion', shell);
    expect(status).toBe(0);
    for (const { name } of commands) expect(stdout).toContain(name.split(' ').at(-1));
    if (!hasTool(shell)) return;
    const file = join(folder, `completion.${shell}`);
    writeFileSync(file, stdout);
    execFileSync(shell, ['-n', file]);
  });

  test('bash completes a command, its second word, an option and its choices', async () => {
    const file = join(folder, 'bash-completion');
    writeFileSync(file, (await gatehouse('completion', 'bash')).stdout);
    const complete = (...words: string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          `source ${file}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gatehouse; echo "\${COMPREPLY[*]}"`,
          'x',
          'gatehouse',
          ...words,
        ],
        { encoding: 'utf8', cwd: folder },
      ).trim();
    expect(complete('stat')).toBe('status statement');
    expect(complete('trust', 'ex')).toBe('export');
    expect(complete('apply', '--pr')).toBe('--prune');
    expect(complete('export', '--what', 'ch')).toBe('checkins');
    expect(complete('parked', 'send-again', '--da')).toBe('--data-dir');
  });
});

test('a reader that has enough is no failure', async () => {
  const program = process.env.GATEHOUSE_BINARY ?? 'bin/gatehouse';
  const out = execFileSync('bash', ['-c', `set -o pipefail; ${program} check-config --effective | head -1`], {
    encoding: 'utf8',
  });
  expect(out).toMatch(/^environment: "test"/);
});
