import { peakOf, type Values } from '../../parts/plot.ts';

interface QueuePeak {
  readonly value: number;
  readonly step: number;
  /** The first step after the peak in which nothing waited; null: it was not cleared. */
  readonly cleared: number | null;
}

/** The greatest backlog of a day, and when that one was cleared: later ones are their own. */
export function queuePeak(waiting: Values): QueuePeak | null {
  const peak = peakOf(waiting);
  if (peak === null || peak.value === 0) return null;
  const cleared = waiting.findIndex((value, step) => step > peak.step && value === 0);
  return { ...peak, cleared: cleared < 0 ? null : cleared };
}
