import type { Clock } from '../runtime/clock.ts';
import { CountedLog } from '../runtime/counted-log.ts';
import { type SignedPart, sameDigest } from './signature.ts';

/** The likely mistake of a caller. */
export interface Mistake {
  /** A word for a page. */
  readonly mistake: string;
  /** The same as a sentence, with the remedy. */
  readonly message: string;
  /**
   * The first part that was signed differently, as far as that can be determined; null: all of them
   * may be right.
   */
  readonly differs: SignedPart['name'] | null;
}

/** A refused call of a signed API (SPEC 5.6, 5.7), as people at the box read it. */
export interface RefusedCall extends Mistake {
  readonly at: number;
  readonly address: string;
  readonly path: string;
  /** What should have been signed, the secret masked; empty where that is not the matter. */
  readonly string_to_sign: string;
  /** The same in its parts. */
  readonly parts: readonly SignedPart[];
}

export type Counted<Call extends RefusedCall> = Call & { readonly count: number };

const keptMax = 50;

/**
 * The last refused calls of one API, at most 50 different ones. In memory: after a restart the
 * callers call again.
 */
export class RefusedCallLog<Call extends RefusedCall> {
  readonly #clock: Clock;
  readonly #calls = new CountedLog<Call>(keptMax);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Newest first. */
  list(): Counted<Call>[] {
    return this.#calls.list();
  }

  /** A call with the key of one before it is that one again, and is counted. */
  note(key: string, call: Omit<Call, 'at' | 'string_to_sign'>): void {
    const at = this.#clock.now();
    this.#calls.note(key, { ...call, at, string_to_sign: call.parts.map(part => part.text).join('') } as Call);
  }
}

/** A mistake that integrators make, and how the signed values differ by it. */
export type Suspect<Values> = readonly [
  mistake: string,
  differs: SignedPart['name'],
  message: string,
  wrong: Partial<Values>,
];

/** Signs again with each mistake, and returns the first that gives the signature that was sent. */
export function firstFit<Values>(
  signature: string,
  right: Values,
  suspects: readonly Suspect<Values>[],
  sign: (values: Values) => string,
): Mistake | null {
  for (const [mistake, differs, message, wrong] of suspects)
    if (sameDigest(signature, sign({ ...right, ...wrong }))) return { mistake, differs, message };
  return null;
}
