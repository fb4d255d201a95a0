import type { Random } from '../../../src/runtime/clock.ts';

/** Faults of the simulated cloud, each with a probability from 0 (never) to 1 (always). */
export interface Faults {
  /** A login is refused: CONNACK 5, or 406. */
  refuse: number;
  /**
   * A login or a message is read and never answered; what follows on that MQTT connection is
   * ignored too.
   */
  hang: number;
  /**
   * The connection is closed after a message arrived and before it is acknowledged; every second
   * one is recorded all the same.
   */
  drop: number;
  /**
   * A push, a log or a batch over HTTP is answered 200 with body code `codeValue`, and not
   * recorded.
   */
  code: number;
  /** A message, a log or a line of a batch is acknowledged, and forgotten. */
  forget: number;
  /** The body code of that answer. */
  codeValue: number;
}

export type FaultName = Exclude<keyof Faults, 'codeValue'>;
export const faultNames: readonly FaultName[] = ['refuse', 'hang', 'drop', 'code', 'forget'];

/**
 * The faults in force, switched while the cloud runs. The random that is handed in decides, so that
 * a seed repeats a run.
 */
export class FaultSwitches {
  readonly #random: Random;
  readonly inForce: Faults = { refuse: 0, hang: 0, drop: 0, code: 0, forget: 0, codeValue: 500 };
  /** How often each has happened. */
  readonly struck: Record<FaultName, number> = { refuse: 0, hang: 0, drop: 0, code: 0, forget: 0 };

  constructor(random: Random, faults: Partial<Faults> = {}) {
    this.#random = random;
    this.set(faults);
  }

  /** Changes the named ones; the others stay as they are. */
  set(faults: Partial<Faults>): void {
    Object.assign(this.inForce, faults);
  }

  clear(): void {
    for (const name of faultNames) this.inForce[name] = 0;
  }

  strikes(name: FaultName): boolean {
    const chance = this.inForce[name];
    if (chance <= 0 || (chance < 1 && this.#random() >= chance)) return false;
    this.struck[name]++;
    return true;
  }

  /** True half of the time. */
  coin(): boolean {
    return this.#random() < 0.5;
  }
}
