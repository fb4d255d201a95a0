import { createHash, createHmac } from 'node:crypto';
import { type SignedPart, sameDigest } from './signature.ts';
import { type Mistake, maskedSecret, plainMistake, type Suspect } from './signed-request.ts';

/** A string that a caller may have signed in place of the right one. */
export interface Guess {
  readonly mistake: string;
  readonly differs: SignedPart['name'] | null;
  readonly message: string;
  /**
   * Value in the message beyond the mistake, such as the order in which it signed; never a secret.
   */
  readonly named?: string;
  /** Unmasked. */
  readonly pieces: readonly SignedPart[];
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
const hasText = ({ text }: SignedPart): boolean => text !== '';
const textOf = (pieces: readonly SignedPart[]): string => pieces.map(({ text }) => text).join('');

/** Secrets of callers: none of them is in what is shown. */
export interface Right {
  /** Right parts, unmasked. */
  readonly parts: readonly SignedPart[];
  readonly secret: string;
}

/**
 * Returns the first guess of which the signature is the MD5; null: none. A few hundred MD5 of short
 * strings at most: for a refused call, not for each.
 */
export function firstGuess(
  signature: string,
  right: Right,
  guesses: Iterable<Guess>,
  secrets: readonly string[] = [],
): Mistake | null {
  const sent = signature.trim().toLowerCase();
  for (const { mistake, differs, message, named = '', pieces } of guesses)
    if (sameDigest(sent, md5(textOf(pieces))))
      return { ...plainMistake(mistake, message, differs, named), ...comparedWith(right, pieces, secrets) };
  return null;
}

/** Pieces without secrets, query and body, and where they first differ from the right ones. */
function comparedWith(
  { parts, secret }: Right,
  pieces: readonly SignedPart[],
  secrets: readonly string[],
): Pick<Mistake, 'signed' | 'differs_at'> {
  const longest = Math.max(parts.length, pieces.length);
  const at = Array.from({ length: longest }, (_, index) => index).find(
    index => parts[index]?.text !== pieces[index]?.text || parts[index]?.name !== pieces[index]?.name,
  );
  const right = new Set(parts.map(({ text }) => text).filter(text => !text.includes(secret)));
  const hidden = [secret, ...secrets];
  const signed = pieces.map(({ name, text }) => ({
    name,
    text: right.has(text)
      ? text
      : (shortened[name] ?? hidden.reduce((shown, one) => shown.replaceAll(one, maskedSecret), text)),
  }));
  return { signed, differs_at: at ?? null };
}

/** May name people. */
const shortened: Partial<Readonly<Record<SignedPart['name'], string>>> = { query: '?…', body: '…' };

/** Suspected values as guesses. */
export const suspected = <Values extends object>(
  right: Values,
  suspects: readonly Suspect<Values>[],
  partsToSign: (values: Values) => readonly SignedPart[],
): Guess[] =>
  suspects.map(([mistake, differs, message, wrong]) => ({
    ...{ mistake, differs, message },
    pieces: partsToSign({ ...right, ...wrong }).filter(hasText),
  }));

const otherDigests: readonly (readonly [length: number, name: string])[] = [
  [40, 'SHA-1'],
  [64, 'SHA-256'],
  [128, 'SHA-512'],
];

/** Mistake that the form of the signature shows, or another digest of the right string. */
export function otherDigest(header: string, signature: string, right: Right): Mistake | null {
  const { parts, secret } = right;
  const text = textOf(parts);
  const asBase64 = createHash('md5').update(text, 'utf8').digest('base64');
  if (signature === asBase64)
    return {
      ...plainMistake('base64', `${header} is the right MD5 in base64: send it in hex, 32 digits 0 to 9 and a to f`),
      ...comparedWith(right, parts, []),
      digest: 'MD5, base64',
    };
  if (/^[0-9a-f]{32}$/i.test(signature)) {
    const signed = [parts, parts.map(part => ({ ...part, text: part.text.replace(secret, '') })).filter(hasText)].find(
      pieces => sameDigest(signature, createHmac('md5', secret).update(textOf(pieces), 'utf8').digest('hex')),
    );
    if (!signed) return null;
    return {
      ...plainMistake('hmac', 'signed with HMAC: the signature is the plain MD5 of the string'),
      ...comparedWith(right, signed, []),
      digest: 'HMAC-MD5',
    };
  }
  const named = otherDigests.find(([length]) => new RegExp(`^[0-9a-f]{${length}}$`, 'i').test(signature))?.[1];
  if (named !== undefined)
    return {
      ...plainMistake('other_digest', `${header} has the length of ${named}: send the MD5, 32 digits`, null, named),
      digest: named,
    };
  return plainMistake('no_md5', `${header} is no MD5 in hex: 32 digits 0 to 9 and a to f`);
}

const separators: readonly string[] = ['', '&', '-', '_', ':', '|', ',', ' ', '\n'];

/**
 * The parts in another order, joined in another way, or without one of them. `joint` is the right
 * one; a part's text is without it.
 */
export function* joinedOtherwise(parts: readonly SignedPart[], joint: string): Iterable<Guess> {
  for (const separator of separators)
    if (separator !== joint)
      yield {
        mistake: 'separators',
        differs: null,
        message: `the parts are joined with "${shown(separator)}": join them ${joint === '' ? 'without anything between them' : `with "${joint}"`}`,
        named: shown(separator),
        pieces: joinedWith(separator, parts),
      };
  for (const [index, { name }] of parts.entries())
    yield {
      mistake: 'part_missing',
      differs: name,
      message: `signed without ${name}`,
      named: name,
      pieces: joinedWith(
        joint,
        parts.filter((_, at) => at !== index),
      ),
    };
  for (const order of permutations(parts.map((_, index) => index)))
    if (order.some((place, index) => place !== index)) {
      const named = order.map(place => parts[place]!.name).join(', ');
      yield {
        mistake: 'order',
        differs: parts[order.findIndex((place, index) => place !== index)]!.name,
        message: `signed in the order ${named}: the right one is ${parts.map(({ name }) => name).join(', ')}`,
        named,
        pieces: joinedWith(
          joint,
          order.map(place => parts[place]!),
        ),
      };
    }
}

const joinedWith = (joint: string, parts: readonly SignedPart[]): SignedPart[] =>
  parts.map(({ name, text }, index) => ({ name, text: index === 0 ? text : joint + text }));

const shown = (separator: string): string => (separator === '\n' ? '\\n' : separator);

/** Of at most four things: 24. */
function permutations(of: readonly number[]): number[][] {
  if (of.length <= 1) return [[...of]];
  return of.flatMap(first => permutations(of.filter(one => one !== first)).map(rest => [first, ...rest]));
}

/** A text under the name of a part; empty ones are left out. */
export const piecesOf = (...pieces: readonly (readonly [SignedPart['name'], string])[]): SignedPart[] =>
  pieces.map(([name, text]) => ({ name, text })).filter(hasText);

/** Variants with more in the string: the address, the query, the body. */
export function* withMore({ origin, query, body }: GuessedCall, path: string, { parts }: Right): Iterable<Guess> {
  const hasPath = parts[0]?.name === 'path';
  const withPath = (...pieces: readonly (readonly [SignedPart['name'], string])[]) => [
    ...piecesOf(...pieces),
    ...parts.slice(1),
  ];
  if (hasPath) {
    const url = 'the whole address is signed: sign the path alone, from its first slash to the question mark';
    const origins =
      origin === '' ? [] : [...new Set([origin, origin.replace(/:\d+$/, ''), origin.replace(/^https/, 'http')])];
    for (const one of origins)
      for (const rest of ['', query])
        yield {
          ...{ mistake: 'full_url', differs: 'path', message: url },
          pieces: withPath(['address', one], ['path', path], ['query', rest]),
        };
    if (query !== '')
      yield {
        ...{ mistake: 'query', differs: 'path' },
        message: 'signed with the query: the path ends before the question mark',
        pieces: withPath(['path', path], ['query', query]),
      };
  }
  if (body === null) return;
  const wrong = { mistake: 'body', differs: null, message: 'the body is signed too: leave it out' } as const;
  for (const more of new Set([body, body.trim(), md5(body)])) {
    yield { ...wrong, pieces: [...piecesOf(['body', more]), ...parts] };
    for (const joint of ['', '&', '\n']) yield { ...wrong, pieces: [...parts, ...piecesOf(['body', joint + more])] };
  }
  if (hasPath)
    for (const more of new Set([body, md5(body)])) yield { ...wrong, pieces: withPath(['path', path], ['body', more]) };
}

/** Signed with the secret of another caller; `name`: what the API calls it. */
export function withSecrets(
  signature: string,
  right: Right,
  callers: readonly { readonly id: string; readonly secret: string }[],
  own: string,
  name: SignedPart['name'],
): Mistake | null {
  const called = name === 'app_key' ? 'app_key' : 'secret';
  const guesses = callers
    .filter(({ id }) => id !== own)
    .map(({ id, secret }) => ({
      mistake: 'secret_of_other',
      differs: name,
      message: `signed with the ${called} of ${id}: the program has the two mixed up`,
      named: id,
      pieces: right.parts.map(part =>
        part.name === name ? { name, text: part.text.replace(right.secret, () => secret) } : part,
      ),
    }));
  return firstGuess(
    signature,
    right,
    guesses,
    callers.map(({ secret }) => secret),
  );
}
