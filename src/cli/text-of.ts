import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Call } from './command.ts';

/** The text of a file that a command names, `-` for standard input. */
export const textOf = (call: Pick<Call, 'cwd' | 'readInput'>, file: string): string =>
  file === '-' ? call.readInput() : readFileSync(resolve(call.cwd, file), 'utf8');
