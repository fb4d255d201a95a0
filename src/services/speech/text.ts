/** Characters, counted as Unicode code points (SPEC 4.7, 8). */
const speechTextMax = 64;

type SpeechText = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

/**
 * Checks the `text` of a call (SPEC 4.7): present, at most 64 characters, with something in it that
 * can be spoken. The value is what is spoken, and the same for texts that sound the same but for
 * invisible characters.
 */
export function speechText(text: string | undefined): SpeechText {
  if (text === undefined || text === '') return { ok: false, reason: 'text is missing' };
  const length = [...text].length;
  if (length > speechTextMax)
    return { ok: false, reason: `text has ${length} characters, at most ${speechTextMax} are spoken` };
  const value = cleanText(text);
  if (!/[\p{L}\p{N}]/u.test(value)) return { ok: false, reason: 'text holds no letter and no digit' };
  return { ok: true, value };
}

/**
 * Line ends and tabs become spaces; other control characters, invisible format characters and
 * halves of surrogate pairs are dropped. Square brackets become spaces: twice in a row they would
 * be read as phonemes.
 */
export const cleanText = (text: string): string =>
  text
    .replace(/[\s\u0085[\]]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .normalize('NFC')
    .trim();
