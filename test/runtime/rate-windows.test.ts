import { expect, test } from 'vitest';
import { RateWindows } from '../../src/runtime/rate-windows.ts';
import { seededRandom } from '../support/clock.ts';

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

test('a key knows how long it has to wait, and can be cleared', () => {
  const windows = new RateWindows<string>(2, 1000);
  windows.take('a', 0);
  expect(windows.wait('a', 100)).toBe(0);
  windows.take('a', 100);
  expect([windows.wait('a', 400), windows.wait('b', 400)]).toEqual([600, 0]);
  windows.forget('a');
  expect(windows.wait('a', 400)).toBe(0);
});

test('it holds a bounded number of keys, and drops the one that was quiet longest', () => {
  const windows = new RateWindows<string>(1, 1000, 3);
  for (const [at, key] of ['a', 'b', 'c', 'a', 'd'].entries()) windows.take(key, at);
  expect(windows.size).toBe(3);
  expect(['a', 'b', 'c', 'd'].map(key => windows.wait(key, 10) > 0)).toEqual([true, false, true, true]);
});

test('whatever comes, each key is told what it would be told alone, while no other takes its place', () => {
  const random = seededRandom(7);
  const windows = new RateWindows<number>(2, 1000, 4);
  /** By last heard, oldest first; the times that were let through. */
  let model: { key: number; heardAt: number; times: number[] }[] = [];
  let now = 0;
  for (let turn = 0; turn < 20_000; turn++) {
    now += Math.floor(random() * 300);
    const key = Math.floor(random() * 6);
    if (random() < 0.05) {
      windows.forget(key);
      model = model.filter(one => one.key !== key);
    }
    const known = model.find(one => one.key === key);
    const times = (known?.times ?? []).filter(time => time > now - 1000);
    const mayPass = times.length < 2;
    const others = model.filter(one => one.key !== key && now - one.heardAt < 1000);
    model = [...others.slice(-3), { key, heardAt: now, times: mayPass ? [...times, now] : times }];
    expect([turn, windows.take(key, now), windows.size]).toEqual([turn, mayPass, model.length]);
  }
});
