import type { Random } from '../../src/runtime/clock.ts';
import { seededRandom } from '../support/clock.ts';

/**
 * Life of a program from its start to its end. What it left behind (timers, messages, packets on
 * their way to it) is passed over once it is dead: its memory is gone.
 */
export class Life {
  isDead = false;
  readonly name: string;
  /** Called once, when it ends. */
  readonly onEnd: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  end(): void {
    if (this.isDead) return;
    this.isDead = true;
    for (const act of this.onEnd) act();
  }
}

/** A thread of a life: while it works, what comes for it waits. */
export class Lane {
  readonly life: Life;
  busyUntil = 0;

  constructor(life: Life) {
    this.life = life;
  }
}

/** Something that is to happen; `lane` null: in the world outside the programs. */
export interface Coming {
  at: number;
  order: number;
  readonly lane: Lane | null;
  act: (() => void) | null;
}

/** The error that unwinds a program which was killed in the middle of a call. */
export class Killed extends Error {
  constructor() {
    super('killed');
    this.name = 'Killed';
  }
}

const realImmediate = globalThis.setImmediate;
/** Runs the ticks and promises of an event, as Node itself does between two immediates. */
const runTicks = (process as unknown as { readonly _tickCallback: () => void })._tickCallback;
/** A turn of Node's own loop costs as much as an event. */
const eventsOfTurn = 500;
/** Of one moment, in which time does not pass: a program that spins would never end. */
const stepsOfMomentMax = 100_000;

/**
 * Time of a simulation, which jumps from one event to the next. All programs and all of the world
 * around them take turns on one thread, in an order that follows from the seed alone.
 */
export class World {
  /** Milliseconds since the beginning; the monotonic clock of every machine. */
  now = 0;
  /** Wall clock minus monotonic clock. */
  ahead: number;
  /** The lane whose event runs, with its promises; null: the world outside. */
  lane: Lane | null = null;
  /** Cost of the event that runs, to its thread, so far; in milliseconds. */
  spent = 0;
  steps = 0;
  readonly random: Random;
  /** A program threw where nothing caught it: its process would have ended. */
  onUncaught: (error: unknown, life: Life) => void = error => {
    throw error;
  };
  readonly #heap: Coming[] = [];
  #order = 0;
  #momentSteps = 0;

  constructor(seed: number, startsAt: number) {
    this.random = seededRandom(seed);
    this.ahead = startsAt;
  }

  /** As the thread that runs sees it. */
  get monotonic(): number {
    return this.now + this.spent;
  }

  get wall(): number {
    return Math.floor(this.monotonic + this.ahead);
  }

  /** The thread that runs works, or waits for its disk. */
  spend(ms: number): void {
    this.spent += ms;
  }

  after(ms: number, act: () => void, lane: Lane | null = this.lane): Coming {
    const coming = { at: this.monotonic + Math.max(0, ms), order: this.#order++, lane, act };
    this.#push(coming);
    return coming;
  }

  cancel(coming: Coming): void {
    coming.act = null;
  }

  /** Lets everything happen until `isOver`, or until nothing more comes. */
  run(isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = () => {
        try {
          for (let events = 0; events < eventsOfTurn; events++) {
            if (isOver() || !this.#next()) return resolve();
            runTicks();
            this.#endTurn();
          }
          realImmediate(step);
        } catch (error) {
          reject(error);
        }
      };
      realImmediate(step);
    });
  }

  /** Its promises have run too by now. */
  #endTurn(): void {
    if (this.lane !== null) this.lane.busyUntil = this.now + this.spent;
    this.lane = null;
    this.spent = 0;
  }

  #next(): boolean {
    for (;;) {
      const coming = this.#pop();
      if (!coming) return false;
      const { lane, act } = coming;
      if (act === null || lane?.life.isDead) continue;
      if (lane !== null && lane.busyUntil > coming.at) {
        coming.at = lane.busyUntil;
        this.#push(coming);
        continue;
      }
      this.#momentSteps = coming.at > this.now ? 0 : this.#momentSteps + 1;
      if (this.#momentSteps > stepsOfMomentMax) throw new Error(`time stands still at ${this.now} ms`);
      this.now = coming.at;
      this.lane = lane;
      this.steps++;
      try {
        act();
      } catch (error) {
        this.uncaught(error);
      }
      return true;
    }
  }

  uncaught(error: unknown): void {
    if (this.lane === null) throw error;
    if (!this.lane.life.isDead) this.onUncaught(error, this.lane.life);
  }

  #push(coming: Coming): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(coming);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(coming, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = coming;
  }

  #pop(): Coming | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (one: Coming, other: Coming): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
