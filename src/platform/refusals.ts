import { type RefusalCode, refusals } from '../words/refusals.ts';
import type { Reason } from '../words/sentences.ts';

export type { RefusalCode } from '../words/refusals.ts';

/** Refused before the login was read: only the address is known, not the device. */
export const isBeforeLogin = (code: string): boolean =>
  code === 'tls' || code === 'connect_too_large' || code === 'too_many_connections';

/** `detail` names the thing that was refused; never a secret. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly detail: string;
}

/** One sentence for a person: what, why, and what to do. */
export const explainRefusal = ({ code, detail }: Refusal): Reason => refusals.say(code, { detail });
