import type { UnixMs } from '../runtime/clock.ts';
import type { SignedPart } from './signature.ts';

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
  /**
   * Value in the sentence, such as another caller or an order; empty if there is none. Never a
   * secret.
   */
  readonly named: string;
  /** Parts of the caller's string; secrets, query and body masked. Empty: not known. */
  readonly signed: readonly SignedPart[];
  /** Index of the first part that is not as in the right string; null: there is none. */
  readonly differs_at: number | null;
  /** Digest that the caller took of it, where that is no MD5 in hex; else empty. */
  readonly digest: string;
}

/** A mistake that no signed string explains. */
export const plainMistake = (
  mistake: string,
  message: string,
  differs: Mistake['differs'] = null,
  named = '',
): Mistake => ({ ...{ mistake, message, differs, named }, signed: [], differs_at: null, digest: '' });

/** One request of a signed API (SPEC 5.6, 5.7), as people read it; equal ones are counted. */
export interface SignedRequest {
  /** As the caller sent it; never a secret. Empty: none. */
  readonly caller: string;
  /** The signature was right. */
  readonly identified: boolean;
  readonly address: string;
  readonly method: string;
  /** As it was sent, without the query; of a known caller the path of the API that was meant. */
  readonly path: string;
  /** `Api-Cmd` of the attendance API; else empty. */
  readonly command: string;
  /** HTTP. */
  readonly status: number;
  /** Of the body; 0 is success. */
  readonly code: number;
  /** Reason for its rejection; null: accepted. */
  readonly why: Mistake | null;
  /** Right string to sign, the secret masked; empty where the signature is not the fault. */
  readonly parts: readonly SignedPart[];
  /** Of the last one. */
  readonly at: UnixMs;
  readonly ms: number;
  /** Of the first one. */
  readonly since: UnixMs;
  readonly ms_max: number;
  readonly count: number;
}

/** Stands in place of a secret. */
export const maskedSecret = '********';

/** A mistake that integrators make, and how the signed values differ by it. */
export type Suspect<Values> = readonly [
  mistake: string,
  differs: SignedPart['name'],
  message: string,
  wrong: Partial<Values>,
];
