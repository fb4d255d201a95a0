import { expect, test } from 'vitest';
import { logMessages } from '../../src/words/log/messages.ts';
import { storeLog } from '../../src/words/log/store.ts';
import { inChinese, whyOf, withWhy } from '../../src/words/sentences.ts';
import { storeFaults } from '../../src/words/store.ts';
import { filesOf, textOf } from '../support/house/sources.ts';

test('every message of the log is logged somewhere', () => {
  const logged = filesOf('src')
    .filter(file => !file.startsWith('src/words/'))
    .map(textOf)
    .join('\n');
  const codes = logMessages.flatMap(({ texts }) => Object.keys(texts));
  expect(codes.filter(code => !logged.includes(`'${code}'`))).toEqual([]);
});

test('a reason within a message is Chinese too', () => {
  const fault = storeFaults.say('disk_full');
  const message = storeLog.say('store_in_trouble', withWhy(whyOf(fault)));
  expect(message.reason).toBe(fault.reason);
  expect(inChinese(message, storeLog)).toBe(`数据库出现问题：${inChinese(fault, storeFaults)}`);
});
