import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import { SpeechFailed, SpeechUnavailable } from './errors.ts';

interface ProgramRun {
  /** The program and its arguments, never seen by a shell. */
  readonly command: readonly string[];
  /** Input of the program, UTF-8. */
  readonly input: string;
  /** Remedy if the program is missing. */
  readonly remedy: string;
  readonly outputBytesMax: number;
}

/**
 * Runs a program to its end and answers with what it wrote. An abort of the signal kills it, with
 * all that it started, and rejects with the signal's reason. Throws `SpeechUnavailable`,
 * `SpeechFailed`.
 */
export function runProgram(run: ProgramRun, signal: AbortSignal): Promise<Uint8Array> {
  const [program = '', ...args] = run.command;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    // Its own process group, so that what it starts ends with it.
    const child = spawn(program, args, { stdio: 'pipe', detached: true, env: environment() });
    const output: Buffer[] = [];
    let bytes = 0;
    let complaint = '';
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The program has already ended.
      }
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', abort);
      settle();
    };
    const fail = (error: unknown): void => {
      kill();
      end(() => reject(error));
    };
    const abort = (): void => fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    child.once('error', () => fail(new SpeechUnavailable(program, run.remedy)));
    child.stdin.on('error', () => {});
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > run.outputBytesMax) fail(new SpeechFailed(`${program} wrote more than ${run.outputBytesMax} bytes`));
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < 500) complaint += chunk.toString();
    });
    child.once('close', (code, killedBy) => {
      if (code === 0) end(() => resolve(Buffer.concat(output)));
      else {
        const [line = ''] = complaint.split('\n');
        fail(new SpeechFailed(`${program} ended with ${killedBy ?? `code ${code}`}: ${line.slice(0, 200)}`));
      }
    });
    child.stdin.end(run.input);
  });
}

/**
 * Aborts its signal with `SpeechFailed` after `ms`, or with the reason of `outer`; to be disposed.
 */
export function timeLimit(clock: Clock, ms: number, outer: AbortSignal): { signal: AbortSignal } & Disposable {
  const limit = new AbortController();
  const done = new AbortController();
  clock.sleep(ms, done.signal).then(
    () => limit.abort(new SpeechFailed(`took longer than ${ms / 1000} s`)),
    () => {},
  );
  return { signal: AbortSignal.any([limit.signal, outer]), [Symbol.dispose]: () => done.abort() };
}

/** Whether a program can be started: a path as it is, a name in the folders of PATH. */
export async function programExists(program: string): Promise<boolean> {
  const candidates = program.includes('/')
    ? [program]
    : (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, program));
  for (const candidate of candidates) {
    const found = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

/** The box's own settings, some of them secret, are no business of the program's. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_')));
