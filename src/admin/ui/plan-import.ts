import { z } from '@hono/zod-openapi';
import {
  type ImportChoices,
  importBytesMax,
  importRowsMax,
  listTemplate,
  readListInThread,
} from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import { sitePlanKeys } from '../../platform/site-plans.ts';
import { separatorIn } from '../../runtime/csv.ts';
import type { ReadPart, SiteReads } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { importList } from '../import-organization.ts';
import { byCommand, fileOperation, operation, type Running } from '../operation.ts';
import { monthText } from '../people-shapes.ts';
import type { BoxAdmin } from '../port.ts';
import { reportTypes } from '../report-file.ts';
import { fileFacts, type ImportSlot, importChoices, importReport, problemsMax, shown } from './import-report.ts';
import { type HeldPlans, heldPlans, planValues, resolvedPlans } from './plan-import-names.ts';

const what = z.enum(['shifts', 'rosters']);

export const planImportOperations = {
  take: operation({
    method: 'post',
    path: '/schedules/import',
    role: 'staff',
    audited: described('imported shifts or rosters', '导入班次或排班'),
    summary: described(
      `Takes shifts, or who works which, from a CSV or XLSX file of at most ${importBytesMax >> 20} MiB and ${importRowsMax} rows, the body: all of it or nothing`,
      `从 CSV 或 XLSX 文件（最大 ${importBytesMax >> 20} MiB、${importRowsMax} 行）导入班次或排班；全部成功或全部不变`,
    ),
    query: z.object({
      what,
      dry_run: z.enum(['true', 'false']).default('false'),
      month: monthText
        .optional()
        .describe(
          described('Of columns that are called by days alone, such as 1 to 31', '只以日为表头的列，例如 1 到 31'),
        ),
      ...importChoices,
    }),
    upload: { bytesMax: importBytesMax },
    returns: described(
      'What is wrong, by line, and what was changed or would be, with old and new values',
      '按行列出的错误，以及已更改或将更改的内容，含新旧值',
    ),
    answer: importReport,
    failures: { 409: described('Another file is being read', '正在读取另一个文件') },
  }),
  template: fileOperation({
    method: 'get',
    path: '/schedules/import/{file}',
    role: 'staff',
    summary: described(
      'An empty list to fill in, with headers in one language; the import reads both',
      '用于填写的空白名单，表头为一种语言；导入时两种语言都可识别',
    ),
    params: z.object({ file: z.enum(['template.csv', 'template.xlsx']) }),
    query: z.object({
      what,
      month: monthText
        .optional()
        .describe(
          described(
            'Of rosters: a row for each person, a column for each day of the month',
            '排班表：每人一行，当月每天一列',
          ),
        ),
      language: z.enum(['en', 'zh-CN']).default('en'),
    }),
    returns: described('The file', '文件'),
    files: { [reportTypes.csv]: z.string(), [reportTypes.xlsx]: z.string().openapi({ format: 'binary' }) },
  }),
};

/** Imports shifts and rosters. Who is the authority of the organization does not matter. */
export function planImport({
  admin,
  config,
  store,
  slot,
}: {
  readonly config: Pick<Config, 'site'>;
  readonly admin: Pick<BoxAdmin, 'apply'>;
  readonly store: ReadPart<SiteReads>;
  readonly slot: ImportSlot;
}): Running<typeof planImportOperations> {
  const take = (kind: z.output<typeof what>, bytes: Uint8Array, choices: ImportChoices, dryRun: boolean) =>
    slot.take(async () => {
      const read = await readListInThread(kind, bytes, { ...choices, locale: config.site.locale });
      // As it was before anything is changed, so that the answer can say what the rows held.
      const held = heldPlans(await store.read.site({ withSecrets: false }));
      const list = resolvedPlans(read, held);
      const looked = await importList(admin, kind, list, true);
      const outcome = dryRun || looked.problems.length > 0 ? looked : await importList(admin, kind, list, false);
      return { ...outcome, held };
    });

  return {
    async take({ what: kind, dry_run, month, encoding, sheet }, call = byCommand) {
      const dryRun = dry_run === 'true';
      const bytes = (await call.upload?.whole()) ?? new Uint8Array();
      const outcome = await take(kind, bytes, { month, encoding, sheet }, dryRun);
      const { rows, fine, problems, warnings, changes, items, held } = outcome;
      const count = (action: string) => changes.filter(change => change.action === action).length;
      const isDone = !dryRun && problems.length === 0;
      call.subject(
        isDone
          ? auditSubjects.say('entries_changed', { list: kind, changed: changes.length, entries: rows })
          : auditSubjects.say('looked_at_only', { list: kind }),
      );
      const listed = new Map(items.map(one => [keyOf(one), one]));
      return {
        dry_run: !isDone,
        rows,
        wrong: problems.length,
        problems: problems.slice(0, problemsMax),
        warnings: warnings.slice(0, problemsMax),
        added: count('add'),
        changed: count('change'),
        same: Math.max(0, fine - changes.length),
        changes: shown(changes).map(change => {
          const found = listed.get(`${change.section} ${change.key}`);
          return {
            action: change.action,
            key: change.key,
            line: found?.line ?? 0,
            ...planValues(change, found?.item, held),
          };
        }),
        departments: [],
        ...fileFacts(outcome.file),
      };
    },

    async template({ file, what: kind, month, language }) {
      const format = file === 'template.csv' ? 'csv' : 'xlsx';
      return {
        type: reportTypes[format],
        headers: { 'Content-Disposition': `attachment; filename="${kind}${month ? `-${month}` : ''}.${format}"` },
        body: listTemplate(kind, format, language, { month, separator: separatorIn(config.site.locale) }),
      };
    },
  };
}

const keyOf = ({ section = 'shifts', item }: { readonly section?: keyof HeldPlans['plans']; readonly item: object }) =>
  `${section} ${sitePlanKeys[section](item as never)}`;
