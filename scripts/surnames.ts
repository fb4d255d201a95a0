import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
// The list itself: the package's functions read a name, but do not list the surnames that they
// know.
// @ts-expect-error a file without types
import knownSurnames from 'pinyin-pro/dist/esm/data/surname.mjs';
import { homophones, misread, readingOf } from './homophones.ts';

/**
 * Surnames missing from the package whose reading as a surname, by the dictionaries, differs from
 * the usual one.
 */
const furtherSurnames: Readonly<Record<string, string>> = {
  单于: 'chan2 yu2',
  种: 'chong2',
  洗: 'xian3',
  秘: 'bi4',
  祭: 'zhai4',
  佴: 'nai4',
  占: 'zhan1',
};

/** Surnames in the form of Hong Kong and Taiwan, read as the simplified one. */
const traditional: Readonly<Record<string, string>> = {
  單: '单',
  區: '区',
  蓋: '盖',
  樂: '乐',
  華: '华',
  紀: '纪',
  寧: '宁',
  賈: '贾',
  員: '员',
  過: '过',
  種: '种',
  祕: '秘',
  單于: '单于',
  樂正: '乐正',
  長孫: '长孙',
  萬俟: '万俟',
  尉遲: '尉迟',
  夾谷: '夹谷',
  子車: '子车',
};

export const surnamesFile = fileURLToPath(new URL('../src/services/speech/surnames.generated.json', import.meta.url));

/** Every surname that the scripts know, with its reading: `单`: `['shan4']`. */
export function surnameReadings(): Map<string, readonly string[]> {
  const readings = new Map<string, readonly string[]>();
  for (const surname of Object.keys(knownSurnames)) readings.set(surname, readingOf(surname, 'head'));
  for (const [surname, reading] of Object.entries(furtherSurnames)) readings.set(surname, reading.split(' '));
  for (const [surname, simplified] of Object.entries(traditional)) readings.set(surname, readings.get(simplified)!);
  return readings;
}

/**
 * The surnames that are not read as they are written, each with characters of the same number that
 * are read as it is. Made from the package `pinyin-pro`.
 */
export function surnamesSource(): string {
  const voices = homophones();
  const written = new Map<string, string>();
  for (const [surname, reading] of surnameReadings()) {
    const replaced = [...surname].map((character, index) => {
      const right = readingOf(character, 'off')[0] === reading[index] && !misread.has(character);
      return right ? character : (voices.get(reading[index]!) ?? character);
    });
    written.set(surname, replaced.join(''));
  }
  // A surname of two characters that is read as written is needed where its first character alone
  // would be replaced.
  const needed = [...written].filter(
    ([surname, as]) =>
      surname !== as || (surname.length > 1 && (written.get(surname[0]!) ?? surname[0]) !== surname[0]),
  );
  return `${JSON.stringify(Object.fromEntries(needed), null, 1)}\n`;
}

if (import.meta.main) writeFileSync(surnamesFile, surnamesSource());
