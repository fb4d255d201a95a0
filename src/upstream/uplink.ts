import type { UnixMs } from '../runtime/clock.ts';

export type UplinkState = 'down' | 'connecting' | 'up' | 'refused';

export type UplinkEvent =
  | { readonly kind: 'retryDue' }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: string };

/** The table is the diagram in docs/line.md. An event without an entry changes nothing. */
export const next = {
  down: { retryDue: 'connecting' },
  connecting: { accepted: 'up', refused: 'refused', failed: 'down' },
  up: { lost: 'down' },
  refused: { retryDue: 'connecting' },
} as const satisfies Record<UplinkState, Partial<Record<UplinkEvent['kind'], UplinkState>>>;

/** One connection to the cloud: its state, and what a person asks of it. */
export interface Uplink {
  readonly state: UplinkState;
  /**
   * When it went up, was refused, or was last up before it was down; a new try does not move it.
   */
  readonly since: UnixMs;
  /** Why it is not up; empty when it is. */
  readonly why: string;
  /** Null while it is up or trying. */
  readonly nextTryAt: UnixMs | null;
  /** Events that had no entry in the table. */
  readonly unexpected: number;
}

export const uplinkAt = (now: UnixMs, why: string): Uplink => ({
  state: 'down',
  since: now,
  why,
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
      return { ...uplink, state, since: now, why: '', nextTryAt: null };
    case 'refused':
      return { ...uplink, state, since: uplink.why === event.why ? uplink.since : now, why: event.why };
    case 'failed':
      return { ...uplink, state, why: event.why };
    case 'lost':
      return { ...uplink, state, since: now, why: event.why };
  }
}
