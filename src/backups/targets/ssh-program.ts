import { spawn } from 'node:child_process';
import type { Clock } from '../../runtime/clock.ts';
import { failed } from '../target-failed.ts';

interface SshRun {
  readonly program: 'sftp' | 'ssh-keyscan';
  readonly args: readonly string[];
  /** For its standard input. */
  readonly input: string;
  readonly cwd?: string;
  readonly clock: Clock;
  /** After so long it is killed. */
  readonly limitMs: number;
}

interface SshEnded {
  readonly isGood: boolean;
  readonly output: string;
  /** Standard error of the program, in English. */
  readonly complaint: string;
}

const outputBytesMax = 4 << 20;
const complaintCharactersMax = 8000;

/**
 * Runs a program of OpenSSH to its end. An abort of the signal kills it, with the ssh that it
 * started. Rejects with TargetFailed if the program is missing, or takes longer than its limit.
 */
export function runSsh({ program, args, input, cwd, clock, limitMs }: SshRun, signal: AbortSignal): Promise<SshEnded> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    // Nothing of the box's own environment, where an agent or a proxy could be named.
    const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' };
    // Its own process group, so that the ssh that it starts ends with it.
    const child = spawn(program, args, { stdio: 'pipe', detached: true, env, ...(cwd === undefined ? {} : { cwd }) });
    const over = new AbortController();
    const output: Buffer[] = [];
    let bytes = 0;
    let complaint = '';
    const end = (settle: () => void): void => {
      over.abort();
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const fail = (error: unknown): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The program has already ended.
      }
      end(() => reject(error));
    };
    const onAbort = (): void => fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    clock.sleep(limitMs, over.signal).then(
      () => fail(failed('timed_out', program, `${Math.round(limitMs / 1000)} s`)),
      () => {},
    );
    child.once('error', () => fail(failed('no_ssh', program)));
    child.stdin.on('error', () => {});
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > outputBytesMax) fail(failed('failed', program, `> ${outputBytesMax} B`));
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-complaintCharactersMax);
    });
    child.once('close', status => {
      end(() => resolve({ isGood: status === 0, output: Buffer.concat(output).toString(), complaint }));
    });
    child.stdin.end(input);
  });
}
