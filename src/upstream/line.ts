import type { UnixMs } from '../runtime/clock.ts';

export type LineState = 'down' | 'connecting' | 'up' | 'refused';

export type LineEvent =
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
} as const satisfies Record<LineState, Partial<Record<LineEvent['kind'], LineState>>>;

/** One way to the cloud: its state, and what a person asks of it. */
export interface Line {
  readonly state: LineState;
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

export const lineAt = (now: UnixMs, why: string): Line => ({
  state: 'down',
  since: now,
  why,
  nextTryAt: null,
  unexpected: 0,
});

export function step(line: Line, event: LineEvent, now: UnixMs): Line {
  const state = (next[line.state] as Partial<Record<LineEvent['kind'], LineState>>)[event.kind];
  if (state === undefined) return { ...line, unexpected: line.unexpected + 1 };
  switch (event.kind) {
    case 'retryDue':
      return { ...line, state, nextTryAt: null };
    case 'accepted':
      return { ...line, state, since: now, why: '', nextTryAt: null };
    case 'refused':
      return { ...line, state, since: line.why === event.why ? line.since : now, why: event.why };
    case 'failed':
      return { ...line, state, why: event.why };
    case 'lost':
      return { ...line, state, since: now, why: event.why };
  }
}
