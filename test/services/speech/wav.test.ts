import { expect, test } from 'vitest';
import { SpeechFailed } from '../../../src/services/speech/errors.ts';
import { readWav } from '../../../src/services/speech/wav.ts';
import { wav } from './wav.ts';

test('a WAV file of one channel and of two', () => {
  expect(readWav(wav([1, -2, 32767]))).toEqual({ rate: 22050, channels: [Int16Array.from([1, -2, 32767])] });
  expect(readWav(wav([1, 2, 3, 4, 5], { channels: 2, rate: 48_000 }))).toEqual({
    rate: 48_000,
    channels: [Int16Array.from([1, 3]), Int16Array.from([2, 4])],
  });
});

test('a length that a program wrote before it knew it means the end', () => {
  const file = wav([1, 2, 3]);
  new DataView(file.buffer).setUint32(40, 0x7ffff000, true);
  expect(readWav(file).channels).toEqual([Int16Array.from([1, 2, 3])]);
});

test('the file may stand anywhere in its memory, other chunks before the sound', () => {
  const list = new Uint8Array([0x4c, 0x49, 0x53, 0x54, 3, 0, 0, 0, 1, 2, 3, 0]);
  const file = wav([7]);
  const whole = new Uint8Array([9, ...file.subarray(0, 36), ...list, ...file.subarray(36)]);
  expect(readWav(whole.subarray(1)).channels).toEqual([Int16Array.from([7])]);
});

test.each([
  ['nothing', new Uint8Array()],
  ['text', new TextEncoder().encode('no sound at all')],
  ['8 bits', wav([1], { bits: 8 })],
  ['three channels', wav([1], { channels: 3 })],
  ['no channel', wav([1], { channels: 0 })],
  ['a rate of nothing', wav([1], { rate: 0 })],
  ['a header alone', wav([]).subarray(0, 36)],
  ['half a header', wav([]).subarray(0, 20)],
])('refused: %s', (_what, file) => {
  expect(() => readWav(file)).toThrow(SpeechFailed);
});
