import { type SetupError, type SetupStatus, setupStatusOf } from '../platform/setup-result.ts';
import type { Clock } from '../runtime/clock.ts';
import { joinOutcomes } from '../words/own-network.ts';
import type { GivenReason } from '../words/sentences.ts';
import { type Reach, reachPlatform } from './reach.ts';
import { type NetworkPlace, nowhere, type Wifi, type WifiJoin, WifiUnavailable } from './wifi/port.ts';

/** SPEC 4.5: the app asks for this long; an attempt that takes longer has failed. */
const attemptMs = 120_000;

export interface Outcome {
  readonly status: SetupStatus;
  /** Null with status 0. */
  readonly error: SetupError | null;
  readonly why: GivenReason;
  readonly place: NetworkPlace;
  /** The box is in the network, however far it gets from there. */
  readonly joined: boolean;
}

/**
 * Joins the network and finds out how far the box gets (SPEC 3.4, 7.6). Always comes to an outcome;
 * rejects only with the signal's reason.
 */
export async function attemptSetup(
  settings: WifiJoin,
  {
    wifi,
    clock,
    signal,
    platformAbove,
  }: {
    readonly wifi: Wifi;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly platformAbove: Parameters<typeof reachPlatform>[0];
  },
): Promise<Outcome> {
  const late = new AbortController();
  const over = new AbortController();
  clock.sleep(attemptMs, AbortSignal.any([signal, over.signal])).then(
    () => late.abort(),
    () => {},
  );
  try {
    const joined = await wifi.join(settings, { keep: true, signal: AbortSignal.any([signal, late.signal]) });
    signal.throwIfAborted();
    if (!joined.ok) return failed(joined.error, joined.why, joined.place, false);
    const reached: Reach = await reachPlatform(platformAbove, {
      clock,
      reachesInternet: () => wifi.reachesInternet(),
    });
    if (reached.error !== null) return failed(reached.error, reached.why, joined.place, true);
    const why = joinOutcomes.say(platformAbove ? 'set_up_connected' : 'set_up_joined');
    return { status: 0, error: null, why, place: joined.place, joined: true };
  } catch (error) {
    signal.throwIfAborted();
    if (late.signal.aborted) return failed(-6, joinOutcomes.say('join_too_long'), nowhere, false);
    if (error instanceof WifiUnavailable) return failed(-4, error.said, nowhere, false);
    throw error;
  } finally {
    over.abort();
  }
}

const failed = (error: SetupError, why: GivenReason, place: NetworkPlace, joined: boolean): Outcome => ({
  status: setupStatusOf[error],
  error,
  why,
  place,
  joined,
});
