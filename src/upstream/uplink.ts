import type { UnixMs } from '../runtime/clock.ts';
import { type GivenReason, noWhy, type Why, whyIn, whyOf } from '../words/sentences.ts';

export type UplinkState = 'down' | 'connecting' | 'up' | 'refused';

export type UplinkEvent =
  | { readonly kind: 'retryDue' }
  | { readonly kind: 'accepted' }
  | ({ readonly kind: 'refused' } & Why)
  | ({ readonly kind: 'failed' } & Why)
  | ({ readonly kind: 'lost' } & Why);

/** The table is the diagram in docs/line.md. An event without an entry changes nothing. */
export const next = {
  down: { retryDue: 'connecting' },
  connecting: { accepted: 'up', refused: 'refused', failed: 'down' },
  up: { lost: 'down' },
  refused: { retryDue: 'connecting' },
} as const satisfies Record<UplinkState, Partial<Record<UplinkEvent['kind'], UplinkState>>>;

/**
 * One connection to the cloud: its state, why it is not up (empty when it is), and what else a
 * person asks of it.
 */
export interface Uplink extends Why {
  readonly state: UplinkState;
  /**
   * When it went up, was refused, or was last up before it was down; a new try does not move it.
   */
  readonly since: UnixMs;
  /** Null while it is up or trying. */
  readonly nextTryAt: UnixMs | null;
  /** Events that had no entry in the table. */
  readonly unexpected: number;
}

export const uplinkAt = (now: UnixMs, why: GivenReason): Uplink => ({
  state: 'down',
  since: now,
  ...whyOf(why),
  nextTryAt: null,
  unexpected: 0,
});

export function step(uplink: Uplink, event: UplinkEvent, now: UnixMs): Uplink {
  const state = (next[uplink.state] as Partial<Record<UplinkEvent['kind'], UplinkState>>)[event.kind];
  if (state === undefined) return { ...uplink, unexpected: uplink.unexpected + 1 };
  switch (event.kind) {
    case 'retryDue':
      return { ...uplink, state, nextTryAt: null };
    case 'accepted':
      return { ...uplink, state, since: now, ...noWhy, nextTryAt: null };
    case 'refused':
      return { ...uplink, state, since: uplink.why === event.why ? uplink.since : now, ...whyIn(event) };
    case 'failed':
      return { ...uplink, state, ...whyIn(event) };
    case 'lost':
      return { ...uplink, state, since: now, ...whyIn(event) };
  }
}
