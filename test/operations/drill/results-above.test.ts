import { expect, test } from 'vitest';
import { ResultsAbove } from '../../../src/operations/drill/results-above.ts';
import type { LineResult } from '../../../src/platform/drill.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import type { Result } from '../../../src/upstream/transport.ts';
import { HandClock } from '../../support/clock.ts';
import { aStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const resultOf = (id: string, begunAt: number): LineResult => ({
  ...{
    kind: 'line',
    id,
    begunAt,
    restoredAt: begunAt,
    endedAt: begunAt,
    outcome: 'passed',
    waiting: 0,
    devices: [],
    unlisted: 0,
  },
});

/** A box with results, and what the other side says to each. */
async function aBox() {
  const temporary = await aStore();
  const clock = new HandClock();
  const said: string[] = [];
  const box = { answer: { kind: 'confirmed' } as Result };
  const opened: ResultsAbove[] = [];
  const { store } = temporary;
  return {
    ...{ box, said, clock },
    keep: (id: string, at: number) => store.write.putDrillResult(resultOf(id, at)),
    open() {
      const above = new ResultsAbove({
        ...{ read: store.read, write: store.write, clock, log: silentLog },
        results: () => store.read.drillResults(),
        send: async text => {
          said.push(JSON.parse(text).id);
          return box.answer;
        },
      });
      opened.push(above);
      return above;
    },
    async [Symbol.asyncDispose]() {
      for (const above of opened) await above[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

test('each result goes up once, the oldest first, also those from before and after a restart', async () => {
  await using made = await aBox();
  await made.keep('a', 1);
  await made.keep('b', 2);
  const before = made.open();
  await until('both are sent', () => before.sent.size === 2);
  await made.keep('c', 3);
  before.look();
  await until('the new one is sent', () => before.sent.size === 3);
  await before[Symbol.asyncDispose]();
  await made.keep('d', 4);
  const after = made.open();
  await until('the newest is sent', () => after.sent.has('d'));
  expect(made.said).toEqual(['a', 'b', 'c', 'd']);
  expect(after.sent.get('a')).toEqual({ at: made.clock.now(), refused: '' });
});

test('a line that is down is tried again after half a minute; what is refused is not', async () => {
  await using made = await aBox();
  made.box.answer = { kind: 'again', why: 'the line is down' };
  await made.keep('a', 1);
  await made.keep('b', 2);
  const above = made.open();
  await until('it was tried', () => made.said.length === 1);
  expect(above.sent.size).toBe(0);
  made.box.answer = { kind: 'refused', code: 413, reason: 'larger than is taken there' };
  await until('both are answered', async () => {
    await made.clock.advance(10_000);
    return above.sent.size === 2;
  });
  expect(made.said).toEqual(['a', 'a', 'b']);
  expect(above.sent.get('b')).toMatchObject({ refused: '413: larger than is taken there' });
  await made.clock.advance(600_000);
  expect(made.said).toHaveLength(3);
});
