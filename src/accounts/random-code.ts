import { randomInt } from 'node:crypto';

/** Letters and digits that cannot be confused: 4.95 bits each. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const groupCharacters = 4;

/** `XXXX-XXXX`, or more groups: 19.8 random bits each. */
export function randomCode(groups: number): string {
  const group = () => Array.from({ length: groupCharacters }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** A code as somebody typed it: in any case, with or without hyphens and blanks. */
export const plainCode = (written: string): string => written.toUpperCase().replace(/[\s-]/g, '');
