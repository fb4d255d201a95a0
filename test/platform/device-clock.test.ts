import { describe, expect, it } from 'vitest';
import {
  boundsOfRecord,
  type ClockBounds,
  type ClockEpoch,
  clockWords,
  delayOf,
  epochFrom,
  offsetAt,
  type TimedMessage,
  withMessage,
} from '../../src/platform/device-clock.ts';

const start = Date.UTC(2026, 10, 22) / 1000;

/** In seconds: what a device said, when it was received, when the box had sent what it answers. */
const message = (said: number, received: number, answers?: number): TimedMessage => ({
  said: start + said,
  receivedAt: (start + received) * 1000,
  answers: answers === undefined ? null : (start + answers) * 1000,
});
/** What is known of a record of a device time when it is received. */
const recordOf = (epochs: readonly ClockEpoch[], said: number, received: number): ClockBounds =>
  boundsOfRecord(epochs, start + said, (start + received) * 1000)!;
const delay = (epochs: readonly ClockEpoch[], said: number, received: number) =>
  delayOf(recordOf(epochs, said, received), start + said, (start + received) * 1000);

/** All epochs that the messages make, the oldest first. */
function epochsOf(...messages: TimedMessage[]): ClockEpoch[] {
  const epochs: ClockEpoch[] = [];
  for (const one of messages) {
    const last = epochs.at(-1);
    const next = last && withMessage(last, one);
    if (next) epochs[epochs.length - 1] = next;
    else epochs.push(epochFrom(one));
  }
  return epochs;
}

/** Bounds in seconds, to a tenth or as said, at the time of a message. */
function boundsAt(epochs: readonly ClockEpoch[], at: number, digits = 1): [number, number | null] {
  const { lowMs, highMs } = offsetAt(epochs.at(-1)!, (start + at) * 1000, 'proved');
  const rounded = (value: number) => Number((value / 1000).toFixed(digits));
  return [rounded(lowMs), highMs === null ? null : rounded(highMs)];
}

const wordsAt = (epochs: readonly ClockEpoch[], at: number) =>
  clockWords(offsetAt(epochs.at(-1)!, (start + at) * 1000));

const day = 86_400;
const inTheMorning = message(1000, 1000.9, 1000.3);

describe('the offset of a clock, from answers to messages of the box', () => {
  it('is proved slow by an answer that says a time before its question was sent', () => {
    const epochs = epochsOf(message(910, 1000.4, 1000));
    expect(boundsAt(epochs, 1000.4)).toEqual([-90.4, -89]);
    expect(wordsAt(epochs, 1000.4)).toEqual({ state: 'slow', offset: -90, within: 1 });
  });

  it('is right when the bounds include the clock of the box, and less exactly so a day later', () => {
    const epochs = epochsOf(inTheMorning);
    expect(boundsAt(epochs, 1000.9)).toEqual([-0.9, 0.7]);
    expect(wordsAt(epochs, 1000.9)).toEqual({ state: 'right', offset: 0, within: 1 });
    expect(boundsAt(epochs, 1000.9 + day)).toEqual([-5.2, 5]);
    expect(wordsAt(epochs, 1000.9 + day)).toMatchObject({ state: 'right', within: 6 });
  });

  it('proves fast and slow alike', () => {
    expect(wordsAt(epochsOf(message(1300, 1000.4, 1000.1)), 1000.4)).toEqual({
      state: 'fast',
      offset: 300,
      within: 1,
    });
  });

  it('shows a drift of 20 ppm within a week, with bounds that say how little is known', () => {
    const days = [1, 2, 3, 4, 5, 6, 7].map(n => message(1000 + n * day * (1 + 20e-6), 1000.4 + n * day));
    const epochs = epochsOf(message(1000, 1000.4, 1000), ...days);
    expect(boundsAt(epochs, 1000.4 + 7 * day)).toEqual([11.7, 31.2]);
  });
});

