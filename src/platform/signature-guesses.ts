import { createHash, createHmac } from 'node:crypto';
import type { Mistake } from './refused-calls.ts';
import { type SignedPart, sameDigest } from './signature.ts';

/** A string that a caller may have signed in place of the right one. */
export interface Guess {
  readonly mistake: string;
  readonly differs: SignedPart['name'] | null;
  readonly message: string;
  /**
   * Value in the message beyond the mistake, such as the order in which it signed; never a secret.
   */
  readonly named?: string;
  readonly text: string;
}

/** Facts about the call that a guess needs beyond its parts. */
export interface GuessedCall {
  /** Origin, such as `https://192.168.1.10:8443`; empty if unknown. */
  readonly origin: string;
  /** With its question mark; empty: none. */
  readonly query: string;
  /** Body; null if there is none, or it was not read. */
  readonly body: string | null;
}

/** Bodies beyond that are not tried. */
export const guessedBodyBytesMax = 64 << 10;

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex');

/**
 * Returns the first guess of which the signature is the MD5; null: none. A few hundred MD5 of short
 * strings at most: for a refused call, not for each.
 */
export function firstGuess(signature: string, guesses: Iterable<Guess>): Mistake | null {
  const sent = signature.trim().toLowerCase();
  for (const { mistake, differs, message, named = '', text } of guesses)
    if (sameDigest(sent, md5(text))) return { mistake, differs, message, named };
  return null;
}

const otherDigests: readonly (readonly [length: number, name: string])[] = [
  [40, 'SHA-1'],
  [64, 'SHA-256'],
  [128, 'SHA-512'],
];

/** Mistake that the form of the signature shows, or another digest of the right string. */
export function otherDigest(header: string, signature: string, right: string, secret: string): Mistake | null {
  const base64 = createHash('md5').update(right, 'utf8').digest('base64');
  if (signature === base64)
    return {
      mistake: 'base64',
      differs: null,
      message: `${header} is the right MD5 in base64: send it in hex, 32 digits 0 to 9 and a to f`,
      named: '',
    };
  if (/^[0-9a-f]{32}$/i.test(signature)) {
    const isHmac = [right, right.replace(secret, '')].some(text =>
      sameDigest(signature, createHmac('md5', secret).update(text, 'utf8').digest('hex')),
    );
    if (!isHmac) return null;
    return {
      mistake: 'hmac',
      differs: null,
      message: 'signed with HMAC: the signature is the plain MD5 of the string',
      named: '',
    };
  }
  const named = otherDigests.find(([length]) => new RegExp(`^[0-9a-f]{${length}}$`, 'i').test(signature))?.[1];
  if (named !== undefined)
    return {
      mistake: 'other_digest',
      differs: null,
      message: `${header} has the length of ${named}: send the MD5, 32 digits`,
      named,
    };
  return {
    mistake: 'no_md5',
    differs: null,
    message: `${header} is no MD5 in hex: 32 digits 0 to 9 and a to f`,
    named: '',
  };
}

const separators: readonly string[] = ['', '&', '-', '_', ':', '|', ',', ' ', '\n'];

/**
 * The parts in another order, joined in another way, or without one of them. `joint` is the right
 * one; a part's text is without it.
 */
export function* joinedOtherwise(parts: readonly SignedPart[], joint: string): Iterable<Guess> {
  const texts = parts.map(({ text }) => text);
  for (const separator of separators)
    if (separator !== joint)
      yield {
        mistake: 'separators',
        differs: null,
        message: `the parts are joined with "${shown(separator)}": join them ${joint === '' ? 'without anything between them' : `with "${joint}"`}`,
        named: shown(separator),
        text: texts.join(separator),
      };
  for (const [index, { name }] of parts.entries())
    yield {
      mistake: 'part_missing',
      differs: name,
      message: `signed without ${name}`,
      named: name,
      text: texts.filter((_, at) => at !== index).join(joint),
    };
  for (const order of permutations(parts.map((_, index) => index)))
    if (order.some((place, index) => place !== index)) {
      const named = order.map(place => parts[place]!.name).join(', ');
      yield {
        mistake: 'order',
        differs: parts[order.findIndex((place, index) => place !== index)]!.name,
        message: `signed in the order ${named}: the right one is ${parts.map(({ name }) => name).join(', ')}`,
        named,
        text: order.map(place => texts[place]).join(joint),
      };
    }
}

const shown = (separator: string): string => (separator === '\n' ? '\\n' : separator);

/** Of at most four things: 24. */
function permutations(of: readonly number[]): number[][] {
  if (of.length <= 1) return [[...of]];
  return of.flatMap(first => permutations(of.filter(one => one !== first)).map(rest => [first, ...rest]));
}

/**
 * Variants with more in the string: the address, the query, the body. `sign` makes the string with
 * another path.
 */
export function* withMore(
  { origin, query, body }: GuessedCall,
  path: string,
  right: string,
  withPath: ((path: string) => string) | null,
): Iterable<Guess> {
  if (withPath) {
    const url = 'the whole address is signed: sign the path alone, from its first slash to the question mark';
    const origins =
      origin === '' ? [] : [...new Set([origin, origin.replace(/:\d+$/, ''), origin.replace(/^https/, 'http')])];
    for (const one of origins)
      for (const rest of [path, `${path}${query}`])
        yield { mistake: 'full_url', differs: 'path', message: url, text: withPath(`${one}${rest}`) };
    if (query !== '')
      yield {
        mistake: 'query',
        differs: 'path',
        message: 'signed with the query: the path ends before the question mark',
        text: withPath(`${path}${query}`),
      };
  }
  if (body === null) return;
  const message = 'the body is signed too: leave it out';
  for (const more of new Set([body, body.trim(), md5(body)]))
    for (const text of [right + more, more + right, `${right}&${more}`, `${right}\n${more}`])
      yield { mistake: 'body', differs: null, message, text };
  if (withPath)
    for (const more of new Set([body, md5(body)]))
      yield { mistake: 'body', differs: null, message, text: withPath(`${path}${more}`) };
}

/** Signed with the secret of another caller; `name`: what the API calls it. */
export const withSecrets = (
  callers: readonly { readonly id: string; readonly secret: string }[],
  own: string,
  differs: SignedPart['name'],
  name: string,
  signed: (secret: string) => string,
): Guess[] =>
  callers
    .filter(({ id }) => id !== own)
    .map(({ id, secret }) => ({
      mistake: 'secret_of_other',
      differs,
      message: `signed with the ${name} of ${id}: the program has the two mixed up`,
      named: id,
      text: signed(secret),
    }));
