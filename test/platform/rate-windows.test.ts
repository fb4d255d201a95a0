import { expect, test } from 'vitest';
import { RateWindows } from '../../src/platform/rate-windows.ts';

test('each key has its own window', () => {
  const windows = new RateWindows<string>(2, 1000);
  expect(['a', 'a', 'a', 'b'].map(key => windows.take(key, 0))).toEqual([true, true, false, true]);
  expect(windows.take('a', 1000)).toBe(true);
});

test('a key that is quiet for a window is forgotten, one that goes on is not', () => {
  const windows = new RateWindows<number>(2, 1000);
  for (let key = 0; key < 1000; key++) windows.take(key, 0);
  expect(windows.size).toBe(1000);
  windows.take(7, 999);
  windows.take(2000, 1000);
  expect(windows.size).toBe(2);
  expect([windows.take(7, 1000), windows.take(7, 1000)]).toEqual([true, false]);
});
