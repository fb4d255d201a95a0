/** How a box is opened again: in the same process, or in that of another program. */
export type Restart = 'same program' | 'other program';

/**
 * Who can close the box and open it again. Whoever runs the box says so after it is open, so parts
 * that need a restart ask here when they need it.
 */
export class RestartHook {
  #act: ((how: Restart) => void) | null = null;

  bind(act: (how: Restart) => void): void {
    this.#act = act;
  }

  /** Null: nobody can restart this box. */
  get act(): ((how: Restart) => void) | null {
    return this.#act;
  }
}
