import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** PostgreSQL does not run as root: then as the user that its package makes. */
export function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres: apt-get install postgresql');
  return { uid: Number(uid), gid: Number(gid) };
}

/** A program that runs until it is ended; what it prints goes to a file of its folder. */
export class Child {
  readonly #process: ChildProcess;

  constructor(name: string, program: string, args: readonly string[], folder: string, env: NodeJS.ProcessEnv = {}) {
    const output = openSync(join(folder, `${name}.log`), 'a');
    this.#process = spawn(program, args, {
      ...unprivileged(),
      cwd: folder,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env, PATH: `${process.env.PATH}${delimiter}/usr/sbin` },
    });
    closeSync(output);
    this.#process.on('error', () => {});
  }

  get isRunning(): boolean {
    return this.#process.pid !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Resolves when it has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }
}
