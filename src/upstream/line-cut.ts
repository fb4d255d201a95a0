import { type GivenReason, whyOf } from '../words/sentences.ts';
import type { Connect } from './transport.ts';

/**
 * Cuts the line on purpose, for a drill: while it is cut every try to connect fails, as if the
 * cloud were away.
 */
export class LineCut {
  /** Reason for the cut; null if the line is not cut. */
  #why: GivenReason | null = null;

  set(why: GivenReason | null): void {
    this.#why = why;
  }

  /** The same way to connect, with the cut in it; also for a try that was under way. */
  through(connect: Connect): Connect {
    return async (credentials, events, signal) => {
      if (this.#why !== null) return { kind: 'failed', ...whyOf(this.#why) };
      const connected = await connect(credentials, events, signal);
      if (this.#why === null || connected.kind !== 'accepted') return connected;
      connected.transport.close();
      return { kind: 'failed', ...whyOf(this.#why) };
    };
  }
}
