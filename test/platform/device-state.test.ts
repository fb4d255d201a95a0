import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countStates, type DeviceFacts, deviceState, deviceStates } from '../../src/platform/device-state.ts';

const nothing: DeviceFacts = {
  isBlocked: false,
  isOnline: false,
  isHeldBack: false,
  isRefused: false,
  isElsewhere: false,
  wasHere: false,
};

test.each([
  ['has never been here', {}, 'never'],
  ['was here', { wasHere: true }, 'silent'],
  ['has a session', { wasHere: true, isOnline: true }, 'online'],
  ['is blocked, and its session is being ended', { isBlocked: true, isOnline: true }, 'blocked'],
  ['is away because the disk is full', { wasHere: true, isHeldBack: true }, 'held_back'],
  ['tries with a wrong key', { wasHere: true, isRefused: true }, 'refused'],
  ['was refused and has come in over another connection', { isOnline: true, isRefused: true }, 'online'],
  ['sends through a box below', { wasHere: true, isElsewhere: true }, 'elsewhere'],
  ['belongs to a box below, and connects here', { isElsewhere: true, isOnline: true }, 'online'],
] as const)('a device that %s', (_, facts, state) => {
  expect(deviceState({ ...nothing, ...facts })).toBe(state);
});

test('the counts of the states add up to the devices', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...deviceStates)), states => {
      const counts = countStates(states);
      expect(Object.keys(counts).sort()).toEqual([...deviceStates].sort());
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(states.length);
    }),
  );
});
