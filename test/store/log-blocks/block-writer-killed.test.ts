import { expect, test } from 'vitest';
import type { Seq } from '../../../src/store/index.ts';
import { killedAppends, killsOfTest } from '../../support/killed-appends.ts';

test.each([19, 20, 21, 22, 23])(
  'after kill -9 while blocks are written again, each log is there once, in order (seed %i)',
  async seed => {
    await using killed = await killedAppends(seed, 155, 'level');
    const { store } = killed.opened;
    const rows = await store.read.logs({ limit: 1_000_000 });
    const { records } = await store.journal.read(0 as Seq, { bytesMax: 1 << 30 });
    expect(rows.map(({ seq, text }) => [seq, text])).toEqual(
      records.map(({ seq, payload }) => [seq, Buffer.from(payload).toString()]),
    );
    const stored = new Set(rows.map(({ text }) => text));
    expect(killed.committed.filter(text => !stored.has(text))).toEqual([]);
    expect(killed.committed.length).toBeGreaterThanOrEqual(killsOfTest * 5);
  },
);
