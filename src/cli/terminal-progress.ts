import type { Call } from './command.ts';

/** Progress in one row of a terminal, replaced each time; elsewhere nothing. */
export class TerminalProgress {
  readonly #stderr: Call['stderr'];
  #isShown = false;

  constructor({ stderr }: Pick<Call, 'stderr'>) {
    this.#stderr = stderr;
  }

  get isSeen(): boolean {
    return this.#stderr.isTTY === true;
  }

  show(text: string): void {
    if (!this.isSeen) return;
    this.#isShown = true;
    this.#stderr.write(`\r\x1b[K${text}`);
  }

  clear(): void {
    if (this.#isShown) this.#stderr.write('\r\x1b[K');
  }
}
