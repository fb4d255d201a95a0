import table from './pinyin.generated.json' with { type: 'json' };

/**
 * `usual`: of each character from `firstCode` on, the place of its usual reading among `syllables`
 * as two digits of base 36; `--`: none is known. `further`: characters with more readings, four
 * hexadecimal digits, then two digits for each.
 */
const { syllables, usual, further } = table;
/** Those of two characters, and those that are not read as the character usually is. */
const surnames: Readonly<Record<string, string>> = table.surnames;

const firstCode = 0x4e00;
/** Without tones, `v` for the umlaut. */
const known = syllables.split(' ');
const syllableAt = (pairs: string, place: number): string | undefined =>
  known[Number.parseInt(pairs.slice(place * 2, place * 2 + 2), 36)];
const others = new Map(further.split(' ').map(one => [Number.parseInt(one.slice(0, 4), 16), one.slice(4)]));

/** Of one name: more readings of it than this are left out. */
const variantsMax = 12;

/** Without tones, the usual one first; empty: no Chinese character, or an unknown one. */
function readingsOf(character: string): string[] {
  const code = character.codePointAt(0)!;
  const first = syllableAt(usual, code - firstCode);
  if (code < firstCode || first === undefined) return [];
  const more = others.get(code) ?? '';
  return [first, ...Array.from({ length: more.length / 2 }, (_, place) => syllableAt(more, place)!)];
}

/** Letters alone, in lower case and without accents; `v` for the umlaut of `lü`. */
const letters = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('\u00fc', 'v')
    .normalize('NFD')
    .replace(/[^a-z]/g, '');

/**
 * Keys that find a name besides the name itself: its pinyin from the surname and from the forename
 * on, the initials, and the surname's initial with the forename (`zhangwei`, `wei`, `zw`, `zwei`),
 * in all readings, the surname's own first. A text finds it that one of these begins with. The name
 * stands in front with a line feed: keys of another name are out of date.
 */
export function searchKeysOf(name: string): string {
  const keys = new Set<string>();
  for (const { surname, forename } of readNames(name)) {
    const all = [...surname, ...forename];
    const initials = all.map(one => one[0]).join('');
    for (const key of [all.join(''), forename.join(''), initials, `${surname[0]?.[0] ?? ''}${forename.join('')}`])
      if (key !== '') keys.add(key);
  }
  return `${name}\n ${[...keys].join(' ')}`;
}

/** A person's name as it may be read, each part syllable by syllable, or word by word. */
function readNames(name: string): { surname: string[]; forename: string[] }[] {
  const characters = [...name.trim()];
  const isHan = characters.some(one => readingsOf(one).length > 0);
  if (!isHan) {
    const [first, ...rest] = name
      .split(/[\s.,\u00b7'-]+/)
      .map(letters)
      .filter(Boolean);
    return first === undefined ? [] : [{ surname: [first], forename: rest }];
  }
  const two = surnames[characters.slice(0, 2).join('')];
  const length = two !== undefined && characters.length > 2 ? 2 : 1;
  const own = length === 2 ? two! : surnames[characters[0]!];
  const read = readingsOf(characters[0]!);
  const first = read.length > 0 ? read : [letters(characters[0]!)];
  const surnameReadings =
    length === 2 ? [own!.split(' ')] : [...new Set([...(own === undefined ? [] : [own]), ...first])].map(one => [one]);
  let forename: string[][] = [[]];
  for (const character of characters.slice(length)) {
    const readings = readingsOf(character);
    const next = readings.length > 0 ? readings : [letters(character)].filter(Boolean);
    if (next.length === 0) continue;
    forename = forename.flatMap(before => next.map(one => [...before, one])).slice(0, variantsMax);
  }
  return surnameReadings
    .flatMap(surname => forename.map(rest => ({ surname, forename: rest })))
    .slice(0, variantsMax * 2);
}
