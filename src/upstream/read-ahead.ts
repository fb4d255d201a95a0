import type { InFlightWindow } from './in-flight-window.ts';
import type { Pace } from './pace.ts';
import type { Queue } from './queue.ts';
import type { QueueEffects } from './queue-events.ts';

/**
 * Read ahead for all the queues of a session together: a window of records, within these bounds, of
 * which `all` is for all sessions. Together: if each queue asked for a share of its own, those that
 * have sent theirs would read on and leave behind those that have not, and the journal would be
 * read again for each place at which some stand. Of logs that the cloud's limits hold back: for
 * each queue what may go in a second, up to `paced`.
 */
const recordsLow = { least: 8, all: 4096, paced: 64 } as const;
/** Read along with others: so queues that send at different moments stand at one place. */
const timesAlong = 3;

interface AheadOf {
  readonly pace: Pace | null;
  readonly window: InFlightWindow;
  readonly sessions: () => number;
}

/**
 * Whether a queue asks for more. One with nothing at all asks however much its session has ahead: a
 * punch does not wait behind the backlog of another device.
 */
export const hasLittleAhead = (queue: Queue, of: AheadOf): boolean =>
  queue.first === queue.records.length || hasLessThan(1, queue, of);

/** Whether it takes what a reading for others brings. */
export const mayTakeAlong = (queue: Queue, of: AheadOf): boolean => hasLessThan(timesAlong, queue, of);

function hasLessThan(times: number, { records, next }: Queue, { pace, window, sessions }: AheadOf): boolean {
  const { least, all, paced } = recordsLow;
  if (pace) return records.length - next < times * Math.min(paced, pace.perSecond);
  return window.ahead < times * Math.max(least, Math.min(window.size, all / sessions()));
}

/** How many records wait for nothing but room on the session. */
export function waitingForRoom({ records, next, refused, heldUntil }: Queue, effects: QueueEffects): number {
  const isHeld = refused > 0 || (heldUntil !== 0 && heldUntil > effects.now());
  return isHeld ? 0 : records.length - next;
}
