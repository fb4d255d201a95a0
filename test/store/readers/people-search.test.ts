import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pinyinFile, pinyinSource } from '../../../scripts/pinyin.ts';
import { applied, aStore } from '../../support/store.ts';

const names = ['张伟', '单雄信', '尉迟恭', '吕布', '重阳', 'Ōno Ken', 'A李'];
const site = {
  departments: [{ ext_id: 'd1', name: 'Assembly' }],
  employees: names.map((name, index) => ({
    ext_id: `e${index}`,
    name,
    employee_num: `00${index}`,
    mobile: `1380000000${index}`,
    department: { ext_id: 'd1' },
  })),
};

test('the table in the program is the one that scripts/pinyin.ts makes', () => {
  expect(readFileSync(pinyinFile, 'utf8').length).toBeLessThan(70_000);
  expect(readFileSync(pinyinFile, 'utf8')).toBe(pinyinSource());
});

test('people are found by pinyin, initials and the reading of a surname, and by mobile where it is allowed', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await applied(store, site);
  const found = async (text: string, byMobile = false) =>
    (await store.read.people({ text, byMobile, limit: 10 })).map(one => one.name);
  for (const text of ['zhangw', 'zw', 'zhang wei', 'ZhangWei', 'wei', 'zwei', '张', '000'])
    expect(await found(text), text).toEqual(['张伟']);
  for (const text of ['shan', 'sxx', 'danxiong']) expect(await found(text), text).toEqual(['单雄信']);
  for (const text of ['yuchi', 'ycg']) expect(await found(text), text).toEqual(['尉迟恭']);
  for (const text of ['lvbu', 'lü bu', 'lb']) expect(await found(text), text).toEqual(['吕布']);
  for (const text of ['chongyang', 'zhongy']) expect(await found(text), text).toEqual(['重阳']);
  for (const text of ['ono', 'ōno ken', 'ok']) expect(await found(text), text).toEqual(['Ōno Ken']);
  expect(await found('ali')).toEqual(['A李']);
  expect(await found('hangw')).toEqual([]);
  expect(await found('13800000003')).toEqual([]);
  expect(await found('138 0000 0003', true)).toEqual(['吕布']);
  expect(await found('1380', true)).toEqual([]);
});
