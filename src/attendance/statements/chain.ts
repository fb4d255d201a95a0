import { hash } from 'node:crypto';

/** The previous hash of the first statement of a box. */
export const noStatementBefore = '0'.repeat(64);

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** Characters that JSON writes as they are. */
const plain = /^[ !#-[\]-~]*$/;
const textJson = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));

/** Keys of objects in their own order, one below the other; at the last one the sorted order. */
interface KeyPath {
  readonly next: Map<string, KeyPath>;
  sorted: readonly { readonly key: string; readonly written: string }[] | null;
}

const aPath = (): KeyPath => ({ next: new Map(), sorted: null });
/** A closing has a dozen kinds of objects, and millions of each. */
const known = aPath();
let pathsLeft = 4096;

function sortedKeys(keys: readonly string[]): NonNullable<KeyPath['sorted']> {
  let path: KeyPath | undefined = known;
  for (const key of keys) {
    const next: KeyPath | undefined = path.next.get(key) ?? (pathsLeft-- > 0 ? aPath() : undefined);
    if (next === undefined) return sorted(keys);
    path.next.set(key, next);
    path = next;
  }
  path.sorted ??= sorted(keys);
  return path.sorted;
}

const sorted = (keys: readonly string[]) => keys.toSorted().map(key => ({ key, written: `${textJson(key)}:` }));

/**
 * JSON with the keys sorted and no spaces, so that the same statement always has the same bytes:
 * the part of RFC 8785 that needs no floating point. Throws on a number that is not a whole one.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return textJson(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value}: a statement has whole numbers only`);
    return `${value}`;
  }
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  let json = '';
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) json += json === '' ? canonicalJson(item) : `,${canonicalJson(item)}`;
    return `[${json}]`;
  }
  const fields = value as { readonly [key: string]: Json | undefined };
  for (const { key, written } of sortedKeys(Object.keys(fields))) {
    const field = fields[key];
    if (field !== undefined) json += (json === '' ? written : `,${written}`) + canonicalJson(field);
  }
  return `{${json}}`;
}

/** SHA-256 of the previous hash in hex, a line feed, and the statement: in hex. */
export const statementHash = (previous: string, statement: string): string =>
  hash('sha256', `${previous}\n${statement}`, 'hex');
