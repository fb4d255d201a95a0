import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
// The lists themselves: the package's functions read a text, but do not list the words that they
// know.
// @ts-expect-error a file without types
import wordsOfTwo from 'pinyin-pro/dist/esm/data/dict2.mjs';
// @ts-expect-error a file without types
import wordsOfThree from 'pinyin-pro/dist/esm/data/dict3.mjs';
import { homophones, misread, readingOf } from './homophones.ts';

/** Words of a workplace that the package reads character by character, and wrongly. */
const furtherWords: Readonly<Record<string, string>> = {
  处长: 'chu4 zhang3',
  店长: 'dian4 zhang3',
  年假: 'nian2 jia4',
  得到: 'de2 dao4',
  取得: 'qu3 de2',
  获得: 'huo4 de2',
  电子: 'dian4 zi3',
  子女: 'zi3 nü3',
  个人: 'ge4 ren2',
};

/** No character sounds like 了 here, but before a third tone it has the second. */
const byHand: Readonly<Record<string, string>> = { 了解: '聊解' };

/**
 * Misread characters that are better left alone: particles, and characters whose usual reading is
 * espeak-ng's.
 */
const leftAlone = new Set('得了个子著啦哇哩呐哦呵嘎只曲咕喇');

export const wordsFile = fileURLToPath(new URL('../src/services/speech/words.generated.json', import.meta.url));

/**
 * Every word that the scripts know, with its reading: `银行`: `['yin2', 'hang2']`; a syllable without
 * a tone has 0.
 */
export function wordReadings(): Map<string, readonly string[]> {
  const readings = new Map<string, readonly string[]>();
  // 一 and 不 change their tone with the next syllable, also beyond the word: the voice takes care of
  // that.
  for (const word of [...Object.keys(wordsOfThree), ...Object.keys(wordsOfTwo)])
    if (!/[一不]/.test(word)) readings.set(word, readingOf(word, 'off'));
  for (const [word, reading] of Object.entries(furtherWords)) readings.set(word, reading.replace('ü', 'v').split(' '));
  for (const character of misread) if (!leftAlone.has(character)) readings.set(character, readingOf(character, 'off'));
  return readings;
}

/**
 * The words that are not read as they are written, each with characters of the same number behind it
 * that are read as the word is. Made from the package `pinyin-pro`.
 */
export function wordsSource(): string {
  const voices = homophones();
  const written = new Map<string, string>();
  for (const [word, reading] of wordReadings()) {
    const as = [...word].map((character, index) => {
      const wanted = reading[index]!;
      const right = wanted.endsWith('0') || (readingOf(character, 'off')[0] === wanted && !misread.has(character));
      return right ? character : (voices.get(wanted) ?? character);
    });
    written.set(word, as.join(''));
  }
  for (const [word, as] of Object.entries(byHand)) written.set(word, as);
  // A word that is read as written is needed where a shorter one inside it would be replaced: 人行道
  // has no 行道.
  const within = (word: string): string[] => [...word].flatMap((one, index) => [one, word.slice(index, index + 2)]);
  const needed = [...written]
    .filter(([word, as]) => word !== as || within(word).some(one => one !== word && (written.get(one) ?? one) !== one))
    .map(([word, as]) => word + as);
  const lines = needed.reduce<string[]>((all, entry) => {
    const last = all.at(-1);
    if (last !== undefined && last.length + entry.length < 100) all[all.length - 1] = `${last} ${entry}`;
    else all.push(entry);
    return all;
  }, []);
  return `${JSON.stringify(lines, null, 1)}\n`;
}

if (import.meta.main) writeFileSync(wordsFile, wordsSource());
