import { namesNobody } from '../platform/reserved-names.ts';
import type { Call } from './operation.ts';
import { refused } from './problem.ts';

/**
 * The account that asks for what a second person has to approve: that of a person, also by a token
 * that the person made. Commands and their tokens are one account of nobody, which the same person
 * could use beside their own. Throws AdminRefused (403).
 */
export function askerOf({ caller }: Call): string {
  if (!namesNobody(caller.account)) return caller.account;
  throw refused(
    403,
    'person_needed',
    'a second person has to approve this, so whoever asks needs a name: sign in, or use a token that a person made',
  );
}

/**
 * The account that decides on it: that of a person who is signed in. A token decides nothing, as
 * it does not say who uses it. Throws AdminRefused (403).
 */
export function deciderOf({ caller }: Call): string {
  if (caller.via === 'session') return caller.account;
  throw refused(
    403,
    'person_needed',
    'a second person has to decide this: sign in to the pages, as tokens and commands decide nothing here',
  );
}
