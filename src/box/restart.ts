/** How the box is opened again: by the same process, or by another program. */
export type Restart = 'same program' | 'other program';

/**
 * The function that can close and reopen the box. It is registered after the box has opened, so
 * parts that need a restart look here when they need it.
 */
export class RestartHook {
  #act: ((how: Restart) => void) | null = null;

  bind(act: (how: Restart) => void): void {
    this.#act = act;
  }

  /** Restart function; null if nothing can restart this box. */
  get act(): ((how: Restart) => void) | null {
    return this.#act;
  }
}
