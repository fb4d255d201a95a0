import type { GuessedCall } from '../../platform/signature-guesses.ts';

/** Identity that a call presents (SPEC 5.6). */
export interface SignedServiceCall {
  readonly path: string;
  readonly method: string;
  readonly address: string;
  /** Of the monotonic clock. */
  readonly startedAt: number;
  readonly appId: string | undefined;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  readonly sig: string | undefined;
  /** For the examination of a wrong signature; read only then. */
  readonly around?: () => Promise<GuessedCall>;
}
