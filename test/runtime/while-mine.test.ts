import { expect, test } from 'vitest';
import { WhileMine } from '../../src/runtime/while-mine.ts';
import { HandClock } from '../support/clock.ts';

/** A part that says when it is opened and closed, and a lease that the test gives and takes. */
function aPart() {
  const clock = new HandClock();
  const seen: string[] = [];
  let listener: (isMine: boolean) => void = () => {};
  const lease = {
    isMine: false,
    onChange(heard: typeof listener) {
      listener = heard;
    },
  };
  const state = { fails: false, opening: Promise.resolve(), count: 0 };
  const options = {
    ...{ lease, clock },
    async open() {
      const no = ++state.count;
      seen.push(`opens ${no}`);
      await state.opening;
      if (state.fails) throw new Error('no room');
      return { no, [Symbol.asyncDispose]: async () => void seen.push(`closed ${no}`) };
    },
    onLost: ({ no }: { no: number }) => void seen.push(`lost ${no}`),
    onFailed: (error: unknown) => void seen.push((error as Error).message),
  };
  return {
    ...{ clock, seen, state, lease, options },
    async give(isMine: boolean) {
      lease.isMine = isMine;
      listener(isMine);
      await clock.advance(0);
    },
  };
}

test("a part is open before its owner goes on where the lease is always mine, and a failure is the owner's", async () => {
  const { lease, options, seen, state } = aPart();
  lease.isMine = true;
  const held = await WhileMine.open(options);
  expect(held.current?.no).toBe(1);
  await held[Symbol.asyncDispose]();
  expect([held.current, seen]).toEqual([null, ['opens 1', 'closed 1']]);
  state.fails = true;
  await expect(WhileMine.open(options)).rejects.toThrow('no room');
});

test('a part is opened when the lease is taken, and closed when it is lost, which it hears at once', async () => {
  const { options, seen, give } = aPart();
  await using held = await WhileMine.open(options);
  expect(held.current).toBeNull();
  await give(true);
  expect(held.current?.no).toBe(1);
  await give(false);
  expect([held.current, seen]).toEqual([null, ['opens 1', 'lost 1', 'closed 1']]);
  await give(true);
  expect(held.current?.no).toBe(2);
});

test('a part that was opened across a loss is stale: it is closed and opened again', async () => {
  const { options, seen, state, give } = aPart();
  const gate = Promise.withResolvers<void>();
  state.opening = gate.promise;
  await using held = await WhileMine.open(options);
  await give(true);
  await give(false);
  await give(true);
  expect(held.current).toBeNull();
  gate.resolve();
  await give(true);
  expect([held.current?.no, seen]).toEqual([2, ['opens 1', 'closed 1', 'opens 2']]);
});

test('a part that cannot be opened is tried again after five seconds, while the lease is held', async () => {
  const { options, seen, state, clock, give } = aPart();
  await using held = await WhileMine.open(options);
  state.fails = true;
  await give(true);
  expect(seen).toEqual(['opens 1', 'no room']);
  state.fails = false;
  await clock.advance(5000);
  expect(held.current?.no).toBe(2);
});
