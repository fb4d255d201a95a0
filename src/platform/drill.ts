import type { UnixMs } from '../runtime/clock.ts';

/**
 * What the drills of a box say: the same names for the store, the commands and the pages. A drill
 * is a test that the installer makes at the site (docs/drill.md).
 */

/** How often the power is cut while the card is tried. */
export const cutsOfDrill = 3;
/** From this number on the page says to pull the plug. */
export const numbersBeforeCut = 200;

/** The disk below the data directory, as Linux names it. Empty: it does not say. */
export interface DiskDevice {
  /** Such as `mmcblk0`; empty: none was found. */
  readonly device: string;
  readonly name: string;
  readonly serial: string;
  /** The register of an SD card or eMMC that identifies it, in hex. */
  readonly cid: string;
  /** Of the whole disk; null: not known. */
  readonly bytes: number | null;
}

/** What was measured beside the drill of the card, in a folder of the data directory. */
export interface CardSpeed {
  /** Milliseconds that writing 4 KiB at a random place and syncing it took. */
  readonly syncP50Ms: number;
  readonly syncP99Ms: number;
  /** Such writes in a second, one after the other. */
  readonly syncsPerSecond: number;
  /** Of one long write with a sync at its end, in 10^6 bytes. */
  readonly megabytesPerSecond: number;
}

/** What the speed allows, by the assumptions of docs/drill.md. */
export interface CardAllows {
  /** Records a second that come alone, each with a commit of its own. */
  readonly recordsAlone: number;
  /** Records a second that come together and share a commit. */
  readonly recordsTogether: number;
  /** Terminals at which somebody punches every two seconds. */
  readonly terminals: number;
  /** Until `storage.endurance_tb` are written; at most 100. */
  readonly years: number;
  /** What is written in a day: measured, or assumed because the box is new. */
  readonly bytesPerDay: number;
  readonly isMeasured: boolean;
}

/** What was found after one power cut. */
export interface CutFound {
  /** From 1. */
  readonly cut: number;
  /** The last number that a person or a browser saw before the cut. */
  readonly seen: number;
  /** The highest number that could be read. */
  readonly found: number;
  /** How many numbers are not on the disk though their sync had returned. */
  readonly missing: number;
  /** The lowest of them; null: none is missing. */
  readonly firstMissing: number | null;
}

/**
 * `stopped`: by a person; `expired`: nobody came back to it in a day, or pulled the plug in time;
 * `broken`: the disk failed while it was written.
 */
export type DrillOutcome = 'passed' | 'failed' | 'stopped' | 'expired' | 'broken';

export interface CardResult {
  readonly kind: 'card';
  readonly id: string;
  readonly begunAt: UnixMs;
  readonly endedAt: UnixMs;
  readonly outcome: DrillOutcome;
  /** Of a disk that failed: the error of the system. Else empty. */
  readonly why: string;
  readonly device: DiskDevice;
  readonly cuts: readonly CutFound[];
  readonly speed: CardSpeed | null;
  readonly allows: CardAllows | null;
}

/**
 * `measuring`: the disk's speed; `counting`: numbers are written until the power goes; `proving`:
 * the power was cut, and the box waits for the last number that somebody saw.
 */
export type CardStep = 'measuring' | 'counting' | 'proving';

/** A drill of the card that is under way. */
export interface CardReport {
  readonly id: string;
  readonly begunAt: UnixMs;
  readonly step: CardStep;
  readonly cut: number;
  /** The last number whose sync has returned; while proving the highest that was found. */
  readonly written: number;
  readonly cuts: readonly CutFound[];
  readonly device: DiskDevice;
}

/** What a person or a browser saw last before a power cut. */
export interface SeenNumber {
  readonly id: string;
  readonly cut: number;
  readonly number: number;
}

/** What a device said, the box stored and the cloud confirmed from the cut of the line on. */
export interface LineFigures {
  readonly deviceId: string;
  readonly said: number;
  readonly stored: number;
  readonly confirmed: number;
}

/**
 * `silent`: no device said anything, so there is no verdict; `failed`: something is not confirmed.
 */
type LineOutcome = 'passed' | 'failed' | 'silent';

export interface LineResult {
  readonly kind: 'line';
  readonly id: string;
  readonly begunAt: UnixMs;
  /** When the line was let go. */
  readonly restoredAt: UnixMs;
  readonly endedAt: UnixMs;
  readonly outcome: LineOutcome;
  /** How many records waited for the cloud at the end. */
  readonly waiting: number;
  /** At most `drillRowsMax`, those whose figures differ first. */
  readonly devices: readonly LineFigures[];
  /** How many more had said something; absent in results from before: none. */
  readonly unlisted?: number;
}

/** The drill of the line that is under way. */
export interface LineReport {
  readonly id: string;
  readonly begunAt: UnixMs;
  /** `cut`: until `endsAt`; `restored`: what waited goes to the cloud. */
  readonly step: 'cut' | 'restored';
  readonly endsAt: UnixMs;
  readonly waiting: number;
}

export type DrillResult = CardResult | LineResult;

/** How many devices a result names: it is read as a whole, and printed. */
export const drillRowsMax = 500;

/** In minutes. */
export const lineCutMinutes = { usual: 10, most: 60 } as const;
