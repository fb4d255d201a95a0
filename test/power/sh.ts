import { execFile } from 'node:child_process';

/** The tools of a file system live in folders that a user's PATH may not have. */
const path = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`;

export class CommandFailed extends Error {
  readonly status: number | null;
  constructor(command: string, status: number | null, said: string) {
    super(`${command}: ${status ?? 'killed'}: ${said}`);
    this.status = status;
  }
}

/** Runs a tool to its end, without a shell; returns its output. Throws CommandFailed. */
export const sh = (command: string, ...args: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { env: { ...process.env, PATH: path, LC_ALL: 'C' }, maxBuffer: 1 << 26 };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const status = typeof error.code === 'number' ? error.code : null;
      reject(new CommandFailed([command, ...args].join(' '), status, stderr || stdout || error.message));
    });
  });
