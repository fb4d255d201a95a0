import type { UnixMs, UnixSeconds } from '../runtime/clock.ts';

/**
 * Bounds of a device's clock, from the times in its messages. The offset is the device's clock less
 * the box's, in milliseconds: positive when the device is ahead.
 *
 * A message is received after it was made, so it bounds the offset from below, however long it
 * waited: a delay only ever makes a clock look slow. Only an answer to a message of the box bounds
 * it from above, because it was made after that message was sent. A clock is therefore called slow
 * only when an answer proves it.
 */

/** A message of a device that says a time. */
export interface TimedMessage {
  /** The time in the message. Devices cut it to whole seconds. */
  readonly said: UnixSeconds;
  readonly receivedAt: UnixMs;
  /** When the box sent what this message answers; null when it answers nothing. */
  readonly answers: UnixMs | null;
}

/** A time during which a device's clock ran on without being set. */
export interface ClockEpoch {
  /** The device's own time of its first and of its latest message. */
  readonly firstSaid: UnixSeconds;
  readonly lastSaid: UnixSeconds;
  /** The greatest lower bound as it was known at `lowAt`. */
  readonly lowMs: number;
  readonly lowAt: UnixMs;
  /** The least upper bound as it was known at `highAt`; null until an answer gives one. */
  readonly highMs: number | null;
  readonly highAt: UnixMs;
  readonly near: NearLow;
}

/** Messages whose bound lay close to the best one: many of them, at odd times, hardly waited. */
interface NearLow {
  readonly count: number;
  /** Different hours in which they came; 3 are enough. */
  readonly hours: number;
  readonly lastAt: UnixMs;
  /** Shortest and longest time between two of them; null before the second. */
  readonly gapMinMs: number | null;
  readonly gapMaxMs: number | null;
}

/** The offset lies between both. `highMs` is null while no answer of the device is known. */
export interface ClockBounds {
  readonly lowMs: number;
  readonly highMs: number | null;
}

interface ClockOffset extends ClockBounds {
  /** The upper bound is a guess from many messages, not an answer. */
  readonly isEstimated: boolean;
}

/** How fast a device's clock may run away from the box's while nothing is heard of it. */
const driftPerMs = 50e-6;
/** Devices cut their time to whole seconds. */
const secondMs = 1000;
/** Bounds that contradict each other by more than this show that the clock was set. */
const stepMs = 500;
const jumpMs = 60_000;
const nearMs = 2000;
const nearCount = 8;
const nearHours = 3;
/** Assumed maximum transit time of an unanswered message that hardly waited. */
const estimatedMs = 3000;
const hourMs = 3_600_000;

/**
 * Takes a message into the epoch; null when the clock was set in between, or may have been, so that
 * the next epoch begins with it. A time that falls, or a bound that rises, by a minute may also be
 * the end of a delay: then a new epoch costs what was known, and nothing false is said.
 */
export function withMessage(epoch: ClockEpoch, message: TimedMessage): ClockEpoch | null {
  const { low, high } = boundsOf(message);
  const known = offsetAt(epoch, message.receivedAt, 'proved');
  const jumped = message.said < epoch.lastSaid - jumpMs / 1000 || low > known.lowMs + jumpMs;
  if (jumped || contradicts(known, low, high)) return null;
  const isLower = low >= known.lowMs;
  const isHigher = high !== null && (known.highMs === null || high <= known.highMs);
  const near = nearAfter(epoch.near, low - known.lowMs, message.receivedAt);
  if (!isLower && !isHigher && near === epoch.near && message.said <= epoch.lastSaid) return epoch;
  return {
    firstSaid: Math.min(epoch.firstSaid, message.said),
    lastSaid: Math.max(epoch.lastSaid, message.said),
    lowMs: isLower ? low : epoch.lowMs,
    lowAt: isLower ? message.receivedAt : epoch.lowAt,
    highMs: isHigher ? high : epoch.highMs,
    highAt: isHigher ? message.receivedAt : epoch.highAt,
    near,
  };
}

