import type { DateText } from '../../platform/shifts.ts';
import type { Site } from '../../platform/site.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { DeviceNo, StoreErrorCode, WholeStore, WritePart } from '../../store/index.ts';
import type { ClosingWrites } from '../months/close-month.ts';
import type { CalendarKind } from '../schedules/plan.ts';
import type { ScheduleRules } from '../schedules/result.ts';

/** The messages between the main thread and the reports thread. */

/** Facts of the main thread at the time of asking, which a job works from. */
export interface JobFacts {
  readonly now: UnixMs;
  readonly site: Pick<Site, 'name' | 'timezone'>;
  readonly rules: Pick<ScheduleRules, 'clock' | 'nightOvertime'> & { readonly version: string };
  readonly online: ReadonlySet<DeviceNo>;
  /** Of the dates of the job, and of those around them that they depend on. */
  readonly calendar: ReadonlyMap<DateText, CalendarKind>;
}

/** Calls of a job to the main thread, where the store is written. */
export type MainCalls = Pick<WholeStore, 'whole'> & WritePart<ClosingWrites>['write'];

/** An answer that goes on: bytes, or a few people. */
export type Piece = Uint8Array<ArrayBuffer> | readonly unknown[];

/** Characters or bytes of one piece; a larger one holds a single row. */
export const pieceSize = 64 << 10;
/** Pieces that a job has sent and nobody has taken: with as many it waits. */
export const untakenMax = 8;

export type ToThread =
  | {
      readonly kind: 'start';
      readonly id: number;
      readonly name: string;
      readonly facts: JobFacts;
      readonly asked: unknown;
    }
  | { readonly kind: 'taken'; readonly id: number }
  /** Nobody wants the rest. The job replies `ended` or `failed` all the same. */
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'answer'; readonly call: number; readonly ok: boolean; readonly value: unknown }
  | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'piece'; readonly id: number; readonly piece: Piece }
  | { readonly kind: 'ended'; readonly id: number; readonly value: unknown }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly code: StoreErrorCode | null;
      readonly message: string;
      /** The call whose error this is; null: another error. */
      readonly call: number | null;
    }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly call: number;
      readonly name: keyof MainCalls;
      readonly input: unknown;
    };
