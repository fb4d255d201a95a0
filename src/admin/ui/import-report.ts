import { z } from '@hono/zod-openapi';
import { columnChoiceIn, columnChoicePattern, type FileReading } from '../../attendance/index.ts';
import { csvEncodings } from '../../platform/csv-encodings.ts';
import type { SiteChange } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import type { Report } from '../operation.ts';
import { reasonShape, refused } from '../problem.ts';
import { daysChanged } from './plan-previews.ts';

/** Report on the import of any list. */

const remark = z.object({
  line: z.number().describe(described('The line of a CSV file, the row of a sheet', 'CSV 文件的行，或工作表的行')),
  column: z.string().describe(described('Empty: the whole row', '空：整行')),
  value: z.string(),
  ...reasonShape,
});
const changedValue = z.object({ field: z.string(), before: z.string(), after: z.string() });
/** Choices about the file, for the import of any list. */
export const importChoices = {
  encoding: z
    .enum(csvEncodings)
    .optional()
    .describe(
      described(
        'Of a CSV file without a byte order mark; else as it is found',
        '没有字节顺序标记的 CSV 文件的编码；缺省为识别出的编码',
      ),
    ),
  sheet: z
    .string()
    .max(100)
    .optional()
    .describe(
      described(
        'Of a workbook: the visible sheet of this name; else the first one',
        '工作簿中可见工作表的名称；缺省为第一个可见工作表',
      ),
    ),
};
/** Of a list that may have any columns. */
export const columnsQuery = z
  .string()
  .regex(columnChoicePattern)
  .transform(columnChoiceIn)
  .optional()
  .describe(
    described(
      'What the columns are, by field, from 1, such as employee_num=1,name=3; 0: none. Others are guessed from the header',
      '各字段所在的列，从 1 起，如 employee_num=1,name=3；0 表示没有。其余按表头识别',
    ),
  );
export const importReport = z.object({
  dry_run: z.boolean(),
  rows: z.number(),
  wrong: z
    .number()
    .describe(
      described('How many are wrong; `problems` lists the first of them', '有错误的行数；`problems` 列出其中最前面的'),
    ),
  problems: z.array(remark),
  warnings: z
    .array(remark)
    .describe(described('What may be a mistake; it is imported all the same', '可能的错误；仍会导入')),
  added: z.number(),
  changed: z.number(),
  same: z.number(),
  changes: z
    .array(
      z.object({
        action: z.string(),
        key: z.string(),
        line: z.number(),
        name: z.string().describe(described('As it is after the import', '导入之后的值')),
        values: z.array(changedValue).describe(described('Of a change: what differs', '更改时：不同之处')),
      }),
    )
    .describe(described('The first of them', '其中最前面的')),
  encoding: z
    .object({
      name: z.string(),
      certain: z
        .boolean()
        .describe(
          described(
            'Not: a guess. It is good for a dry run; to import, name the encoding',
            'false：只是推测，只能用于试运行；导入时必须指定编码',
          ),
        ),
      samples: z
        .array(z.string())
        .describe(described('Some cells beyond ASCII, names first', '若干含非 ASCII 字符的单元格，姓名在前')),
    })
    .nullable()
    .describe(described('Null: no CSV', 'null：不是 CSV')),
  sheet: z
    .string()
    .nullable()
    .describe(described('The sheet that was read; null: no workbook', '读取的工作表；null：不是工作簿')),
  sheets: z.array(z.string()).describe(described('Its visible sheets', '其中可见的工作表')),
  columns: z
    .array(
      z.object({
        title: z.string(),
        field: z.string().nullable().describe(described('Null: not read', 'null：不导入')),
        samples: z.array(z.string()).describe(described('Its first cells', '最前面的几格')),
      }),
    )
    .describe(described('Of the file, in order; none where they cannot be chosen', '文件的列，按顺序；不能指定时为空')),
  departments: z
    .array(z.string())
    .describe(described('Departments that people bring with them, by path', '因人员而新建的部门，按路径列出')),
  past: daysChanged
    .optional()
    .describe(
      described(
        'What moves that the list dates before today change in days that are over; absent: it has none',
        '列表中早于今天的调动会改变哪些过去的日期；缺省：没有此类调动',
      ),
    ),
});
export type ImportReport = Report<typeof importReport>;

/** How the file was read, for the report. */
export const fileFacts = ({ encoding, sheet, sheets, columns }: FileReading) => ({
  encoding: encoding && { name: encoding.name, certain: encoding.isCertain, samples: [...encoding.samples] },
  sheet,
  sheets: [...sheets],
  columns: columns.map(({ title, field, samples }) => ({ title, field, samples: [...samples] })),
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
