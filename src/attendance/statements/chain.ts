import { hash } from 'node:crypto';

/** The previous hash of the first statement of a box. */
export const noStatementBefore = '0'.repeat(64);

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/**
 * JSON with the keys sorted and no spaces, so that the same statement always has the same bytes:
 * the part of RFC 8785 that needs no floating point. Throws on a number that is not a whole one.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new RangeError(`${value}: a statement has whole numbers only`);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = value as { readonly [key: string]: Json | undefined };
  const written = Object.keys(fields)
    .filter(key => fields[key] !== undefined)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson(fields[key]!)}`);
  return `{${written.join(',')}}`;
}

/** SHA-256 of the previous hash in hex, a line feed, and the statement: in hex. */
export const statementHash = (previous: string, statement: string): string =>
  hash('sha256', `${previous}\n${statement}`, 'hex');
