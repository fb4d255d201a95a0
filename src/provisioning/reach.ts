import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { SetupError } from '../platform/setup-result.ts';
import type { Clock } from '../runtime/clock.ts';
import { within } from '../runtime/within.ts';
import { joinOutcomes } from '../words/own-network.ts';
import type { Reason } from '../words/sentences.ts';

const { say } = joinOutcomes;

/** The platform above this box, as a set-up asks for it. */
export interface PlatformAbove {
  /** Its addresses; one that responds is enough. */
  readonly endpoints: readonly { readonly host: string; readonly port: number }[];
  /** Logs in as the box; null where the box has no key there. */
  readonly login: (() => Promise<'accepted' | 'refused' | 'unreachable'>) | null;
}

export type Reach =
  | { readonly error: null }
  | { readonly error: Extract<SetupError, -1 | 1 | 2 | 3>; readonly why: Reason };

/** Each step has this long (decision 84). */
const dnsMs = 10_000;
const connectMs = 10_000;
const loginMs = 15_000;
/** No route: the router says so, or there is no default one. */
const unroutable = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN']);

/**
 * How far a box that has joined a network gets (SPEC 7.6): no external network, no DNS, no
 * platform, not let in. Without a platform above, joining is all there is (CONTRACT 7).
 * `reachesInternet`: what the system knows of the internet connection; null: nothing.
 */
export async function reachPlatform(
  above: PlatformAbove | null,
  { clock, reachesInternet }: { readonly clock: Clock; readonly reachesInternet: () => Promise<boolean | null> },
): Promise<Reach> {
  if (!above) return { error: null };
  let worst: Reach = { error: 2, why: say('platform_without_address') };
  for (const endpoint of above.endpoints) {
    const reached = await reachEndpoint(endpoint, clock);
    if (reached.error === null) return login(above, clock);
    worst = reached;
  }
  if (worst.error === 2 && (await reachesInternet()) === false) return { error: -1, why: say('no_internet') };
  return worst;
}

async function reachEndpoint({ host, port }: PlatformAbove['endpoints'][number], clock: Clock): Promise<Reach> {
  let address: string;
  try {
    ({ address } = await within(dnsMs, clock, lookup(host), () => new Error('no answer')));
  } catch (error) {
    return { error: 1, why: say('host_not_resolved', { host, error: (error as Error).message }) };
  }
  const socket = connect({ host: address, port });
  try {
    const connected = new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    await within(connectMs, clock, connected, () => new Error('no answer'));
    return { error: null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== undefined && unroutable.has(code))
      return { error: -1, why: say('no_route_to', { host, error: message }) };
    return { error: 2, why: say('platform_unreachable', { address: `${host}:${port}`, error: message }) };
  } finally {
    socket.destroy();
  }
}

async function login({ login: attempt }: PlatformAbove, clock: Clock): Promise<Reach> {
  if (!attempt) return { error: null };
  const outcome = await within(loginMs, clock, attempt(), () => new Error('no answer')).catch(() => 'unreachable');
  if (outcome === 'refused') return { error: 3, why: say('platform_refused_box') };
  if (outcome === 'unreachable') return { error: 2, why: say('platform_silent') };
  return { error: null };
}