describe('the offset of a clock, from messages that answer nothing', () => {
  it('is not known to be slow: messages may have waited', () => {
    const epochs = epochsOf(message(10_000, 100_000.2), message(10_500, 100_000.4));
    expect(boundsAt(epochs, 100_000.4)).toEqual([-89_500.4, null]);
    expect(wordsAt(epochs, 100_000.4)).toEqual({ state: 'not known', offset: null, within: null });
  });

  it('is at least so far ahead as a message says a time that was still to come', () => {
    const epochs = epochsOf(message(1300, 1000.2));
    expect(wordsAt(epochs, 1000.2)).toEqual({ state: 'at least fast', offset: 299, within: null });
  });

  it('is not estimated from a device that gathers its messages and sends at a fixed pace', () => {
    const paced = Array.from({ length: 40 }, (_, k) => message(1000 + 300 * k, 1300.2 + 300 * k));
    expect(wordsAt(epochsOf(...paced), 13_000.2).state).toBe('not known');
  });

  it('is corrected by the first answer of such a device', () => {
    const paced = Array.from({ length: 20 }, (_, k) => message(1000 + 300 * k, 1300.2 + 300 * k));
    const epochs = epochsOf(...paced, message(7100, 7100.8, 7100.1));
    expect(boundsAt(epochs, 7100.8)).toEqual([-0.8, 0.9]);
  });

  it('is estimated from 8 messages at odd times of 3 hours that agree to 2 s', () => {
    const odd = [0, 500, 1700, 2000, 4000, 4700, 7300, 7900].map(at => message(1000 + at - 90, 1000.3 + at));
    expect(wordsAt(epochsOf(...odd.slice(0, 7)), 9000).state).toBe('not known');
    expect(wordsAt(epochsOf(...odd), 9000)).toEqual({ state: 'about slow', offset: -89, within: 2 });
  });
});

describe('a clock that is set', () => {
  it('begins a new epoch when a message contradicts what was proved', () => {
    const epochs = epochsOf(message(910, 1000.4, 1000), message(2010, 2010.6));
    expect(epochs).toHaveLength(2);
    expect(boundsAt(epochs, 2010.6)).toEqual([-0.6, null]);
  });

  it('begins a new epoch when an answer shows that it was set back', () => {
    const epochs = epochsOf(message(1300, 1000.4, 1000.1), message(2000, 2000.7, 2000.2));
    expect(epochs).toHaveLength(2);
    expect(boundsAt(epochs, 2000.7)).toEqual([-0.7, 0.8]);
  });
});

describe('a record that arrives late', () => {
  it('is late by what the clock of its device allows, and its clock stays right', () => {
    const epochs = epochsOf(inTheMorning);
    expect(clockWords(recordOf(epochs, 2000, 92_000)).state).toBe('right');
    const { least, most } = delay(epochs, 2000, 92_000);
    expect(least).toBeCloseTo(89_994.6, 0);
    expect(most).toBeCloseTo(90_005.3, 0);
  });

  it('is late by at least so much when only messages without an answer are known', () => {
    expect(delay(epochsOf(message(100_000, 100_000.5)), 10_000, 100_000.5)).toEqual({ least: 90_000, most: null });
  });

  it('belongs to the epoch in which its time lies, not to the one in which it arrives', () => {
    const epochs = epochsOf(message(910, 1000.4, 1000), message(1200, 1290), message(5000, 5000.4, 5000));
    expect(epochs).toHaveLength(2);
    expect(clockWords(recordOf(epochs, 1100, 5000.4))).toMatchObject({ state: 'slow', offset: -89 });
    expect(clockWords(recordOf(epochs, 5000, 5000.4)).state).toBe('right');
  });

  it('may have been made before or after a clock was set, where both are possible', () => {
    const epochs = epochsOf(message(910, 1000.4, 1000), message(5000, 5000.4, 5000));
    const bounds = recordOf(epochs, 3000, 5000.4);
    expect(bounds.lowMs).toBeLessThan(-90_000);
    expect(bounds.highMs).toBeGreaterThan(0);
    expect(clockWords(bounds).state).toBe('not known');
  });

  it.each([
    ['is heard after newer ones, as of a queue that is sent late or of a clock that was set back', 2000, 9000],
    ['was made while the clock had lost its time', -90_000, 9000],
  ])('is not called late when its message %s', (_, said, received) => {
    const epochs = epochsOf(message(8000, 8000.5, 8000), message(said, received));
    expect(epochs).toHaveLength(2);
    expect(clockWords(recordOf(epochs, said, received)).state).toBe('not known');
    expect(delay(epochs, said, received).least).toBeLessThan(1);
  });

  it('says nothing of a device that never said a time, nor of a time before any clock was right', () => {
    expect(boundsOfRecord([], start, start * 1000)).toBeNull();
    expect(boundsOfRecord(epochsOf(inTheMorning), 600, start * 1000)).toBeNull();
  });
});
