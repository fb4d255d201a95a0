import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cellWriter,
  csvLine,
  csvSeparators,
  harmless,
  rawCsvLine,
  separatorIn,
  textCell,
} from '../../src/runtime/csv.ts';

test.each([
  ...['001001', '000', '123456789012', '110101199001011234', '1E5', '1e5', '12e-3', '1,5E3', '1.50', '1,5', '1.', '.5'],
  ...['3-4', '3/4', '1 1/2', '12-2026', '2026-11-20', '11.12.', '1:30', '10:30:00', '9 p', '9am', '11:05 PM'],
  ...['MAR1', 'Sept2', 'dec 12', '1-Jan', '1. Mai', 'Okt-3', '2 févr', '5%', '$5', '5 €', '(5)', '1 000', "1'000"],
  ...['+5', '00-1', '5月6日', '2026年11月', '8时30分', 'TRUE', 'false', 'Wahr', 'FAUX', 'ИСТИНА', 'Fałsz'],
])('%j is kept as text', text => {
  expect(textCell(text)).toBe(`\t${text}`);
});

test.each([
  '0',
  '7',
  '-7',
  '12345678901',
  'e1',
  'A0001',
  '李梅',
  'Mara',
  'Marie',
  'Decker 12a',
  '3A',
  'd-1-2',
  '',
  '25 h',
  'May',
  '8号门',
])('%j is left as it is', text => {
  expect(textCell(text)).toBe(text);
});

/** Cells as a spreadsheet finds them that expects another separator: it knows no quotes inside. */
const partsOf = (line: string): string[] => line.split(/[;,\t\r\n]/).map(part => part.replace(/^"/, ''));
const runs = (part: string): boolean => /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20](?![\d.]*"?$)/.test(part);

test.each(['x;=1+1;y', 'x,=1+1', 'x\t=1', 'x\r\n@SUM(A1)', 'x; =1', 'x;＝1', '=1;=1', ';+cmd|1'])(
  '%j is a formula with no separator',
  name => {
    for (const separator of Object.values(csvSeparators)) {
      const line = csvLine(['7', name, 'd1'], separator);
      expect(partsOf(line).filter(runs), line).toEqual([]);
    }
  },
);

test('no text is a formula, whatever separator a spreadsheet expects', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab1=+-@;,\t\r\n "＝') });
  fc.assert(
    fc.property(text, fc.constantFrom(...Object.values(csvSeparators)), (cell, separator) => {
      expect(partsOf(rawCsvLine([textCell(harmless(cell)), 'd1'], separator)).filter(runs)).toEqual([]);
    }),
  );
});

test('a semicolon is quoted, and so is what another separator would part', () => {
  expect(csvLine(['a;b', 'a,b', 'a\tb', 'a'])).toBe('"a;b","a,b","a\tb",a\r\n');
  expect(csvLine(['a;b', 'a,b'], ';')).toBe('"a;b";"a,b"\r\n');
});

test.each([
  ['en', ','],
  ['zh-CN', ','],
  ['ja', ','],
  ['de', ';'],
  ['fr-FR', ';'],
  ['pl', ';'],
  ['ru', ';'],
  ['pt-BR', ';'],
])('the separator of %s is %s', (locale, separator) => {
  expect(separatorIn(locale)).toBe(separator);
});

test('a writer of cells writes each text as a line has it, however often it comes', () => {
  const cells = fc.oneof(
    fc.string(),
    fc.constantFrom('7', '-7', '007', '=1+1', '"', 'a;b', '1E5', '12345678901234567'),
  );
  fc.assert(
    fc.property(fc.array(cells), texts => {
      const cellOf = cellWriter();
      for (const text of [...texts, ...texts])
        expect(`${cellOf(text)}\r\n`).toBe(rawCsvLine([textCell(harmless(text))]));
    }),
  );
});
