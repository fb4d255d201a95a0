import type { Clock } from '../platform/clock.ts';
import type { Line, LineState } from './line.ts';

/** The line as a whole, out of its sessions: what `gatehouse status` shows. */
export interface LineSummary {
  readonly state: LineState | 'none';
  readonly since: number | null;
  readonly why: string;
  readonly nextTryAt: number | null;
}

/** Follows the sessions. `since` moves when the line goes up, or stops being up; not with each new try. */
export class OverallLine {
  readonly #clock: Clock;
  #state: LineState = 'down';
  #since: number;
  #why = 'no device has needed the cloud yet';

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** After any session has changed. */
  follow(lines: Iterable<Line>): void {
    let best: Line | null = null;
    for (const line of lines) if (!best || rank(line) > rank(best)) best = line;
    if (!best) return;
    const wasUp = this.#state === 'up';
    const trouble = troubleOf(best);
    if ((best.state === 'up') !== wasUp || (best.state === 'refused') !== (this.#state === 'refused'))
      this.#since = this.#clock.now();
    this.#state = best.state;
    if (trouble !== null) this.#why = trouble;
  }

  summary(lines: Iterable<Line>): LineSummary {
    let nextTryAt: number | null = null;
    if (this.#state !== 'up')
      for (const line of lines)
        if (line.nextTryAt !== null && (nextTryAt === null || line.nextTryAt < nextTryAt)) nextTryAt = line.nextTryAt;
    return { state: this.#state, since: this.#since, why: this.#state === 'up' ? '' : this.#why, nextTryAt };
  }
}

const order: Record<LineState, number> = { up: 3, connecting: 2, refused: 1, down: 0 };
/** Of two that are down the one that was tried speaks. */
const rank = (line: Line): number => order[line.state] * 2 + (line.nextTryAt === null ? 0 : 1);

const troubleOf = ({ state, why }: Line): string | null =>
  state === 'up' ? '' : why === '' || why === 'not tried yet' ? null : why;
