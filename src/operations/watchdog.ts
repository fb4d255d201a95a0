import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Notify } from './notify.ts';

/** Without a watchdog the status line is still kept fresh. */
const statusEveryMs = 15_000;
/** An answer of the store is a read of one row. */
const answerMs = 10_000;

/**
 * How long the program may be silent before systemd ends it; null: systemd does not watch over this
 * process.
 */
function watchdogMs(env: NodeJS.ProcessEnv, pid = process.pid): number | null {
  const microseconds = Number(env.WATCHDOG_USEC);
  if (!(microseconds > 0)) return null;
  if (env.WATCHDOG_PID && Number(env.WATCHDOG_PID) !== pid) return null;
  return microseconds / 1000;
}

interface WatchdogOptions {
  readonly notify: Notify;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Reads the store, and returns one line about the state of the box. Throws if the store does not
   * respond.
   */
  readonly headline: () => Promise<string>;
}

/**
 * Feeds systemd's watchdog at half of its interval, but only if the store has responded meanwhile:
 * systemd restarts a box that hangs, or whose store has died. Until it is disposed.
 */
export function feedWatchdog({ notify, env, clock, log, headline }: WatchdogOptions): Disposable {
  if (!env.NOTIFY_SOCKET) return { [Symbol.dispose]() {} };
  const allowed = watchdogMs(env);
  const everyMs = allowed === null ? statusEveryMs : allowed / 2;
  const withinMs = Math.min(answerMs, everyMs);
  const ending = new AbortController();
  let silent = false;
  const run = async () => {
    // The limit may be longer since the start (askForTime).
    if (allowed !== null) await notify(`WATCHDOG_USEC=${inMicroseconds(allowed)}`);
    for (;;) {
      const answer = await answerOf(headline, withinMs, clock);
      if (ending.signal.aborted) return;
      if (answer instanceof Error) {
        if (!silent) log.error({ error: answer.message }, 'store_silent_watchdog_not_fed');
        await notify(`STATUS=the store does not answer: ${oneLine(answer.message)}`);
      } else await notify(`${allowed === null ? '' : 'WATCHDOG=1\n'}STATUS=${oneLine(answer)}`);
      silent = answer instanceof Error;
      await clock.sleep(everyMs, ending.signal);
    }
  };
  run().catch(() => {}); // ends by the signal alone
  return { [Symbol.dispose]: () => ending.abort() };
}

async function answerOf(ask: () => Promise<string>, ms: number, clock: Clock): Promise<string | Error> {
  const answered = new AbortController();
  const late = clock.sleep(ms, answered.signal).then(
    () => new Error(`not within ${ms / 1000} s`),
    () => new Error('answered'),
  );
  try {
    return await Promise.race([ask(), late]);
  } catch (error) {
    return error as Error;
  } finally {
    answered.abort();
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const againMs = 20_000;
const graceMs = 60_000;
/** A migration copies the store and rebuilds indexes: on a slow card, 2 MB a second. */
const bytesPerMs = 2000;

/**
 * Asks systemd for time while the program starts: first for the migration of a store of so many
 * bytes, which blocks the event loop (so it is sent before this resolves), then repeatedly until it
 * is disposed. A box that is opened again in the same process has a watchdog already: it waits as
 * long.
 */
export async function askForTime({
  notify,
  env,
  bytes,
  clock,
}: {
  readonly notify: Notify;
  readonly env: NodeJS.ProcessEnv;
  readonly bytes: number;
  readonly clock: Clock;
}): Promise<Disposable> {
  const ending = new AbortController();
  const allowed = watchdogMs(env);
  const extend = (ms: number) =>
    notify(
      `EXTEND_TIMEOUT_USEC=${inMicroseconds(ms)}${allowed === null ? '' : `\nWATCHDOG_USEC=${inMicroseconds(ms)}`}`,
    );
  const run = async () => {
    for (;;) {
      await clock.sleep(againMs, ending.signal);
      await extend(graceMs);
    }
  };
  await extend(graceMs + bytes / bytesPerMs);
  run().catch(() => {}); // ends by the signal alone
  return { [Symbol.dispose]: () => ending.abort() };
}

const inMicroseconds = (ms: number): number => Math.round(ms) * 1000;
