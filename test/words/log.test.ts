import { expect, test } from 'vitest';
import { logMessages } from '../../src/words/log/messages.ts';
import { filesOf, textOf } from '../support/house/sources.ts';

test('every message of the log is logged somewhere', () => {
  const logged = filesOf('src')
    .filter(file => !file.startsWith('src/words/'))
    .map(textOf)
    .join('\n');
  const codes = logMessages.flatMap(({ texts }) => Object.keys(texts));
  expect(codes.filter(code => !logged.includes(`'${code}'`))).toEqual([]);
});
