import type { ActionName, ActionTable } from '../../platform/actions.ts';
import { parseEnvelope } from '../../platform/envelope.ts';
import { unpack } from './segment.ts';

/** How far the tables may fall behind the journal before nothing more is taken from devices. */
export interface LagBound {
  readonly records: number;
  readonly ms: number;
}

/**
 * The backlog is on disk, not in memory. The bound limits for how long an acknowledged record
 * cannot be found yet, and how much of the journal retention must keep. Five million records of 200
 * B are 1.2 GB and, on the machine of docs/performance.md, half a minute of work. A minute of the
 * two is rest (writer/thread.ts).
 */
export const lagBound: LagBound = { records: 5_000_000, ms: 120_000 };

/**
 * While fewer are behind, the tables may rest until somebody asks. From here on each record costs
 * the same, however many come with it, and who asks does not wait for them.
 */
export const restingRecordsMax = 1000;

export const behindTooFar = 'the tables are too far behind what was acknowledged: send it again';

/**
 * Released a little below the bound, so that devices are held back for moments, not for minutes.
 */
const letGoAt = 15 / 16;
/** A gateway that cannot stop reading may exceed the limit by this much before it is refused. */
const refuseAt = 9 / 8;
const markMs = 1000;

/**
 * How far the tables are behind the journal, in records and in time. Updated with every commit and
 * every turn of the tables. Remembers one position for each second of lag.
 */
export class Lag {
  readonly #bound: LagBound;
  /**
   * The journal reached `seq` within a second after `at`; oldest first, all of them behind the
   * tables.
   */
  #marks: { seq: number; readonly at: number }[] = [];
  #committed: number;
  #projected: number;
  #isOver = false;
  /** The tables cannot be filled at all: devices are not held back for what does not get better. */
  isExcused = false;

  constructor(bound: LagBound, committed: number, projected: number, now: number) {
    this.#bound = bound;
    this.#committed = projected;
    this.#projected = projected;
    this.committed(committed, now);
  }

  get records(): number {
    return this.#committed - this.#projected;
  }

  /**
   * Milliseconds since the oldest record that is not in the tables was committed, to a second; for
   * records from before the start, since the start.
   */
  ms(now: number): number {
    const oldest = this.#marks[0];
    return oldest ? Math.max(0, now - oldest.at) : 0;
  }

  /** The lag as a share of the bound: 1 is at the bound. */
  pressure(now: number): number {
    return Math.max(this.records / this.#bound.records, this.ms(now) / this.#bound.ms);
  }

  /**
   * The bound was reached, and the tables are not well below it yet; as of the last commit or turn.
   */
  get isOver(): boolean {
    return this.#isOver && !this.isExcused;
  }

  /** So far over the bound that records which arrive all the same are refused. */
  refuses(now: number): boolean {
    return this.isOver && this.pressure(now) >= refuseAt;
  }

  /** `now` is monotonic. */
  committed(seq: number, now: number): void {
    if (seq <= this.#committed) return;
    const last = this.#marks.at(-1);
    if (last && now - last.at < markMs) last.seq = seq;
    else this.#marks.push({ seq, at: now });
    this.#committed = seq;
    this.#judge(now);
  }

  projected(seq: number, now: number): void {
    this.#projected = seq;
    const behind = this.#marks.findIndex(mark => mark.seq > seq);
    this.#marks.splice(0, behind < 0 ? this.#marks.length : behind);
    this.#judge(now);
  }

  #judge(now: number): void {
    const pressure = this.pressure(now);
    if (pressure >= 1) this.#isOver = true;
    else if (pressure <= letGoAt) this.#isOver = false;
  }
}

/**
 * Actions whose rows other terminals need, or which decide whether a person is sent to one again
 * (attendance/person-sync.ts): their rows are not delayed until somebody reads them.
 */
const awaited: readonly ActionName[] = ['feature_report', 'person_sync_result'];

/** Whether packed records have a message that a part of the box waits for. */
export function awaitedIn(actions: ActionTable): (packed: Buffer) => boolean {
  const codes = awaited.map(name => actions.codeOf(name)).filter(code => code !== null);
  const digits = codes.map(code => Buffer.from(String(code)));
  return packed => {
    // Most segments have these digits nowhere, and need not be read.
    if (!digits.some(one => packed.includes(one))) return false;
    let found = false;
    unpack(
      packed,
      0,
      ({ payload }) => {
        const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
        if (!digits.some(one => bytes.includes(one))) return;
        const read = parseEnvelope(payload);
        if (read.ok && codes.includes(read.value.action as number)) found = true;
      },
      (_, __, channel) => channel === 'device' && !found,
    );
    return found;
  };
}
