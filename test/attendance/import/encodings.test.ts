import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { csvEncodings } from '../../../src/platform/csv-encodings.ts';
import { inCodePage } from '../../support/code-page.ts';
import { listRead } from '../../support/workbook-here.ts';

const listOf = (names: readonly string[], header = 'ext_id,name,department_ext_id') =>
  `${header}\r\n${names.map((name, at) => `e${at},${name},d1\r\n`).join('')}`;
const read = (bytes: Uint8Array, choices: Parameters<typeof listRead>[2] = {}) => listRead('employees', bytes, choices);
const namesOf = ({ items }: Awaited<ReturnType<typeof read>>) =>
  items.map(({ item }) => (item as { readonly name: string }).name);

const lists = [
  ['windows-1252', 'de', ['Jürgen Müller', 'Günther Weiß', 'Anna Schmidt', 'Françoise Lefèvre', 'José Núñez']],
  ['iso-8859-15', 'fr', ['Cœur François', 'Žiga Šuštar', 'Œdipe Noël', 'Hélène Dupré']],
  ['windows-1250', 'pl', ['Łukasz Wiśniewski', 'Zdeněk Dvořák', 'Małgorzata Zielińska', 'Jiří Novák']],
  ['windows-1251', 'ru', ['Иванов Иван', 'Щербаков Эдуард', 'Шевченко Тарас', 'ПЕТРОВА МАРИЯ']],
  ['shift_jis', 'ja', ['山田太郎', '織田信長', 'タカハシ ケン', '伊藤さくら']],
  ['big5', 'zh-TW', ['陳大文', '歐陽菲菲', '許瑋甯', '林志明']],
  ['gb18030', 'zh-CN', ['李梅', '欧阳娜娜', '诸葛亮', '张丽']],
  ['euc-kr', 'ko', ['김철수', '을지문덕', '이영희', '허준']],
] as const;

test.each(lists)(
  'a list in %s is read as what it is, at a site of its language and of another',
  async (page, own, names) => {
    for (const locale of [own, 'en', 'zh-CN']) {
      const list = await read(inCodePage(listOf(names), page), { locale });
      expect(namesOf(list), locale).toEqual(names);
      expect(list.file.encoding).toMatchObject({ name: page, isCertain: false });
      // What a person looks at to judge it.
      expect(list.file.encoding!.samples).toEqual(names.filter(name => /[^\0-\x7f]/.test(name)).slice(0, 5));
    }
  },
);

test.each(lists)('a list in %s is read by the choice of it, whatever the site is', async (page, _own, names) => {
  for (const count of [1, names.length]) {
    const list = await read(inCodePage(listOf(names.slice(0, count)), page), { locale: 'en', encoding: page });
    expect(namesOf(list)).toEqual(names.slice(0, count));
    expect(list.file.encoding).toMatchObject({ name: page, isCertain: true });
  }
});

/** Files that LibreOffice has saved; the last ones have the letters of others, and are guessed at home alone. */
const saved = [
  ['windows-1253', 'el', ['Γεώργιος Παπαδόπουλος', 'Μαρία Νικολάου', 'ΕΛΕΝΗ ΔΗΜΗΤΡΙΟΥ', 'Κώστας Ξένος']],
  ['koi8-r', 'ru', ['Иванов Иван', 'Щербаков Эдуард', 'Фёдорова Анна', 'ПЕТРОВА МАРИЯ']],
  ['koi8-u', 'uk', ['Шевченко Тарас', 'Ївга Лісова', 'Ґалаґан Євген']],
  ['ibm866', 'ru', ['Иванов Иван', 'Щербаков Эдуард', 'Фёдорова Анна', 'ПЕТРОВА МАРИЯ']],
  ['windows-1255', 'he', ['דוד כהן', 'שרה לוי', 'אברהם פרץ', 'מרים שמש']],
  ['windows-1256', 'ar', ['محمد أحمد', 'فاطمة الزهراء', 'خالد العتيبي']],
  ['windows-874', 'th', ['สมชาย ใจดี', 'มาลี ศรีสุข', 'วิชัย แก้วมณี']],
  ['windows-1254', 'tr', ['Ayşe Yılmaz', 'İbrahim Çağlar', 'Gökçe Öztürk']],
  ['windows-1257', 'lt', ['Jānis Bērziņš', 'Rūta Žukauskaitė', 'Ģirts Ķēniņš']],
  ['windows-1258', 'vi', ['Nguyễn Văn Đức', 'Trần Thị Hương', 'Phạm Quốc Việt']],
] as const;
const atHomeAlone = ['windows-1254', 'windows-1257', 'windows-1258'];

