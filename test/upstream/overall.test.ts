import { expect, test } from 'vitest';
import { OverallUplink } from '../../src/upstream/overall.ts';
import { step, type Uplink, type UplinkEvent, uplinkAt } from '../../src/upstream/uplink.ts';
import { uplinkReasons } from '../../src/words/uplink.ts';
import { HandClock } from '../support/clock.ts';
import { keptLog } from '../support/kept-log.ts';

function anUplink() {
  const clock = new HandClock(0);
  const { log, lines } = keptLog();
  const overall = new OverallUplink(clock, log);
  let uplink: Uplink = uplinkAt(0, uplinkReasons.say('cloud_not_tried'));
  return {
    clock,
    lines,
    now: () => overall.summary([uplink]),
    happen(...events: UplinkEvent[]) {
      for (const event of events) {
        uplink = step(uplink, event, clock.now());
        overall.follow([uplink]);
      }
    },
  };
}

test('since stays where the line went down, however often it is tried again', () => {
  const { clock, happen, now } = anUplink();
  happen({ kind: 'retryDue' }, { kind: 'accepted' });
  clock.set(1000);
  happen({ kind: 'lost', why: 'cut' });
  for (let tried = 0; tried < 3; tried++) {
    clock.set(clock.now() + 4000);
    happen({ kind: 'retryDue' }, { kind: 'failed', why: 'nobody there' });
  }
  expect(now()).toMatchObject({ state: 'down', since: 1000, why: 'nobody there' });
});

test('since stays where the cloud first refused', () => {
  const { clock, happen, now } = anUplink();
  clock.set(500);
  for (let tried = 0; tried < 3; tried++) {
    happen({ kind: 'retryDue' }, { kind: 'refused', why: 'wrong key' });
    clock.set(clock.now() + 4000);
  }
  expect(now()).toMatchObject({ state: 'refused', since: 500, why: 'wrong key' });
});

test('the log says once that the line went down, and once that it is up', () => {
  const { happen, lines } = anUplink();
  happen(
    { kind: 'retryDue' },
    { kind: 'accepted' },
    { kind: 'lost', why: 'cut' },
    { kind: 'retryDue' },
    { kind: 'failed', why: 'x' },
    { kind: 'retryDue' },
    { kind: 'accepted' },
  );
  expect(lines.map(({ code }) => code)).toEqual(['uplink_up', 'uplink_not_up', 'uplink_up']);
});

test('a new box is away since nothing: before the first try has ended nobody knows', () => {
  const { happen, now } = anUplink();
  expect(now()).toMatchObject({ state: 'down', since: null });
  happen({ kind: 'retryDue' });
  expect(now()).toMatchObject({ state: 'connecting', since: null });
  happen({ kind: 'failed', why: 'nobody there' });
  expect(now()).toMatchObject({ state: 'down', since: 0, why: 'nobody there' });
});
