import { seededRandom } from '../support/clock.ts';

/** What a disk does wrong from now on. Whatever is left out is as it should be. */
export interface Faults {
  /** How long each answer takes. Nothing else is answered meanwhile. */
  readonly delayMs?: Partial<Readonly<Record<'read' | 'write' | 'flush', number>>>;
  /** Flushes get no answer, and so nothing behind them, until the faults are changed. */
  readonly holdFlushes?: boolean;
  /**
   * The portion of flushes, 0 to 1, that are answered without being done: a card that lies. What a
   * cut of the power leaves then is decided by the log, which has no such flush.
   */
  readonly dropFlushes?: number;
  /** For `dropFlushes`; 1 where it is left out. */
  readonly seed?: number;
  readonly errors?: readonly DiskError[];
}

/** Requests that touch these sectors (of 512 bytes) fail, and write nothing. */
export interface DiskError {
  readonly on: 'read' | 'write' | 'flush';
  /** Both left out: every sector. A flush has none: leave them out. */
  readonly fromSector?: number;
  /** Exclusive. */
  readonly toSector?: number;
  /** EIO where it is left out. The loop device makes EIO of every error. */
  readonly code?: 'EIO' | 'ENOSPC';
}

/** The faults in the terms of one request. */
export class DiskFaults {
  readonly #faults: Faults;
  readonly #random: () => number;

  constructor(faults: Faults) {
    this.#faults = faults;
    this.#random = seededRandom(faults.seed ?? 1);
  }

  waitMs(kind: 'read' | 'write' | 'flush'): number {
    if (kind === 'flush' && this.#faults.holdFlushes) return Number.POSITIVE_INFINITY;
    return this.#faults.delayMs?.[kind] ?? 0;
  }

  errorOf(kind: 'read' | 'write' | 'flush', sector: number, sectors: number): 'EIO' | 'ENOSPC' | null {
    for (const { on, fromSector = 0, toSector = Number.POSITIVE_INFINITY, code = 'EIO' } of this.#faults.errors ?? [])
      if (on === kind && (kind === 'flush' || (sector < toSector && sector + sectors > fromSector))) return code;
    return null;
  }

  dropsThisFlush(): boolean {
    const portion = this.#faults.dropFlushes ?? 0;
    return portion > 0 && this.#random() < portion;
  }
}
