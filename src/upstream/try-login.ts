import type { Clock } from '../runtime/clock.ts';
import { whyOf } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import { connectOrFallBack } from './fallback.ts';
import type { UpstreamConfig } from './port.ts';
import type { Connect, Connected, Credentials } from './transport.ts';
import type { Trust } from './trust.ts';

const loginTimeoutMs = 10_000;

/** Asks the cloud once whether it accepts these credentials, and leaves at once. Never rejects. */
export async function tryLogin(
  connect: Connect,
  credentials: Credentials,
  clock: Clock,
): Promise<'accepted' | 'refused' | 'unreachable'> {
  const abort = new AbortController();
  const late = clock.sleep(loginTimeoutMs, abort.signal).then(
    (): Connected => ({ kind: 'failed', ...whyOf(uplinkReasons.say('cloud_silent')) }),
    (): Connected => ({ kind: 'failed', why: 'no longer asked' }),
  );
  const connected = await Promise.race([
    connect(credentials, { message: async () => {}, lost: () => {} }, abort.signal),
    late,
  ]);
  if (connected.kind === 'accepted') connected.transport.close();
  abort.abort();
  return connected.kind === 'failed' ? 'unreachable' : connected.kind;
}

/** The same at a cloud that is not in use yet. */
export const tryLoginAt =
  (config: UpstreamConfig, trust: Trust, clock: Clock) =>
  (credentials: Credentials): ReturnType<typeof tryLogin> =>
    tryLogin(connectOrFallBack(config, trust, clock), credentials, clock);
