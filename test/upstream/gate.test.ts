import { expect, test } from 'vitest';
import { Gate } from '../../src/upstream/gate.ts';
import { HandClock } from '../support/clock.ts';

const patience = new AbortController().signal;

/** Knocks until it is told otherwise; `let in` notes when. */
function knock(gate: Gate, session: object, entered: object[]): void {
  void gate.turn(session, patience).then(() => entered.push(session));
}

test('while the cloud is not reached one session tries and the others wait; they follow when it is through', async () => {
  const clock = new HandClock();
  const gate = new Gate(clock);
  const [first, second, third] = [{ name: 1 }, { name: 2 }, { name: 3 }];
  const entered: object[] = [];
  knock(gate, first, entered);
  await clock.advance(0);
  gate.failed(first);
  knock(gate, second, entered);
  knock(gate, third, entered);
  await clock.advance(60_000);
  expect(entered).toEqual([first]);
  gate.reached();
  await clock.advance(1000);
  expect(entered).toEqual([first, second, third]);
});

test('no more than 50 knock in a second when the door opens', async () => {
  const clock = new HandClock();
  const gate = new Gate(clock);
  const entered: object[] = [];
  for (let index = 0; index < 200; index++) knock(gate, { index }, entered);
  await clock.advance(0);
  await clock.advance(1000);
  expect(entered.length).toBeGreaterThanOrEqual(48);
  expect(entered.length).toBeLessThanOrEqual(52);
  await clock.advance(4000);
  expect(entered).toHaveLength(200);
});

test('a session that is closed while it probes leaves its place to the next', async () => {
  const clock = new HandClock();
  const gate = new Gate(clock);
  const [first, second] = [{ name: 1 }, { name: 2 }];
  const entered: object[] = [];
  knock(gate, first, entered);
  await clock.advance(0);
  gate.failed(first);
  knock(gate, second, entered);
  gate.left(first);
  await clock.advance(1000);
  expect(entered).toEqual([first, second]);
});

test('a device that the cloud never answers does not keep the others waiting for ever', async () => {
  const clock = new HandClock();
  const gate = new Gate(clock);
  const [stuck, healthy] = [{ name: 'stuck' }, { name: 'healthy' }];
  const entered: object[] = [];
  knock(gate, stuck, entered);
  await clock.advance(0);
  gate.failed(stuck);
  knock(gate, healthy, entered);
  knock(gate, stuck, entered); // its next try is due
  await clock.advance(1000);
  expect(entered).toEqual([stuck, healthy]);
  gate.reached();
  await clock.advance(1000);
  expect(entered).toEqual([stuck, healthy, stuck]);
});
