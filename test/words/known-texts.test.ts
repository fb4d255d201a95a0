import { expect, test } from 'vitest';
import { KnownTexts } from '../../src/words/known-texts.ts';
import { sentences, type Table } from '../../src/words/sentences.ts';

const table = sentences({
  plain: { en: 'the box is ready', zh: '' },
  named: { en: ({ name, why }: { name: string; why: string }) => `the file ${name} is refused: ${why}`, zh: '' },
  ended: { en: ({ name }: { name: string }) => `nobody called ${name} works here`, zh: '' },
  bare: { en: ({ why }: { why: string }) => why, zh: '' },
  counted: { en: ({ count }: { count: number }) => `${count.toFixed(1)} of all were counted`, zh: '' },
});
const known = new KnownTexts([table as Table]);

test('the values of a sentence are told from its words', () => {
  expect(known.read('the box is ready', ' (')).toEqual({ constants: ['the box is ready'], values: [], rest: '' });
  expect(known.read('the file a.csv is refused: no rows (x=1)', ' (')).toMatchObject({
    values: ['a.csv', 'no rows (x=1)'],
  });
  expect(known.read('nobody called Li Mei works here (device=A1)', ' (')).toMatchObject({
    values: ['Li Mei'],
    rest: ' (device=A1)',
  });
});

test.each(['the box is ready or not', 'Li Mei', '12.0 of all were counted', '', 'nobody called Li Mei'])(
  'a text that no sentence made is not known: %s',
  text => {
    expect(known.read(text, ' (')).toBeNull();
  },
);
