import type { GuessedCall } from '../../platform/signature-guesses.ts';

/** Identity that a call presents (SPEC 5.7). */
export interface SignedCall {
  /** As the caller wrote it, without the query. */
  readonly path: string;
  readonly method: string;
  readonly address: string;
  /** Of the monotonic clock. */
  readonly startedAt: number;
  readonly appKey: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  /** For the examination of a wrong signature; read only then. */
  readonly around?: () => Promise<GuessedCall>;
}
