import { expect, test } from 'vitest';
import { described, inLanguage, reworded } from '../../src/words/described.ts';

const textsIn = (document: object, language: 'en' | 'zh') => JSON.parse(JSON.stringify(document, inLanguage(language)));

test('a document has the descriptions of one language, and all else as it is', () => {
  const document = {
    type: 'string',
    description: described('At most a day', '最多一天'),
    items: [{ description: described('By name', '按名称') }, null, 7, 'name'],
  };
  expect(textsIn(document, 'en')).toEqual({
    type: 'string',
    description: 'At most a day',
    items: [{ description: 'By name' }, null, 7, 'name'],
  });
  expect(textsIn(document, 'zh')).toEqual({
    type: 'string',
    description: '最多一天',
    items: [{ description: '按名称' }, null, 7, 'name'],
  });
});

test('a description is reworded in both languages', () => {
  const description = reworded(described('Stores it', '保存'), text => `store: ${text}`);
  expect(textsIn([description], 'en')).toEqual(['store: Stores it']);
  expect(textsIn([description], 'zh')).toEqual(['store: 保存']);
});
