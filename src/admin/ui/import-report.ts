import { z } from '@hono/zod-openapi';
import type { FileReading } from '../../attendance/index.ts';
import { csvEncodings } from '../../platform/csv-encodings.ts';
import type { SiteChange } from '../../store/index.ts';
import type { Report } from '../operation.ts';
import { reasonShape, refused } from '../problem.ts';
import { daysChanged } from './plan-previews.ts';

/** Report on the import of any list. */

const remark = z.object({
  line: z.number().describe('The line of a CSV file, the row of a sheet'),
  column: z.string().describe('Empty: the whole row'),
  value: z.string(),
  ...reasonShape,
});
const changedValue = z.object({ field: z.string(), before: z.string(), after: z.string() });
/** Choices about the file, for the import of any list. */
export const importChoices = {
  encoding: z.enum(csvEncodings).optional().describe('Of a CSV file without a byte order mark; else as it is found'),
  sheet: z.string().max(100).optional().describe('Of a workbook: the visible sheet of this name; else the first one'),
};
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
  encoding: z
    .object({
      name: z.string(),
      certain: z.boolean().describe('Not: a guess. It is good for a dry run; to import, name the encoding'),
      samples: z.array(z.string()).describe('Some cells beyond ASCII, names first'),
    })
    .nullable()
    .describe('Null: no CSV'),
  sheet: z.string().nullable().describe('The sheet that was read; null: no workbook'),
  sheets: z.array(z.string()).describe('Its visible sheets'),
  past: daysChanged
    .optional()
    .describe('What moves that the list dates before today change in days that are over; absent: it has none'),
});
export type ImportReport = Report<typeof importReport>;

/** How the file was read, for the report. */
export const fileFacts = ({ encoding, sheet, sheets }: FileReading) => ({
  encoding: encoding && { name: encoding.name, certain: encoding.isCertain, samples: [...encoding.samples] },
  sheet,
  sheets: [...sheets],
});

const changesShownMax = 200;
/** All of them go into the file that the page offers. */
export const problemsMax = 10_000;

/** Changes first: they replace something. */
export const shown = (changes: readonly SiteChange[]): readonly SiteChange[] =>
  changes
    .toSorted((one, other) => Number(one.action === 'add') - Number(other.action === 'add'))
    .slice(0, changesShownMax);

/** One file at a time: each takes a thread and its memory. */
export class ImportSlot {
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
