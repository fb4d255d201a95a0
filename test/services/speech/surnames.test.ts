import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { surnameReadings, surnamesFile, surnamesSource } from '../../../scripts/surnames.ts';
import { nameAsRead } from '../../../src/services/speech/surnames.ts';
import { suiteNeeding } from '../../support/tools.ts';

test('the table in the program is the one that scripts/surnames.ts makes', () => {
  expect(readFileSync(surnamesFile, 'utf8')).toBe(surnamesSource());
});

test.each([
  ['单雄信', '擅雄信'],
  ['單雄信', '擅雄信'],
  ['尉迟恭', '玉迟恭'],
  ['曾单', '增单'],
  ['任', '壬'],
  ['长孙无忌', '掌孙无忌'],
  ['长江', '长江'],
  ['单于夫罗', '蝉于夫罗'],
  ['王单', '王单'],
  ['Tom 单', 'Tom 单'],
  ['constructor', 'constructor'],
  ['', ''],
])('%s is written %s', (name, written) => {
  expect(nameAsRead(name)).toBe(written);
});

suiteNeeding('espeak-ng', 'espeak-ng', 'espeak-ng reads surnames', () => {
  /** The phonemes of each text, all from one process: a text is a sentence of its own. */
  const phonemes = (texts: readonly string[]): string[] => {
    const { stdout } = spawnSync('espeak-ng', ['-b', '1', '-v', 'cmn-latn-pinyin', '-q', '-x', '--stdin'], {
      input: texts.map(text => `${text}。\n\n`).join(''),
      encoding: 'utf8',
    });
    const lines = stdout.split('\n').filter(Boolean);
    expect(lines).toHaveLength(texts.length);
    return lines.map(line => line.trim());
  };

  test('every surname sounds like the pinyin of its reading, save three that no common character sounds like', () => {
    const readings = [...surnameReadings()];
    const said = phonemes(readings.map(([surname]) => nameAsRead(surname)));
    const right = phonemes(readings.map(([, reading]) => reading.join(' ')));
    const wrong = readings.filter((_, index) => said[index] !== right[index]);
    expect(wrong).toEqual([
      ['钭', ['tou3']],
      ['那', ['na1']],
      ['哈', ['ha3']],
    ]);
  });

  test('the surnames that everybody trips over sound like another character of the right sound', () => {
    const pairs = [
      '单善',
      '仇求',
      '解谢',
      '曾憎',
      '覃秦',
      '区鸥',
      '查扎',
      '乐悦',
      '朴瓢',
      '任仁',
      '华话',
      '翟宅',
      '燕烟',
    ];
    const said = phonemes(pairs.map(pair => nameAsRead(pair[0]!)));
    expect(said).toEqual(phonemes(pairs.map(pair => pair[1]!)));
    const untouched = phonemes(pairs.map(pair => pair[0]!));
    expect(untouched.filter((sound, index) => sound === said[index])).toEqual([]);
  });
});
