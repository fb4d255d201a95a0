import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { DateText } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import { withoutItsEngine } from '../../runtime/zstd.ts';
import type { PersonRow } from '../../store/index.ts';
import { canonicalJson } from '../statements/chain.ts';
import type { Place } from './departments-by-date.ts';
import type { DayResult } from './result.ts';
import { type ResultSums, sumsOf } from './sums.ts';

/** Why a check-in of the month was corrected. */
export interface FrozenCorrection {
  readonly id: number;
  readonly kind: string;
  readonly reason: string;
}

/** The month of one person as it was closed: one line of the closing. */
export interface FrozenMonth {
  readonly person: Pick<PersonRow, 'extId' | 'name' | 'employeeNum' | 'title' | 'department' | 'departmentExtId'>;
  /** Absent: the person stood in one department all the time. */
  readonly places?: readonly Place[];
  readonly days: readonly DayResult[];
  readonly sums: ResultSums;
  readonly corrections: readonly FrozenCorrection[];
}

/** The first and the last date of `2026-11`. */
export function monthDates(month: string): { readonly from: DateText; readonly to: DateText } {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const next = number === 12 ? `${year + 1}-01-01` : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}-01`;
  return { from: `${month}-01`, to: addDays(next, -1) };
}

/** The months that dates lie in, oldest first. */
export function monthsOf(from: DateText, to: DateText): string[] {
  const months: string[] = [];
  for (let date = from; date.slice(0, 7) <= to.slice(0, 7); date = addDays(monthDates(date.slice(0, 7)).to, 1))
    months.push(date.slice(0, 7));
  return months;
}

/** The same value has the same bytes. Numbers have to be whole ones. */
export const canonicalLine = (value: object): string => canonicalJson(value as never);

/** A frame of zstd: in the thread for reports, so that it may take its time. */
export function packLine(line: string): Uint8Array {
  const bytes = Buffer.from(line);
  return withoutItsEngine(zstdCompressSync(bytes, { info: true, pledgedSrcSize: bytes.length }));
}

export const unpackLine = (packed: Uint8Array): string =>
  withoutItsEngine(zstdDecompressSync(packed, { info: true })).toString();

export const unpackMonth = (packed: Uint8Array): FrozenMonth => JSON.parse(unpackLine(packed)) as FrozenMonth;

/** Some dates of closed months. Of a whole month the sums are those that were closed. */
export function datesOfFrozen(
  months: readonly FrozenMonth[],
  from: DateText,
  to: DateText,
): { days: readonly DayResult[]; sums: ResultSums } {
  const [only] = months;
  const all = months.flatMap(({ days }) => days);
  const days = all.filter(({ date }) => from <= date && date <= to);
  const isWhole = only !== undefined && months.length === 1 && days.length === all.length;
  return { days, sums: isWhole ? only.sums : sumsOf(days) };
}
