import { expect, test } from 'vitest';
import { Errand } from '../../src/runtime/background-job.ts';
import { HandClock } from '../support/clock.ts';

function anErrand() {
  const clock = new HandClock();
  const told = { done: 0, failed: [] as string[], fails: false };
  const errand = new Errand({
    clock,
    random: () => 0.5,
    everyMs: 60_000,
    act: async () => {
      if (told.fails) throw new Error('the line is cut');
      told.done++;
    },
    failed: error => told.failed.push((error as Error).message),
  });
  return { clock, told, errand };
}

test('it is done at once, when it is due, and when there is work', async () => {
  const { clock, told, errand } = anErrand();
  await clock.advance(0);
  expect(told.done).toBe(1);
  await clock.advance(60_000);
  expect(told.done).toBe(2);
  errand.poke();
  errand.poke();
  await clock.advance(0);
  expect(told.done).toBe(3);
  await errand[Symbol.asyncDispose]();
  await clock.advance(120_000);
  expect(told.done).toBe(3);
});

test('after a failure it is tried again in 3 to 5 seconds, whoever asks for it', async () => {
  const { clock, told, errand } = anErrand();
  told.fails = true;
  await clock.advance(60_000);
  expect(told.failed).toEqual(['the line is cut']);
  errand.poke();
  await clock.advance(2900);
  expect(told.failed).toHaveLength(1);
  told.fails = false;
  await clock.advance(2100);
  expect(told.done).toBe(2);
  await errand[Symbol.asyncDispose]();
});
