import type { Clock } from '../../src/runtime/clock.ts';
import { realClock } from '../../src/runtime/real-world.ts';

/** Of its time, in one turn of the event loop: a time-out of ten seconds has fifty turns. */
const turnMsMax = 200;
/** Of the machine's, where days pass: no time-out of seconds has a meaning there. */
const machineMsMax = 2;
/** Turns without a sleeper and without a look, after which it stops. */
const idleTurnsMax = 100;

/**
 * Time that passes up to `times` as fast, so that a retry of 3 to 5 s takes a moment. Both ends of a
 * line must use it. However long a turn of the event loop takes, little time passes in it: on a
 * machine that stalls no time-out expires before what it waits for has had its turns.
 */
export function hurriedClock(times: number): Clock {
  const wall = realClock.now();
  const sleepers = new Set<{ readonly at: number; wake(): void }>();
  let elapsed = 0;
  let idleTurns = 0;
  let turnedAt: number | null = null;

  const most = Math.max(turnMsMax, times >= 1000 ? machineMsMax * times : 0);

  const turn = (): void => {
    const now = realClock.monotonic();
    elapsed += Math.min((now - turnedAt!) * times, most);
    turnedAt = now;
    const due = [...sleepers].filter(({ at }) => at <= elapsed).sort((one, other) => one.at - other.at);
    for (const sleeper of due) {
      sleepers.delete(sleeper);
      sleeper.wake();
    }
    idleTurns = sleepers.size > 0 ? 0 : idleTurns + 1;
    if (idleTurns < idleTurnsMax) setTimeout(turn, 1);
    else turnedAt = null;
  };
  const goOn = (): void => {
    idleTurns = 0;
    if (turnedAt !== null) return;
    turnedAt = realClock.monotonic();
    setTimeout(turn, 1);
  };
  const monotonic = (): number => {
    goOn();
    return elapsed;
  };

  return {
    now: () => Math.floor(wall + monotonic()),
    monotonic,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const leave = (): void => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const wake = (): void => {
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        const sleeper = { at: monotonic() + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', leave);
      });
    },
  };
}
