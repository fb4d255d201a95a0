import { expect, test } from 'vitest';
import { placesTable } from '../../../scripts/places.ts';

const spelt: Readonly<Record<string, string>> = {
  成: 'cheng',
  都: 'dou',
  市: 'shi',
  四: 'si',
  川: 'chuan',
  省: 'sheng',
};
const pinyin = (text: string): readonly string[] => [...text].map(character => spelt[character] ?? 'x');

test('the script writes places by adcode, and leaves out what only holds others, towns and economic zones', () => {
  const table = placesTable(
    [
      {
        ...{ code: '51', name: '四川省' },
        children: [
          {
            ...{ code: '5101', name: '成都市' },
            children: [
              { code: '510171', name: '成都经济技术开发区' },
              { code: '510114', name: '新都区' },
              { code: '510114001', name: '新都街道' },
            ],
          },
          { code: '5190', name: '省直辖县级行政区划', children: [{ code: '519001', name: '川川市' }] },
        ],
      },
    ],
    pinyin,
  );
  expect((JSON.parse(table) as string[]).flatMap(rows => rows.split('\n'))).toEqual([
    '510000四川省sichuan',
    '510100成都市chengdu',
    '510114新都区xdu',
    '519001川川市chuanchuan',
    '710000台湾省xx',
    '810000香港特别行政区xx hongkong',
    '820000澳门特别行政区xx macau macao',
  ]);
});

test('a row that the program could not read back is not written', () => {
  expect(() => placesTable([{ code: '51', name: 'Sichuan' }], () => ['x'])).toThrow('not a row: 510000Sichuan');
});
