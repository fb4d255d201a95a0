import type { Writing } from '../../platform/csv-encodings.ts';
import { isUpper } from './encoding-letters.ts';

export const isLower = (one: string): boolean => one !== one.toUpperCase();
const baseOf = (one: string): string => one.normalize('NFD')[0]!.toLowerCase();
const isVowel = (one: string): boolean => /[aeiouy\u00e6\u0153\u00f8\u0131]/.test(baseOf(one));
const isAsciiLetter = (one: string): boolean => /[A-Za-z]/.test(one);
export const isLetter = (one: string): boolean => /\p{L}/u.test(one);

/** Whether the character stands among its neighbours as one of a name does. */
export function fits(writing: Writing, before: string, one: string, after: string): boolean {
  if (isUpper(one) && isLower(before)) return false;
  switch (writing) {
    case 'western':
    case 'central':
    case 'turkish':
    case 'baltic':
      return fitsLatin(before, one, after);
    case 'vietnamese':
      return true;
    default:
      // A letter or character between Latin ones is the part of a word in another page.
      return !isAsciiLetter(before) && !isAsciiLetter(after) && (spelling[writing]?.(before, one, after) ?? true);
  }
}

function fitsLatin(before: string, one: string, after: string): boolean {
  if (!isLetter(one)) return true;
  if (!isAsciiLetter(before) && !isAsciiLetter(after)) return false;
  if (one === 'ñ') return isVowel(after);
  const besideVowel = isVowel(before) || isVowel(after);
  return isVowel(one) ? !(isVowel(before) && isVowel(after)) : besideVowel;
}

/** Letters that are neither are left out. */
const consonants = { cyrillic: 'бвгґджзклмнпрстфхцчшщ', greek: 'βγδζθκλμνξπρσςτφχψ' };
const isCrowded = (consonant: string, letters: readonly string[]): boolean =>
  letters.every(one => one !== '' && consonant.includes(one.toLowerCase()));

const finalHebrew = 'ךםןףץ';
/** Letters that have a form for the end of a word; a foreign word may end in פ. */
const notFinalHebrew = 'כמנצ';

const thaiConsonant = /[\u0e01-\u0e2e]/;
const thaiLeading = /[\u0e40-\u0e44]/;
/** Vowels and tones behind or above a consonant. */
const thaiFollowing = /[\u0e30-\u0e3a\u0e45\u0e47-\u0e4e]/;

type Fits = (before: string, one: string, after: string) => boolean;
const spelling: Readonly<Partial<Record<Writing, Fits>>> = {
  cyrillic: (...letters) => !isCrowded(consonants.cyrillic, letters),
  greek: (before, one, after) =>
    (one !== 'ς' || !isLetter(after)) &&
    (one !== 'σ' || isLetter(after)) &&
    !isCrowded(consonants.greek, [before, one, after]),
  hebrew: (_before, one, after) => !(isLetter(after) ? finalHebrew : notFinalHebrew).includes(one),
  thai: (before, one, after) =>
    thaiLeading.test(one)
      ? thaiConsonant.test(after)
      : !thaiFollowing.test(one) || thaiConsonant.test(before) || thaiFollowing.test(before),
};
