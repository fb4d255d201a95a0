import { describe, expect, test } from 'vitest';
import { next, step, type Uplink, type UplinkEvent, type UplinkState, uplinkAt } from '../../src/upstream/uplink.ts';

const states: readonly UplinkState[] = ['down', 'connecting', 'up', 'refused'];
const events: Readonly<Record<UplinkEvent['kind'], UplinkEvent>> = {
  retryDue: { kind: 'retryDue' },
  accepted: { kind: 'accepted' },
  refused: { kind: 'refused', why: 'wrong key' },
  failed: { kind: 'failed', why: 'nobody answers' },
  lost: { kind: 'lost', why: 'cut' },
};
const uplinkIn = (state: UplinkState): Uplink => ({ state, since: 100, why: 'before', nextTryAt: 900, unexpected: 0 });

/** The diagram of docs/line.md, written once more by hand. */
const diagram: Readonly<Record<string, UplinkState>> = {
  'down retryDue': 'connecting',
  'connecting accepted': 'up',
  'connecting refused': 'refused',
  'connecting failed': 'down',
  'up lost': 'down',
  'refused retryDue': 'connecting',
};

describe.each(states)('a line that is %s', state => {
  test.each(Object.values(events))('and hears $kind goes where the diagram says, or stays and counts it', event => {
    const before = uplinkIn(state);
    const after = step(before, event, 1000);
    const expected = diagram[`${state} ${event.kind}`];
    if (expected === undefined) expect(after).toEqual({ ...before, unexpected: 1 });
    else expect(after).toMatchObject({ state: expected, unexpected: 0 });
  });
});

test('the table has no transition that the diagram does not show', () => {
  const inTable = Object.entries(next).flatMap(([state, row]) => Object.keys(row).map(kind => `${state} ${kind}`));
  expect(inTable.sort()).toEqual(Object.keys(diagram).sort());
});

test('another failed try does not reset the time since which the line has been down', () => {
  const lost = step(uplinkIn('up'), events.lost, 1000);
  const trying = step(lost, events.retryDue, 5000);
  const failed = step(trying, { kind: 'failed', why: 'nobody answers' }, 6000);
  expect(trying).toMatchObject({ state: 'connecting', since: 1000, nextTryAt: null });
  expect(failed).toEqual({ state: 'down', since: 1000, why: 'nobody answers', nextTryAt: null, unexpected: 0 });
});

test('a line that is up has nothing to explain', () => {
  expect(step(uplinkIn('connecting'), events.accepted, 2000)).toEqual({
    state: 'up',
    since: 2000,
    why: '',
    nextTryAt: null,
    unexpected: 0,
  });
});

test('a line that was never tried is down', () => {
  expect(uplinkAt(7, { reason: 'not tried yet' })).toMatchObject({ state: 'down', since: 7, why: 'not tried yet' });
});
