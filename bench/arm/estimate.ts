import { type CaseName, cases } from './cases.ts';
import type { CaseCounts } from './instructions.ts';

interface DatedCounts extends CaseCounts {
  /** The day. */
  readonly measured: string;
}

/** What was counted, as `bench/arm/counts.json` holds it. */
export interface Counted {
  /** The machine that counted, and whose kernel was timed. */
  readonly on: string;
  readonly cases: Readonly<Record<CaseName, DatedCounts>>;
}

/** What is not known of a board and its card. */
export interface Assumed {
  /** Instructions that a core executes in a cycle. */
  readonly ipc: number;
  /** How much longer the kernel takes beside the program than on the machine that counted. */
  readonly kernel: number;
  /** How long the card takes for a sync, in ms. */
  readonly syncMs: number;
  /** Whether the processor works while the card syncs; else one waits for the other. */
  readonly overlaps: boolean;
  /** What the check-ins of a storm take: those that come 16 at a time, or one at a time. */
  readonly stormCheckin: 'checkin' | 'loneCheckin';
}

export const worst: Assumed = { ipc: 0.7, kernel: 1.5, syncMs: 20, overlaps: false, stormCheckin: 'loneCheckin' };
export const best: Assumed = { ipc: 1.4, kernel: 0.75, syncMs: 5, overlaps: true, stormCheckin: 'checkin' };

/** Two Cortex-A72 at 1.5 GHz. */
const hertz = 1.5e9;
const cores = 2;
/**
 * A record waits for half of the sync that runs when it comes, and for its own: `slow-disk` of
 * docs/performance.md has 800 in flight and 26,446/s with 20 ms, which is 1.5 syncs for each.
 */
const syncsForARecord = 1.5;

/** In a second, by the processor alone: a thread has one core, all threads have two. */
export function processorRate(counts: CaseCounts, { ipc, kernel }: Assumed): number {
  const withKernel = 1 + (kernel * counts.kernelShare) / (1 - counts.kernelShare);
  const perSecond = hertz * ipc;
  return Math.min(perSecond / (counts.busiest * withKernel), (cores * perSecond) / (counts.all * withKernel));
}

/** In a second; `inFlight` 0: no sync is waited for. */
export function rate(counts: CaseCounts, inFlight: number, assumed: Assumed): number {
  const processor = processorRate(counts, assumed);
  if (inFlight === 0) return processor;
  const waitSeconds = (syncsForARecord * assumed.syncMs) / 1000;
  if (assumed.overlaps) return Math.min(processor, inFlight / waitSeconds);
  return inFlight / (waitSeconds + inFlight / processor);
}

/** Milliseconds from the arrival of a lone check-in until its acknowledgement. */
export const loneMs = (counted: Counted, assumed: Assumed): number =>
  assumed.syncMs + 1000 / processorRate(counted.cases.loneCheckin, assumed);

/**
 * Seconds until devices that lost power together have logged in and every check-in is acknowledged.
 * Thousands of records are in flight, so the processor decides, and not the card.
 */
export function stormSeconds(counted: Counted, devices: number, records: number, assumed: Assumed): number {
  const login = rate(counted.cases.loginOverTls, cases.loginOverTls.inFlight, assumed);
  return devices / login + (devices * records) / processorRate(counted.cases[assumed.stormCheckin], assumed);
}
