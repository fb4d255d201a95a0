import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type Call, CommandFailed } from './command.ts';
import { textOf } from './text-of.ts';

/** Asks on the terminal; what is typed is not shown. */
export async function askHidden(call: Call, question: string): Promise<string> {
  call.tell(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: call.stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
  }
}

/**
 * A secret from a file, `-` for standard input: never from the command line, where others on the
 * machine can read it.
 */
export function readSecret(call: Call, file: string, what: string): string {
  try {
    return textOf(call, file);
  } catch (error) {
    const from = file === '-' ? 'standard input' : file;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailed(
      code === 'ENOENT'
        ? `${from}: the ${what} cannot be read: there is no such file; make it, or name another`
        : `${from}: the ${what} cannot be read: ${message}`,
    );
  }
}
