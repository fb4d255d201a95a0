import { atMostCharacters } from '../../../../src/platform/attendance.ts';
import { Refused } from './refused.ts';

/** Fields of a body as SPEC 4.8 has them; what does not fit is 106 and names the field. */

export type Body = Readonly<Record<string, unknown>>;

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Undefined when it is absent; a number is read as its text. */
export function textIn(body: Body, field: string, max: number): string | undefined {
  const value = body[field];
  if (isAbsent(value)) return undefined;
  const read = typeof value === 'number' ? String(value) : value;
  if (typeof read !== 'string') throw new Refused('bad_body', `${field}: must be text`);
  if (!read.isWellFormed() || read.includes('\0')) throw new Refused('bad_body', `${field}: is no text`);
  if (!atMostCharacters(read, max)) throw new Refused('bad_body', `${field}: at most ${max} characters`);
  return read;
}

export function filledIn(body: Body, field: string, max: number): string {
  const value = textIn(body, field, max);
  if (value === undefined) throw new Refused('bad_body', `${field}: is missing`);
  if (value === '') throw new Refused('bad_body', `${field}: is empty`);
  return value;
}

/** Undefined when it is absent; digits are read as a number. */
export function wholeIn(body: Body, field: string, least: number, most: number): number | undefined {
  const value = body[field];
  if (isAbsent(value)) return undefined;
  const read = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  if (!Number.isSafeInteger(read) || (read as number) < least || (read as number) > most)
    throw new Refused('bad_body', `${field}: must be a whole number from ${least} to ${most}`);
  return read as number;
}

export function yesNoIn(body: Body, field: string): boolean | undefined {
  const value = body[field];
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'boolean') throw new Refused('bad_body', `${field}: must be true or false`);
  return value;
}

export function oneOfIn<T extends string>(body: Body, field: string, allowed: readonly T[]): T {
  const value = body[field];
  if (isAbsent(value)) throw new Refused('bad_body', `${field}: is missing`);
  if (!allowed.includes(value as T)) throw new Refused('bad_body', `${field}: must be one of ${allowed.join(', ')}`);
  return value as T;
}

/** A list of objects; undefined when it is absent. */
export function objectsIn(body: Body, field: string): Body[] | undefined {
  const value = body[field];
  if (isAbsent(value)) return undefined;
  if (!Array.isArray(value) || value.some(one => typeof one !== 'object' || one === null || Array.isArray(one)))
    throw new Refused('bad_body', `${field}: must be a list of objects`);
  return value;
}

export function textsIn(body: Body, field: string): string[] {
  const value = body[field];
  if (!Array.isArray(value) || value.some(one => typeof one !== 'string'))
    throw new Refused('bad_body', `${field}: must be a list of texts`);
  return value;
}
