/** One option of a command; the key in `Command.options` is its long name. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** Placeholder for the value in the help, such as `FILE`. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly multiple?: boolean;
  readonly description: string;
}

interface CommandArgument {
  /** In capitals, as in the usage line. */
  readonly name: string;
  readonly required?: boolean;
  readonly choices?: readonly string[];
  /** Takes all that follow. */
  readonly many?: boolean;
}

/** One row of the table that makes the command line, the help and the completions. */
export interface Command {
  /** One or two words, such as `serve` or `trust export`. */
  readonly name: string;
  /** One line, without a full stop. */
  readonly does: string;
  readonly arguments?: readonly CommandArgument[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Paragraphs under the options in `gatehouse help COMMAND`. */
  readonly more?: readonly string[];
  readonly examples?: readonly string[];
  /** Loads the file that runs it: only then, so that `help` stays fast. */
  readonly load: () => Promise<Run>;
}

/** Where a command runs: its environment and standard streams, of a process or of a test. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean; unref?(): void };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Standard input up to its end. */
  readInput(): string;
}

/** Everything that a command is given. Exit status: what it answers, 0 when it answers nothing. */
export interface Call extends Terminal {
  readonly command: Command;
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly arguments: readonly string[];
  /**
   * Resolves when it is written; a reader that has gone away ends the program quietly. Text is
   * written as `printable` makes it; bytes as they are: data of an export, or what the box draws.
   */
  print(chunk: string | Uint8Array): Promise<void>;
  /** A line for the person, on standard error. */
  tell(line: string): void;
}

// biome-ignore lint/suspicious/noConfusingVoidType: most commands have nothing to answer
export type Run = (call: Call) => Promise<number | void>;

/** The command did not do it: exit status 1, and this one line says why and what to do. */
export class CommandFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandFailed';
  }
}

/** Faults in a file of rows: exit status 1, and each line names its place. */
export class RowsRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RowsRefused';
  }
}

/** Called wrongly: exit status 2. */
export class WrongUsage extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongUsage';
  }
}

export const textOption = (call: Call, name: string): string | undefined => {
  const value = call.options[name];
  return typeof value === 'string' ? value : undefined;
};

export const flag = (call: Call, name: string): boolean => call.options[name] === true;

/** A whole number given as an option; throws `WrongUsage` otherwise. */
export function numberOption(
  call: Call,
  name: string,
  byDefault: number,
  min = 0,
  max = Number.MAX_SAFE_INTEGER,
): number {
  const written = textOption(call, name);
  if (written === undefined) return byDefault;
  const number = /^\d+$/.test(written) ? Number(written) : Number.NaN;
  if (!(number >= min && number <= max))
    throw new WrongUsage(`--${name} "${written}": write a whole number from ${min} to ${max}`);
  return number;
}
