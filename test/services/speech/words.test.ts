import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wordReadings, wordsFile, wordsSource } from '../../../scripts/words.ts';
import { wordsAsRead } from '../../../src/services/speech/words.ts';
import { suiteNeeding } from '../../support/tools.ts';

test('the table in the program is the one that scripts/words.ts makes', () => {
  expect(readFileSync(wordsFile, 'utf8')).toBe(wordsSource());
});

test.each([
  ['重庆银行', '虫庆银杭'],
  ['人行道', '人行道'],
  ['打卡成功', '打卡成功'],
  ['不了解', '不聊解'],
  ['Tom: 𠮷 8:30', 'Tom: 𠮷 8:30'],
  ['', ''],
])('%s is written %s', (text, written) => {
  expect(wordsAsRead(text)).toBe(written);
});

test('a text keeps its length', () => {
  for (const word of wordReadings().keys()) expect(wordsAsRead(word)).toHaveLength(word.length);
});

suiteNeeding('espeak-ng', 'espeak-ng', 'espeak-ng reads words', () => {
  const phonemes = (texts: readonly string[]): string[] => {
    const { stdout } = spawnSync('espeak-ng', ['-b', '1', '-v', 'cmn-latn-pinyin', '-q', '-x', '--stdin'], {
      input: texts.map(text => `${text}。\n\n`).join(''),
      encoding: 'utf8',
    });
    const lines = stdout.split('\n').filter(Boolean);
    expect(lines).toHaveLength(texts.length);
    return lines.map(line => line.trim());
  };

  test('words of a workplace sound like their pinyin, and did not before', () => {
    const words = [
      ['重庆', 'chong2 qing4'],
      ['厦门', 'xia4 men2'],
      ['银行', 'yin2 hang2'],
      ['行长', 'hang2 zhang3'],
      ['部长', 'bu4 zhang3'],
      ['处长', 'chu4 zhang3'],
      ['请假', 'qing3 jia4'],
      ['年假', 'nian2 jia4'],
      ['出差', 'chu1 chai1'],
      ['调休', 'tiao2 xiu1'],
      ['重新', 'chong2 xin1'],
      ['会计', 'kuai4 ji4'],
      ['音乐', 'yin1 yue4'],
      ['地点', 'di4 dian3'],
      ['欢迎', 'huan1 ying2'],
      ['识别', 'shi2 bie2'],
      ['了解', 'liao3 jie3'],
      ['睡觉', 'shui4 jiao4'],
    ] as const;
    const right = phonemes(words.map(([, pinyin]) => pinyin));
    expect(phonemes(words.map(([word]) => wordsAsRead(word)))).toEqual(right);
    const before = phonemes(words.map(([word]) => word));
    expect(words.filter((_, index) => before[index] === right[index])).toEqual([]);
  });

  test('nine words in ten that the table could mend are right, and none is worse', () => {
    // Syllables without a tone are a matter of taste: left out.
    const words = [...wordReadings()].filter(([, reading]) => reading.every(syllable => !/[05]$/.test(syllable)));
    const right = phonemes(words.map(([, reading]) => reading.join(' ')));
    const before = phonemes(words.map(([word]) => word));
    const after = phonemes(words.map(([word]) => wordsAsRead(word)));
    const wrong = (said: readonly string[]) => words.filter((_, index) => said[index] !== right[index]);
    expect(words.length).toBeGreaterThan(2000);
    expect(wrong(after).length).toBeLessThan(wrong(before).length / 10);
    const worse = words.filter((_, index) => before[index] === right[index] && after[index] !== right[index]);
    expect(worse).toEqual([]);
  });
});
