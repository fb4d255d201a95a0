import { findCommand, readArguments, usageOf } from './arguments.ts';
import type { Call, Terminal } from './command.ts';
import { commands } from './commands.ts';
import { withInstalledBox } from './installed-box.ts';
import { printable } from './printable.ts';

/** Loads all that commands may run, for the code cache (`scripts/code-cache.ts`). */
export async function loadAll(): Promise<void> {
  for (const { load } of commands) await load();
}

/**
 * Reads the command line and runs one command. Returns its exit status: 0 done, 1 failed, 2 wrong
 * usage.
 */
export async function main(words: string[], terminal: Terminal): Promise<number> {
  let asked = words[0] === undefined || words[0] === '--help' || words[0] === '-h' ? ['help'] : words;
  if (words[0] === '--version' || words[0] === '-V') asked = ['version'];
  try {
    const { command, rest } = findCommand(asked, commands);
    const parsed = readArguments(command, rest);
    const help = commands.find(({ name }) => name === 'help')!;
    const chosen = parsed.options.help === true ? help : command;
    const called = chosen === command ? parsed.arguments : command.name.split(' ');
    const options = withInstalledBox(chosen, parsed.options, terminal);
    const call = callOf(terminal, { command: chosen, options, arguments: called });
    return (await (await chosen.load())(call)) ?? 0;
  } catch (error) {
    return explain(error, asked, terminal);
  }
}

function callOf(terminal: Terminal, asked: Pick<Call, 'command' | 'options' | 'arguments'>): Call {
  const { env, cwd, stdout, stderr } = terminal;
  return {
    ...asked,
    ...{ env, cwd, stdout, stderr },
    // Opening the standard input of a process is left to the command that reads it.
    get stdin() {
      return terminal.stdin;
    },
    readInput: () => terminal.readInput(),
    print: chunk =>
      new Promise(resolve => stdout.write(typeof chunk === 'string' ? printable(chunk) : chunk, () => resolve())),
    tell: line => void stderr.write(`${printable(line)}\n`),
  };
}

function explain(error: unknown, words: readonly string[], { stderr }: Terminal): number {
  const { name = '' } = error instanceof Error ? error : {};
  const message = error instanceof Error ? printable(error.message) : '';
  if (name === 'WrongUsage') {
    const command = commands.find(one => `${words.join(' ')} `.startsWith(`${one.name} `));
    stderr.write(`gatehouse: ${message}\n${command ? `usage: ${usageOf(command)}\n` : ''}`);
    return 2;
  }
  if (explainsItself.has(name)) stderr.write(`${message}\n`);
  else if (expected.has(name)) stderr.write(`gatehouse: ${message}\n`);
  else stderr.write(`gatehouse: this is a bug: ${printable(String(error instanceof Error ? error.stack : error))}\n`);
  return 1;
}

/**
 * Errors whose message says what to do, by name: no part is loaded only for its error class, and
 * the commands and the box are two bundles, each with classes of its own.
 */
const expected = new Set([
  'AdminRefused',
  'BackupRefused',
  'BoxEnded',
  'BoxError',
  'BoxStopped',
  'CertificateError',
  'CommandFailed',
  'MoveRefused',
  'Owned',
  'StoreError',
  'StoreOpenError',
  'UpdateRefused',
]);
/** Each line of the message names its place in a file. */
const explainsItself = new Set(['FileRefused', 'RowsRefused']);
