import { Readable, Writable } from 'node:stream';
import type { Terminal } from '../../src/cli/command.ts';
import { main } from '../../src/cli/main.ts';

/** Exit status and output of a command. */
export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Keeps what is written to it. */
class Written extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

/** Runs one command in this process, with streams of its own in place of the terminal. */
export async function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<Outcome> {
  const { input = '', cwd = process.cwd(), env = {} } = options;
  const [stdout, stderr] = [new Written(), new Written()];
  const stdin = Readable.from([Buffer.from(input)]);
  const terminal: Terminal = {
    ...{ cwd, stdin, stdout, stderr, env: { ...process.env, ...env } },
    readInput: () => input,
  };
  const status = await main([...args], terminal);
  return { status, stdout: stdout.text, stderr: stderr.text };
}
