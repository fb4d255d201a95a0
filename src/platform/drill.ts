import type { UnixMs, UnixSeconds } from '../runtime/clock.ts';

/**
 * Results of a box's drills: the same names for the store, the commands and the pages. A drill is a
 * test that the installer makes at the site (docs/drill.md).
 */

/** How often the power is cut while the card is tried. */
export const cutsOfDrill = 3;
/** From this number on the page says to pull the plug. */
export const numbersBeforeCut = 200;

/** The disk below the data directory, as Linux names it. Empty: it does not say. */
export interface DiskDevice {
  /** Device, such as `mmcblk0`; empty if none was found. */
  readonly device: string;
  readonly name: string;
  readonly serial: string;
  /** The register of an SD card or eMMC that identifies it, in hex. */
  readonly cid: string;
  /** Of the whole disk; null: not known. */
  readonly bytes: number | null;
}

/** Speed measured beside the drill of the card, in a folder of the data directory. */
export interface CardSpeed {
  /** Milliseconds that writing 4 KiB at a random place and syncing it took. */
  readonly syncP50Ms: number;
  readonly syncP99Ms: number;
  /** Such writes in a second, one after the other. */
  readonly syncsPerSecond: number;
  /** Of one long write with a sync at its end, in 10^6 bytes. */
  readonly megabytesPerSecond: number;
}

/** Load that the speed allows, by the assumptions of docs/drill.md. */
export interface CardAllows {
  /** Records a second that come alone, each with a commit of its own. */
  readonly recordsAlone: number;
  /** Records a second that come together and share a commit. */
  readonly recordsTogether: number;
  /** Terminals at which somebody punches every two seconds. */
  readonly terminals: number;
  /** Until `storage.endurance_tb` are written; at most 100. */
  readonly years: number;
  /** Bytes written in a day: measured, or assumed because the box is new. */
  readonly bytesPerDay: number;
  readonly isMeasured: boolean;
}

/** Findings after one power cut. */
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

/** Number that a person or a browser saw last before a power cut. */
export interface SeenNumber {
  readonly id: string;
  readonly cut: number;
  readonly number: number;
}

/** Records of a device since the cut of the line: said, stored, confirmed by the cloud. */
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
  /** How many more had said something. */
  readonly unlisted: number;
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

/**
 * How far the punch of a terminal has come, or why there is none. Done: `confirmed`, and `stored`
 * (on a box without a cloud). There is a punch: `sent` and not confirmed, `waiting` on the disk,
 * `parked` (the cloud refused it), `bad` (its data does not fit, and the box answered 400). There
 * is none: `online` (connected), `held_back`, `refused` (its login), `silent` (not connected),
 * `never` heard of.
 */
export const punchStates = [
  ...(['parked', 'bad', 'waiting', 'sent', 'online', 'refused', 'held_back'] as const),
  ...(['silent', 'never', 'confirmed', 'stored'] as const),
];
export type PunchState = (typeof punchStates)[number];

export const isPunchDone = (state: PunchState): boolean => state === 'confirmed' || state === 'stored';

/** The first punch of a terminal since the drill began, with the time of each hop. */
export interface TerminalPunch {
  readonly deviceId: string;
  readonly state: PunchState;
  /** Of one that is parked or bad: what is wrong. Of one that waits: what the line says. */
  readonly why: string;
  /** By the terminal's own clock. Null, here and below: not yet, or the moment was not noted. */
  readonly punchedAt: UnixSeconds | null;
  readonly receivedAt: UnixMs | null;
  /** Time at which it was on the disk and acknowledged. */
  readonly storedAt: UnixMs | null;
  readonly sentAt: UnixMs | null;
  readonly confirmedAt: UnixMs | null;
}

/** How many terminals there are, and how far they have come. */
interface PunchCounts {
  readonly known: number;
  readonly done: number;
  /** Have punched, and the cloud has not confirmed it. */
  readonly punched: number;
}

export interface TerminalsResult extends PunchCounts {
  readonly kind: 'terminals';
  readonly id: string;
  readonly begunAt: UnixMs;
  readonly endedAt: UnixMs;
  /** `silent`: nobody punched, so there is no verdict; `failed`: some are not done. */
  readonly outcome: 'passed' | 'failed' | 'silent';
  readonly hasCloud: boolean;
  /** At most `drillRowsMax`, in the order of `punchStates`. */
  readonly terminals: readonly TerminalPunch[];
}

/** The drill of the terminals that is under way. */
export interface TerminalsReport extends PunchCounts {
  readonly id: string;
  readonly begunAt: UnixMs;
  /** When it ends by itself. */
  readonly endsAt: UnixMs;
  /** Those that punched last, newest first; at most 20. */
  readonly latest: readonly TerminalPunch[];
  /** As in the result. */
  readonly terminals: readonly TerminalPunch[];
}

export type DrillResult = CardResult | LineResult | TerminalsResult;

/** Fate of a result that was sent to the cloud or the box above. */
export interface SentUp {
  readonly at: UnixMs;
  /** Why it was refused for good; empty: it was taken. */
  readonly refused: string;
}

/** How many devices a result names: it is read as a whole, and printed. */
export const drillRowsMax = 500;

/** So long a drill of the terminals goes on at most. */
export const drillHours = 8;

/** In minutes. */
export const lineCutMinutes = { usual: 10, most: 60 } as const;