const contradicts = (known: ClockOffset, low: number, high: number | null): boolean =>
  (known.highMs !== null && low > known.highMs + stepMs) || (high !== null && high < known.lowMs - stepMs);

const boundsOf = ({ said, receivedAt, answers }: TimedMessage): { low: number; high: number | null } => ({
  low: said * 1000 - receivedAt,
  high: answers === null ? null : said * 1000 + secondMs - answers,
});

/** The epoch that begins with a message. */
export function epochFrom(message: TimedMessage): ClockEpoch {
  const { low, high } = boundsOf(message);
  const { said, receivedAt } = message;
  return {
    firstSaid: said,
    lastSaid: said,
    lowMs: low,
    lowAt: receivedAt,
    highMs: high,
    highAt: receivedAt,
    near: { count: 1, hours: 1, lastAt: receivedAt, gapMinMs: null, gapMaxMs: null },
  };
}

/** `aboveMs`: how far the message's bound lies above the best one so far. */
function nearAfter(near: NearLow, aboveMs: number, at: UnixMs): NearLow {
  if (aboveMs > nearMs) return { count: 1, hours: 1, lastAt: at, gapMinMs: null, gapMaxMs: null };
  if (aboveMs < -nearMs || cameAtOddTimes(near)) return near;
  const gap = at - near.lastAt;
  return {
    count: Math.min(near.count + 1, nearCount),
    hours: Math.min(near.hours + (Math.floor(at / hourMs) === Math.floor(near.lastAt / hourMs) ? 0 : 1), nearHours),
    lastAt: at,
    gapMinMs: Math.min(near.gapMinMs ?? gap, gap),
    gapMaxMs: Math.max(near.gapMaxMs ?? gap, gap),
  };
}

/**
 * A device that gathers and sends at a fixed pace delays every message alike: that proves nothing.
 */
const cameAtOddTimes = ({ count, hours, gapMinMs, gapMaxMs }: NearLow): boolean =>
  count >= nearCount && hours >= nearHours && gapMaxMs! > gapMinMs! * 1.2;

/** Bounds of the offset at a moment: they widen with the time since each was found. */
export function offsetAt(epoch: ClockEpoch, at: UnixMs, bounds: 'proved' | 'estimated' = 'estimated'): ClockOffset {
  const lowMs = epoch.lowMs - Math.abs(at - epoch.lowAt) * driftPerMs;
  if (epoch.highMs !== null)
    return { lowMs, highMs: epoch.highMs + Math.abs(at - epoch.highAt) * driftPerMs, isEstimated: false };
  if (bounds === 'estimated' && cameAtOddTimes(epoch.near))
    return { lowMs, highMs: lowMs + estimatedMs, isEstimated: true };
  return { lowMs, highMs: null, isEstimated: false };
}

/** States of a clock. `right`, `slow` and `fast` are proved; `about …` is likely. */
export const clockStates = [
  'right',
  'slow',
  'fast',
  'about right',
  'about slow',
  'about fast',
  'at least fast',
  'not known',
] as const;
type ClockState = (typeof clockStates)[number];

export interface ClockWords {
  readonly state: ClockState;
  /** Seconds ahead, negative when behind; of `at least fast` the least; null when not known. */
  readonly offset: number | null;
  /** Seconds by which `offset` may be wrong, either way. */
  readonly within: number | null;
}

/** A clock that is off by no more is right: devices cut to seconds, and messages take time. */
const toleranceMs = 2000;
/** Bounds further apart prove nothing. */
const provedSpanMs = 20_000;

/** `null`: nothing was heard of the clock. */
export function clockWords(bounds: (ClockBounds & Partial<ClockOffset>) | null): ClockWords {
  if (bounds === null) return { state: 'not known', offset: null, within: null };
  return wordsOf(bounds);
}

