import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pinyin } from 'pinyin-pro';
// The list itself: the package's functions answer for a name, but do not say which surnames they know.
// @ts-expect-error a file without types
import knownSurnames from 'pinyin-pro/dist/esm/data/surname.mjs';

/** Surnames that the package does not know and whose reading as a surname, in the dictionaries, is not the usual one. */
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

/** Characters that espeak-ng reads otherwise than as their usual reading: found by its phonemes for every surname. */
const misreadAlone = new Set('甫拓跋夹子戚傅伍卜贾糜巴隗覃乜甯肖翟佴賈車訾祕膪');

export const surnamesFile = fileURLToPath(new URL('../src/services/speech/surnames.generated.ts', import.meta.url));

const readingsOf = (character: string): string[] =>
  pinyin(character, { multiple: true, toneType: 'num', v: true }).split(' ');

/** Syllables with the number of their tone, `shan4`. */
const readingOf = (text: string, surname: 'head' | 'off'): string[] =>
  pinyin(text, { toneType: 'num', type: 'array', v: true, surname });

/** The characters of GB 2312: its 3755 common ones in the order of their readings, then the rarer 3008. */
function gb2312(firstRow: number, lastRow: number): string[] {
  const decoder = new TextDecoder('gbk');
  const characters: string[] = [];
  for (let row = firstRow; row <= lastRow; row++)
    for (let cell = 1; cell <= 94; cell++) characters.push(decoder.decode(new Uint8Array([0xa0 + row, 0xa0 + cell])));
  return characters.filter(character => /^\p{Script=Han}$/u.test(character));
}

/** For each reading a character that everybody reads so: a common one with no other reading, else a rarer one, else the usual reading. */
function homophones(): Map<string, string> {
  const common = gb2312(16, 55);
  const rare = gb2312(56, 87);
  const unambiguous = (character: string) => readingsOf(character).length === 1;
  const found = new Map<string, string>();
  for (const character of [...common.filter(unambiguous), ...rare.filter(unambiguous), ...common]) {
    const [reading] = readingsOf(character);
    if (!misreadAlone.has(character) && !found.has(reading!)) found.set(reading!, character);
  }
  return found;
}

/** Every surname that the scripts know, with its reading: `单`: `['shan4']`. */
export function surnameReadings(): Map<string, readonly string[]> {
  const readings = new Map<string, readonly string[]>();
  for (const surname of Object.keys(knownSurnames)) readings.set(surname, readingOf(surname, 'head'));
  for (const [surname, reading] of Object.entries(furtherSurnames)) readings.set(surname, reading.split(' '));
  for (const [surname, simplified] of Object.entries(traditional)) readings.set(surname, readings.get(simplified)!);
  return readings;
}

/** The module with the surnames that are not read as they are written, made from the package `pinyin-pro`. */
export function surnamesSource(): string {
  const voices = homophones();
  const written = new Map<string, string>();
  for (const [surname, reading] of surnameReadings()) {
    const replaced = [...surname].map((character, index) => {
      const right = readingOf(character, 'off')[0] === reading[index] && !misreadAlone.has(character);
      return right ? character : (voices.get(reading[index]!) ?? character);
    });
    written.set(surname, replaced.join(''));
  }
  // A surname of two characters that is read as written is needed where its first character alone would be replaced.
  const needed = [...written].filter(
    ([surname, as]) =>
      surname !== as || (surname.length > 1 && (written.get(surname[0]!) ?? surname[0]) !== surname[0]),
  );
  return `// Made by \`npm run surnames\` from the package pinyin-pro: do not edit.
/** A surname and characters of the same length that are read as the surname is. */
export const surnamesAsRead: Readonly<Record<string, string>> = {
${needed.map(([surname, as]) => `  ${surname}: '${as}',`).join('\n')}
};
`;
}

if (import.meta.main) writeFileSync(surnamesFile, surnamesSource());
