import { expect, test } from 'vitest';
import { killedAppends, killsOfTest } from '../support/killed-appends.ts';

test.each([9, 10, 11, 12, 13, 14, 15, 16])(
  'what was committed before kill -9 is there afterwards, in order (seed %i)',
  async seed => {
    await using killed = await killedAppends(seed, 205);
    const stored = (await killed.opened.store.read.logs({ limit: 1_000_000 })).map(row => row.text);
    const places = new Map(stored.map((text, index) => [text, index]));
    expect(killed.committed.length).toBeGreaterThanOrEqual(killsOfTest * 5);
    expect(killed.committed.filter(text => !places.has(text))).toEqual([]);
    const order = killed.committed.map(text => places.get(text)!);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  },
);
