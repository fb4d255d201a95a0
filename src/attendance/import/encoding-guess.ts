import { writingOf } from '../../platform/csv-encodings.ts';
import { type GuessedPage, guessedPages, isUpper, worthOf } from './encoding-letters.ts';
import { fits, isLetter, isLower } from './encoding-spelling.ts';

/** The code page in which Excel saves a CSV file, by the system's language; else windows-1252. */
const pagesOfLanguages: readonly (readonly [RegExp, GuessedPage])[] = [
  [/^zh-(tw|hk|mo|hant)/i, 'big5'],
  [/^zh/i, 'gb18030'],
  [/^ja/i, 'shift_jis'],
  [/^ko/i, 'euc-kr'],
  [/^(ru|uk|be|bg|sr|mk|kk|ky|tg)\b/i, 'windows-1251'],
  [/^(pl|cs|sk|hu|sl|hr|bs|ro|sq)\b/i, 'windows-1250'],
  [/^el\b/i, 'windows-1253'],
  [/^(tr|az)\b/i, 'windows-1254'],
  [/^(he|iw|yi)\b/i, 'windows-1255'],
  [/^(ar|fa|ur)\b/i, 'windows-1256'],
  [/^(lt|lv|et)\b/i, 'windows-1257'],
  [/^vi\b/i, 'windows-1258'],
  [/^th\b/i, 'windows-874'],
];
const pageOf = (locale: string): GuessedPage =>
  pagesOfLanguages.find(([languages]) => languages.test(locale))?.[1] ?? 'windows-1252';

/** Pages whose letters are those of others as well: guessed at a site of their languages alone. */
const atTheirSites = new Set<GuessedPage>(['windows-1254', 'windows-1257', 'windows-1258']);

/** Added to the mean of all characters, which is 1 at most. */
const forTheLocale = 0.25;

/**
 * The code page that a text is most likely in. Pages in which it is invalid are out; the others
 * are measured by whether their letters are those of names, and whether they stand as letters of
 * these do. Certain: a header is a known name of a column in one page alone.
 */
export function bestGuess(
  bytes: Uint8Array,
  locale: string,
  columns: ReadonlySet<string>,
): { readonly encoding: GuessedPage; readonly isCertain: boolean } {
  const own = pageOf(locale);
  const texts = guessedPages.flatMap(page => {
    if (atTheirSites.has(page) && page !== own) return [];
    const text = textIn(page, bytes);
    return text === null ? [] : [{ page, text }];
  });
  const headed = texts.filter(({ text }) => hasKnownColumn(text, columns));
  if (headed.length === 1) return { encoding: headed[0]!.page, isCertain: true };
  const scored = texts.map(({ page, text }) => ({
    page,
    score: meanOf(page, text) + (page === own ? forTheLocale : 0),
  }));
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), { page: own, score: -2 });
  return { encoding: best.page, isCertain: false };
}

function textIn(page: GuessedPage, bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder(page, { fatal: true }).decode(bytes);
    // Controls and private characters are valid bytes in some pages, and in no list of names.
    return /[\x80-\x9f\ue000-\uf8ff]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

const headerLinesMax = 10;

function hasKnownColumn(text: string, columns: ReadonlySet<string>): boolean {
  const cells = text
    .split(/\r\n?|\n/, headerLinesMax)
    .flatMap(line => line.split(/[,;\t]/))
    .map(cell => cell.replaceAll('"', '').trim().toLowerCase());
  return cells.some(cell => /[^\0-\x7f]/.test(cell) && columns.has(cell));
}

/** Of the characters beyond ASCII; 0 where there is none. */
function meanOf(page: GuessedPage, text: string): number {
  const writing = writingOf(page)!;
  let sum = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const one = text[at]!;
    if (one <= '\x7f') continue;
    count++;
    const before = text[at - 1] ?? '';
    if (!fits(writing, before, one, text[at + 1] ?? '')) sum -= 2;
    // Chinese characters are capitals in other pages, and Hebrew words begin with small letters.
    else sum += worthOf(page, one) / ((isUpper(one) ? isUpper(before) : isLower(one) && !isLetter(before)) ? 2 : 1);
  }
  return count === 0 ? 0 : sum / count;
}
