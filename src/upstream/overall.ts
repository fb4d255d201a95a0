import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Line, LineState } from './line.ts';

/** The line as a whole, out of its sessions: what `gatehouse status` shows. */
export interface LineSummary {
  readonly state: LineState | 'none';
  readonly since: number | null;
  readonly why: string;
  readonly nextTryAt: number | null;
}

/**
 * Follows the sessions. `since` moves when the line goes up, or stops being up; not with each new
 * try.
 */
export class OverallLine {
  readonly #clock: Clock;
  readonly #log: Log;
  #state: LineState = 'down';
  /** The last state that was not a try. */
  #settled: Exclude<LineState, 'connecting'> = 'down';
  #since: number;
  #why = 'no device has needed the cloud yet';

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    this.#since = clock.now();
  }

  /** After any session has changed. */
  follow(lines: Iterable<Line>): void {
    let best: Line | null = null;
    for (const line of lines) if (!best || rank(line) > rank(best)) best = line;
    if (!best) return;
    this.#state = best.state;
    const trouble = troubleOf(best);
    if (trouble !== null) this.#why = trouble;
    // A try after the line was up means that it is down; any other try changes nothing yet.
    const settled = best.state === 'connecting' ? (this.#settled === 'up' ? 'down' : this.#settled) : best.state;
    if (settled === this.#settled) return;
    this.#settled = settled;
    this.#since = this.#clock.now();
    if (settled === 'up') this.#log.info({}, 'the line to the cloud is up');
    else this.#log.warn({ state: settled, why: this.#why }, 'the line to the cloud is not up; records wait here');
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
