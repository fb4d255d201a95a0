import { randomInt } from 'node:crypto';

/** Letters and digits that cannot be confused. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const characters = 10;

/** A password for a hotspot, to be typed from a label: 49 bits by chance. */
export const makeHotspotKey = (): string =>
  Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join('');
