import { findCommand, readArguments, usageOf } from './arguments.ts';
import type { Call } from './command.ts';
import { commands } from './commands.ts';

/** Loads all that commands may run, for the code cache (`scripts/code-cache.ts`). */
export async function loadAll(): Promise<void> {
  for (const { load } of commands) await load();
}

/**
 * Reads the command line and runs one command. Returns its exit status: 0 done, 1 failed, 2 wrong
 * usage.
 */
export async function main(words: string[]): Promise<number> {
  let asked = words[0] === undefined || words[0] === '--help' || words[0] === '-h' ? ['help'] : words;
  if (words[0] === '--version' || words[0] === '-V') asked = ['version'];
  try {
    const { command, rest } = findCommand(asked, commands);
    const parsed = readArguments(command, rest);
    const help = commands.find(({ name }) => name === 'help')!;
    const chosen = parsed.options.help === true ? help : command;
    const call: Call = {
      command: chosen,
      options: parsed.options,
      arguments: chosen === command ? parsed.arguments : command.name.split(' '),
      env: process.env,
      cwd: process.cwd(),
      print: chunk => new Promise(resolve => process.stdout.write(chunk, () => resolve())),
      tell: line => void process.stderr.write(`${line}\n`),
    };
    return (await (await chosen.load())(call)) ?? 0;
  } catch (error) {
    return explain(error, asked);
  }
}

function explain(error: unknown, words: readonly string[]): number {
  const { name = '', message = '' } = error instanceof Error ? error : {};
  if (name === 'WrongUsage') {
    const command = commands.find(one => `${words.join(' ')} `.startsWith(`${one.name} `));
    process.stderr.write(`gatehouse: ${message}\n${command ? `usage: ${usageOf(command)}\n` : ''}`);
    return 2;
  }
  if (explainsItself.has(name)) process.stderr.write(`${message}\n`);
  else if (expected.has(name)) process.stderr.write(`gatehouse: ${message}\n`);
  else process.stderr.write(`gatehouse: this is a bug: ${error instanceof Error ? error.stack : String(error)}\n`);
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

// A reader that has enough (`gatehouse export | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

// A closed terminal must not end a box.
process.stderr.on('error', () => {});
