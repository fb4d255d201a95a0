import { readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const library = ((): string | null => {
  try {
    for (const folder of readdirSync('/usr/lib'))
      if (folder.includes('-linux-')) {
        const found = join('/usr/lib', folder, 'faketime');
        const file = readdirOr(found).find(name => name === 'libfaketimeMT.so.1');
        if (file) return join(found, file);
      }
  } catch {
    // No such folder: not Debian.
  }
  return null;
})();

function readdirOr(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The wall clock of a real process, which a test sets while the process runs (libfaketime). Its
 * monotonic clock goes on, as when somebody sets the clock of a machine.
 */
export class FakeClock implements AsyncDisposable {
  static readonly possible = library !== null;
  static readonly otherwise = 'needs libfaketime: apt-get install libfaketime';
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.set(Date.now());
  }

  static async make(): Promise<FakeClock> {
    return new FakeClock(await mkdtemp(join(tmpdir(), 'gatehouse-clock-')));
  }

  /** For the environment of the process. */
  get env(): NodeJS.ProcessEnv {
    return {
      LD_PRELOAD: library!,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** From now on the process has this time, and it runs on from there. Exact to the second. */
  set(now: number): void {
    const seconds = Math.round((now - Date.now()) / 1000);
    writeFileSync(this.#file, `${seconds < 0 ? '' : '+'}${seconds}`);
  }

  get #file(): string {
    return join(this.#folder, 'offset');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
