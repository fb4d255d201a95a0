import { readFileSync } from 'node:fs';
import type { Terminal } from './command.ts';

/** The terminal of this process. Standard input is opened by the command that reads it. */
export function processTerminal(): Terminal {
  const { env, stdout, stderr } = process;
  // A reader that has enough (`gatehouse export | head`) is no error.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  // A closed terminal must not end a box.
  stderr.on('error', () => {});
  return {
    ...{ env, stdout, stderr, cwd: process.cwd() },
    get stdin() {
      return process.stdin;
    },
    readInput: () => readFileSync(0, 'utf8'),
  };
}
