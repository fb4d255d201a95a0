import { createHash } from 'node:crypto';
import type { Period, PeriodReads, ReadPart } from '../../store/index.ts';
import { unpackLine } from '../schedules/frozen-month.ts';

const rowsEach = 50;

/**
 * The lines of a closing: what it is about, a line for each person, and what was counted. Each ends
 * with a line feed; the SHA-256 of all of them is the hash of the closing.
 */
export async function* closedLines(store: ReadPart<PeriodReads>, { id, head, foot }: Period): AsyncGenerator<string> {
  yield `${head}\n`;
  for (let after: number | undefined; ; ) {
    const rows = await store.read.rowsOfPeriod({ id, after, limit: rowsEach });
    for (const { packed } of rows) yield `${unpackLine(packed)}\n`;
    if (rows.length < rowsEach) break;
    after = rows.at(-1)!.id;
  }
  yield `${foot}\n`;
}

/** The hash of what is stored: that of the closing, unless something was changed. */
export async function hashOfClosed(store: ReadPart<PeriodReads>, period: Period): Promise<string> {
  const hash = createHash('sha256');
  for await (const line of closedLines(store, period)) hash.update(line);
  return hash.digest('hex');
}
