import { createHash } from 'node:crypto';

/** Base64 of about so many characters, always the same; it does not shrink below three quarters. */
export const incompressible = (length: number): string =>
  Array.from({ length: Math.ceil(length / 64) }, (_, index) =>
    createHash('sha384').update(`${index}`).digest('base64'),
  ).join('');