test.each(saved)('a list that LibreOffice has saved in %s is read', async (page, own, names) => {
  const file = await readFile(new URL(`office-files/${page}.csv`, import.meta.url));
  for (const locale of atHomeAlone.includes(page) ? [own] : [own, 'en', 'zh-CN', 'ru']) {
    const list = await read(file, { locale });
    expect([list.file.encoding?.name, namesOf(list)], locale).toEqual([page, names]);
    expect(list.file.encoding?.isCertain).toBe(false);
  }
  expect(namesOf(await read(file, { locale: 'en', encoding: page }))).toEqual(names);
});

test.each(csvEncodings)('%s can be chosen, and ASCII is ASCII in it', async encoding => {
  const list = await read(Buffer.from(listOf(['Li Mei', 'Wu Ying'])), { encoding });
  expect(namesOf(list)).toEqual(['Li Mei', 'Wu Ying']);
});

test('a header that one code page alone yields makes it certain', async () => {
  const bytes = inCodePage(listOf(['丁一'], '人员编号,姓名,部门编号'), 'gb18030');
  const list = await read(bytes, { locale: 'de' });
  expect(namesOf(list)).toEqual(['丁一']);
  expect(list.file.encoding).toMatchObject({ name: 'gb18030', isCertain: true });
});

const utf16 = (text: string, order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
const mixed = listOf(['李梅', 'Jürgen', 'Иванов']);
test.each([
  ['UTF-8', Buffer.from(mixed), 'utf-8'],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${mixed}`), 'utf-8'],
  ['UTF-16, little end first', utf16(mixed, 'le'), 'utf-16le'],
  ['UTF-16 with a mark', utf16(`\ufeff${mixed.replaceAll(',', '\t')}`, 'le'), 'utf-16le'],
  ['UTF-16, big end first', utf16(mixed, 'be'), 'utf-16be'],
  ['UTF-16, big end first, with a mark', utf16(`\ufeff${mixed}`, 'be'), 'utf-16be'],
  ['UTF-16 of Chinese alone', utf16(listOf(['丁一'], '人员编号,姓名,部门编号'), 'le'), 'utf-16le'],
])('%s is certain', async (_name, bytes, encoding) => {
  const list = await read(bytes);
  expect(list.problems).toEqual([]);
  expect(list.items.length).toBeGreaterThan(0);
  expect(list.file.encoding).toMatchObject({ name: encoding, isCertain: true });
});

test('a character that is cut in two, private or a control is named with its row and column', async () => {
  const cut = Buffer.concat([
    Buffer.from(listOf(['李梅', '王伟'])),
    Buffer.from('e8,张'),
    Buffer.from('丽').subarray(0, 2),
    Buffer.from(',d1\r\ne9,A\ue001,d1\r\ne10,B\x9d,d1\r\ne11,\x1b$B,d1\r\n'),
  ]);
  const list = await read(cut);
  expect(list.problems.map(({ line, column, reason }) => `${line} ${column} ${/U\+\w+/.exec(reason)?.[0]}`)).toEqual([
    '4 name U+FFFD',
    '5 name U+E001',
    '6 name U+009D',
    '7 name U+001B',
  ]);
  expect(namesOf(list)).toEqual(['李梅', '王伟']);
});

test('a choice that does not fit is an error with row and column, not garbage', async () => {
  const list = await read(inCodePage(listOf(['Jürgen', 'Anna', 'Weiß']), 'windows-1252'), { encoding: 'utf-8' });
  expect(list.problems.map(({ line, column }) => `${line} ${column}`)).toEqual(['2 name', '4 name']);
});

test.each([
  ['UTF-32', Buffer.concat([Buffer.from('fffe0000', 'hex'), Buffer.from('e\0\0\0')]), /^text in UTF-32/],
  ['bytes with NULs', Buffer.from('ext_id,name\ne1,\0\0\0\n'), /NUL characters/],
  ['a PDF', Buffer.from('%PDF-1.7\n'), /^a PDF/],
  ['a web page named XLS', Buffer.from('\ufeff<html xmlns:x="urn"><table>'), /^a web page/],
  ['an XML workbook', Buffer.from('<?xml version="1.0"?><Workbook>'), /^XML/],
  ['a packed file', Buffer.from('1f8b0800', 'hex'), /^a compressed file/],
  ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), /^a picture/],
])('%s is refused as what it is, without NULs in the message', async (_name, bytes, reason) => {
  const { problems } = await read(bytes);
  expect(problems).toMatchObject([{ line: 1, value: '', reason: expect.stringMatching(reason) }]);
  expect(JSON.stringify(problems)).not.toContain('\\u0000');
});
