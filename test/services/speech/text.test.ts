import { expect, test } from 'vitest';
import { speechText } from '../../../src/services/speech/text.ts';
import { voicedTexts } from '../../../src/services/speech/voices.ts';

test.each([
  ['打卡成功', '打卡成功'],
  ['  a\tb\r\nc\u0085d ', 'a b c d'],
  ['a\0b\u001bc\u200bd\u202ee\uFEFF', 'abcde'],
  ['half \ud800 of a pair', 'half  of a pair'],
  ['[[h@l]] 好', 'h@l 好'],
  ['-v en <b>&amp;</b>', '-v en <b>&amp;</b>'],
  ['e\u0301', 'é'],
  ['𠮷'.repeat(64), '𠮷'.repeat(64)],
])('%j is spoken as %j', (text, value) => {
  expect(speechText(text)).toEqual({ ok: true, value });
});

test.each([
  [undefined, 'text is missing'],
  ['', 'text is missing'],
  ['好'.repeat(65), 'text has 65 characters, at most 64 are spoken'],
  ['𠮷'.repeat(65), 'text has 65 characters, at most 64 are spoken'],
  ['。，!?', 'text holds no letter and no digit'],
  ['\0\u200b', 'text holds no letter and no digit'],
])('%j is refused', (text, reason) => {
  expect(speechText(text)).toEqual({ ok: false, reason });
});

test.each([
  ['打卡成功', ['cmn 打卡成功']],
  ['Hello, world 12', ['en Hello, world 12']],
  ['Tom 打卡成功', ['en Tom', 'cmn 打卡成功']],
  ['欢迎 Mary-Ann O’Neill & Co，请到 3 楼', ['cmn 欢迎', 'en Mary-Ann O’Neill & Co', 'cmn ，请到 3 楼']],
  ['A座B1层', ['en A', 'cmn 座', 'en B', 'cmn 1层']],
  ['你好。Tom。', ['cmn 你好。', 'en Tom']],
  ['12:30', ['en 12:30']],
])('who reads what: %s', (text, parts) => {
  const said = voicedTexts(text).map(one => `${one.voice === 'en' ? 'en' : 'cmn'} ${one.text}`);
  expect(said).toEqual(parts);
});