function wordsOf({ lowMs, highMs, isEstimated = false }: ClockBounds & Partial<ClockOffset>): ClockWords {
  if (highMs === null || highMs - lowMs > provedSpanMs)
    return lowMs > toleranceMs
      ? { state: 'at least fast', offset: Math.floor(lowMs / 1000), within: null }
      : { state: 'not known', offset: null, within: null };
  const isRight = lowMs - toleranceMs <= 0 && highMs + toleranceMs >= 0;
  const middle = isRight ? 0 : Math.round((lowMs + highMs) / 2000);
  const apart = isRight ? Math.max(-lowMs, highMs) : (highMs - lowMs) / 2;
  const plain = isRight ? 'right' : middle < 0 ? 'slow' : 'fast';
  return {
    state: isEstimated ? `about ${plain}` : plain,
    offset: middle,
    within: Math.max(1, Math.ceil(apart / 1000)),
  };
}

/**
 * How long a record of device time `time` was on its way when it was received, in seconds. The
 * least is negative when the device's clock is ahead of what the bounds allow; `most` is null when
 * it could be anything longer.
 */
export function delayOf(
  { lowMs, highMs }: ClockBounds,
  time: UnixSeconds,
  receivedAt: UnixMs,
): { readonly least: number; readonly most: number | null } {
  const apparent = receivedAt - time * 1000;
  return {
    least: (apparent + lowMs) / 1000,
    most: highMs === null ? null : (apparent + highMs) / 1000,
  };
}

/** A record and what was known of its device's clock when it came in. */
export interface TimedRecord {
  readonly clock: ClockBounds | null;
  readonly at: UnixSeconds;
  readonly receivedAt: UnixMs;
}

/** Shorter is no delay: messages take a while. */
const lateFrom = 60;

/** Seconds by which a record certainly came late, whatever its clock; null when it did not. */
export function lateSeconds({ clock, at, receivedAt }: TimedRecord): number | null {
  if (clock === null) return null;
  const { least } = delayOf(clock, at, receivedAt);
  return least > lateFrom ? Math.floor(least) : null;
}

/** A clock that is off by more than this is worth a mark on records. */
const markedFrom = 60;

/** True of a clock that is proved, or likely, to be so wrong that people have to know. */
export const isClockWrong = ({ offset }: ClockWords): boolean => offset !== null && Math.abs(offset) > markedFrom;

/** Before this no clock of a device was right: it had lost its time. */
export const deviceTimeMin: UnixSeconds = Date.UTC(2020, 0, 1) / 1000;

/**
 * Bounds known at `at` of the clock that made a record of device time `time`; null if there were
 * none. Estimates are left out: a record's time is evidence. Between two epochs, or where they
 * overlap because the clock was set back, the bounds include both.
 */
export function boundsOfRecord(epochs: readonly ClockEpoch[], time: UnixSeconds, at: UnixMs): ClockBounds | null {
  if (time < deviceTimeMin) return null;
  const within = epochs.filter(epoch => epoch.firstSaid <= time && time <= epoch.lastSaid);
  const candidates = within.length > 0 ? within : neighbours(epochs, time);
  const [first, ...others] = candidates.map(epoch => offsetAt(epoch, at, 'proved'));
  if (!first) return null;
  return others.reduce<ClockBounds>(
    (all, one) => ({
      lowMs: Math.min(all.lowMs, one.lowMs),
      highMs: all.highMs === null || one.highMs === null ? null : Math.max(all.highMs, one.highMs),
    }),
    { lowMs: first.lowMs, highMs: first.highMs },
  );
}

/** `epochs` in the order in which they began. */
function neighbours(epochs: readonly ClockEpoch[], time: UnixSeconds): ClockEpoch[] {
  const before = epochs.findLast(epoch => epoch.lastSaid < time);
  const after = epochs.find(epoch => epoch.firstSaid > time);
  return [before, after].filter(epoch => epoch !== undefined);
}
