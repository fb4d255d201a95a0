import { z } from '@hono/zod-openapi';
import {
  type Attendance,
  type AttendanceResults,
  type ImportChoices,
  importBytesMax,
  importRowsMax,
  listTemplate,
  readListInThread,
} from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { separatorIn } from '../../runtime/csv.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { PeopleReads, ScheduleReads, SiteReads } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { listErrors } from '../../words/lists.ts';
import { importList } from '../import-organization.ts';
import { resolvedPeople } from '../import-people.ts';
import { byCommand, fileOperation, operation, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { refused } from '../problem.ts';
import { reportTypes } from '../report-file.ts';
import { changedByMoves } from './import-moves.ts';
import { changedValues, type HeldRow, heldRows } from './import-preview.ts';
import {
  columnsQuery,
  fileFacts,
  type ImportSlot,
  importChoices,
  importReport,
  problemsMax,
  shown,
} from './import-report.ts';

const what = z.enum(['employees', 'departments']);

export const peopleImportOperations = {
  take: operation({
    method: 'post',
    path: '/people/import',
    role: 'staff',
    audited: described('imported people or departments', '导入人员或部门'),
    summary: described(
      `Takes employees or departments from a CSV or XLSX file of at most ${importBytesMax >> 20} MiB and ${importRowsMax} rows, the body: all of it or nothing`,
      `从请求体中的 CSV 或 XLSX 文件（最大 ${importBytesMax >> 20} MiB、${importRowsMax} 行）导入人员或部门；全部成功或全部不变`,
    ),
    query: z.object({
      what,
      dry_run: z.enum(['true', 'false']).default('false'),
      columns: columnsQuery,
      ...importChoices,
    }),
    upload: { bytesMax: importBytesMax },
    returns: described(
      'What is wrong, by line, and what was changed or would be, with old and new values',
      '按行列出的错误，以及已更改或将更改的内容，含新旧值',
    ),
    answer: importReport,
    failures: {
      409: described('Another file is being read', '正在读取另一个文件'),
      422: described('The cloud is the authority of the organization', '组织以云平台为准'),
    },
  }),
  template: fileOperation({
    method: 'get',
    path: '/people/import/{file}',
    role: 'staff',
    summary: described(
      'An empty list to fill in, with headers in one language; the import reads both',
      '用于填写的空白名单，表头为一种语言；导入时两种语言都可识别',
    ),
    params: z.object({ file: z.enum(['template.csv', 'template.xlsx']) }),
    query: z.object({ what, language: z.enum(['en', 'zh-CN']).default('en') }),
    returns: described('The file', '文件'),
    files: { [reportTypes.csv]: z.string(), [reportTypes.xlsx]: z.string().openapi({ format: 'binary' }) },
  }),
};

export function peopleImport({
  admin,
  attendance,
  config,
  store,
  slot,
  results,
  clock,
}: {
  readonly slot: ImportSlot;
  readonly admin: Pick<BoxAdmin, 'apply'>;
  readonly attendance: Pick<Attendance, 'status'>;
  readonly config: Pick<Config, 'site'>;
  readonly store: {
    readonly read: PeopleReads & SiteReads & Pick<ScheduleReads, 'employments'>;
  };
  readonly results: Pick<AttendanceResults, 'of' | 'withPlans'>;
  readonly clock: Clock;
}): Running<typeof peopleImportOperations> {
  const take = (kind: z.output<typeof what>, bytes: Uint8Array, choices: ImportChoices, dryRun: boolean) =>
    slot.take(async () => {
      // Before anything is changed, so that the first rows of the answer can say what they held.
      const read = await readListInThread(kind, bytes, { ...choices, locale: config.site.locale });
      const list = kind === 'employees' ? resolvedPeople(read, await store.read.site({ withSecrets: false })) : read;
      const looked = await importList(admin, kind, list, true);
      const of = looked.changes.filter(({ section }) => section === kind);
      const held = await heldRows(store.read, kind, shown(of));
      const { day: today } = dayOf(clock.now(), config.site.timezone);
      const past = dryRun ? await changedByMoves({ read: store.read, results, today }, kind, looked) : undefined;
      const outcome = dryRun || looked.problems.length > 0 ? looked : await importList(admin, kind, list, false);
      return { ...outcome, held, past };
    });

  return {
    async take({ what: kind, dry_run, columns, encoding, sheet }, call = byCommand) {
      const dryRun = dry_run === 'true';
      if (attendance.status().authority === 'cloud')
        throw refused(422, 'cloud_is_authority', 'the organization is the cloud’s: import it there');
      const bytes = (await call.upload?.whole()) ?? new Uint8Array();
      const outcome = await take(kind, bytes, { columns, encoding, sheet }, dryRun);
      const { rows, fine, problems, warnings, departments, items, held, past } = outcome;
      const changes = outcome.changes.filter(({ section }) => section === kind);
      const count = (action: string) => changes.filter(change => change.action === action).length;
      const isDone = !dryRun && problems.length === 0;
      call.subject(
        isDone
          ? auditSubjects.say('rows_changed', { list: kind, changed: changes.length, rows })
          : auditSubjects.say('looked_at_only', { list: kind }),
      );
      const listed = new Map(
        items.map(({ line, item }) => [String((item as HeldRow).ext_id), { line, item: item as HeldRow }]),
      );
      const facts = shown(changes).map(({ action, key, fields }) => {
        const row = listed.get(key);
        const after: HeldRow = row?.item ?? {};
        return {
          action,
          key,
          line: row?.line ?? 0,
          name: String(after.name ?? held.get(key)?.name ?? ''),
          values: action === 'change' ? changedValues(fields, held.get(key) ?? {}, after) : [],
        };
      });
      return {
        dry_run: !isDone,
        rows,
        wrong: problems.length,
        problems: problems.slice(0, problemsMax),
        warnings: [
          ...warnings,
          ...facts.flatMap(({ line, values }) =>
            values
              .filter(({ field, before, after }) => field === 'employee_num' && lostZeros(before, after))
              .map(({ field, before, after }) => ({
                line,
                column: field,
                value: after,
                ...listErrors.say('zeros_missing', { before }),
              })),
          ),
        ],
        added: count('add'),
        changed: count('change'),
        same: Math.max(0, fine - changes.length),
        changes: facts,
        departments: departments.slice(0, departmentsMax),
        ...fileFacts(outcome.file),
        ...(past && { past }),
      };
    },

    async template({ file, what: kind, language }) {
      const format = file === 'template.csv' ? 'csv' : 'xlsx';
      return {
        type: reportTypes[format],
        headers: { 'Content-Disposition': `attachment; filename="${kind}.${format}"` },
        body: listTemplate(kind, format, language, { separator: separatorIn(config.site.locale) }),
      };
    },
  };
}

/** Shown in a report. */
const departmentsMax = 1000;

const lostZeros = (before: string, after: string): boolean =>
  before !== after && /^0\d+$/.test(before) && before.replace(/^0+/, '') === after;
