import { z } from '@hono/zod-openapi';
import type { SiteChange } from '../../store/index.ts';
import type { Report } from '../operation.ts';
import { refused } from '../problem.ts';

/** What the import of any list returns. */

const remark = z.object({
  line: z.number().describe('The line of a CSV file, the row of a sheet'),
  column: z.string().describe('Empty: the whole row'),
  value: z.string(),
  reason: z.string().describe('Why, and what to do about it'),
});
const changedValue = z.object({ field: z.string(), before: z.string(), after: z.string() });
export const importReport = z.object({
  dry_run: z.boolean(),
  rows: z.number(),
  wrong: z.number().describe('How many are wrong; `problems` lists the first of them'),
  problems: z.array(remark),
  warnings: z.array(remark).describe('What may be a mistake; it is imported all the same'),
  added: z.number(),
  changed: z.number(),
  same: z.number(),
  changes: z
    .array(
      z.object({
        action: z.string(),
        key: z.string(),
        line: z.number(),
        name: z.string().describe('As it is after the import'),
        values: z.array(changedValue).describe('Of a change: what differs'),
      }),
    )
    .describe('The first of them'),
});
export type ImportReport = Report<typeof importReport>;

const changesShownMax = 200;
/** All of them go into the file that the page offers. */
export const problemsMax = 10_000;

/** Changes first: they replace something. */
export const shown = (changes: readonly SiteChange[]): readonly SiteChange[] =>
  changes
    .toSorted((one, other) => Number(one.action === 'add') - Number(other.action === 'add'))
    .slice(0, changesShownMax);

/** One file at a time: each takes a thread and its memory. */
export class ImportTurn {
  #isTaken = false;

  async take<T>(run: () => Promise<T>): Promise<T> {
    if (this.#isTaken) throw refused(409, 'import_busy', 'another file is being read: try again when it is done');
    this.#isTaken = true;
    try {
      return await run();
    } finally {
      this.#isTaken = false;
    }
  }
}
