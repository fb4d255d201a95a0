import { z } from '@hono/zod-openapi';
import {
  type MonthClosings,
  monthColumns,
  monthDates,
  monthHeaders,
  type ReportsThread,
  reportLanguage,
  usualMonthColumns,
} from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { programVersion } from '../../runtime/version.ts';
import { wallTime } from '../../runtime/wall-time.ts';
import type {
  DeviceReads,
  DirectoryStore,
  PayrollReads,
  PayrollWrites,
  Period,
  PeriodReads,
  ReadPart,
  WritePart,
} from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { wrongClockNames } from '../clock.ts';
import { byCommand, fileOperation, operation, type Report, type Running } from '../operation.ts';
import { monthText } from '../people-shapes.ts';
import { reportTypes, separatorChoice, separatorOf } from '../report-file.ts';

const closingsMax = 500;
const isInForce = ({ state }: Period): boolean => state !== 'reopened';

const column = z.enum(monthColumns);
const columnsReport = z.object({
  all: z.array(z.object({ name: column, header: z.string() })),
  chosen: z.array(column),
});
export type MonthColumns = Report<typeof columnsReport>;

export const monthReportOperations = {
  file: fileOperation({
    method: 'get',
    path: '/reports/month/{file}',
    role: 'viewer',
    ofWholeTables: true,
    audited: described('exported the month for payroll', '导出月度汇总'),
    summary: described(
      'The month for payroll: the sums of each person; in the workbook also every check-in, and what the file is about',
      '月度汇总：每人的合计；工作簿中还有每次打卡和说明',
    ),
    params: z.object({ file: z.enum(['month.csv', 'month.xlsx']) }),
    query: z.object({
      month: monthText,
      department: z.string().max(64).optional(),
      person: z.string().max(64).optional(),
      separator: separatorChoice,
    }),
    returns: described('The file', '文件'),
    files: { [reportTypes.csv]: z.string(), [reportTypes.xlsx]: z.string().openapi({ format: 'binary' }) },
  }),
  columns: operation({
    method: 'get',
    path: '/attendance/month/columns',
    role: 'viewer',
    summary: described(
      'The columns that the month for payroll can have, and those that the site has chosen',
      '月度汇总可选的列，以及站点选定的列',
    ),
    returns: described('The columns', '列'),
    answer: columnsReport,
  }),
  choose: operation({
    method: 'put',
    path: '/attendance/month/columns',
    role: 'staff',
    audited: described('chose the columns of the month for payroll', '选择月度汇总的列'),
    summary: described('Chooses the columns of the month for payroll, for the site', '为站点选择月度汇总的列'),
    body: z.strictObject({ columns: z.array(column).min(1).max(monthColumns.length) }),
    returns: described('The columns', '列'),
    answer: columnsReport,
  }),
};

/** The month as it is handed to payroll. */
export function monthReports({
  store,
  clock,
  config,
  reports,
  closings: months,
  log,
}: {
  readonly store: ReadPart<DeviceReads & PayrollReads & PeriodReads> & WritePart<PayrollWrites> & DirectoryStore;
  readonly clock: Clock;
  readonly config: Pick<Config, 'site'>;
  readonly reports: Pick<ReportsThread, 'month'>;
  readonly closings: Pick<MonthClosings, 'noteLateOf'>;
  readonly log: Log;
}): Running<typeof monthReportOperations> {
  const { site } = config;
  const chosen = async () => {
    const kept = await store.read.monthColumns();
    const known = monthColumns.filter(name => kept?.includes(name));
    return known.length === 0 ? usualMonthColumns : known;
  };
  const columnsOf = async (): Promise<MonthColumns> => ({
    all: monthColumns.map(name => ({ name, header: monthHeaders[reportLanguage(site.locale)][name] })),
    chosen: [...(await chosen())],
  });
  /** With the late changes as of now. */
  const closingsOf = async (month: string, signal: AbortSignal | undefined): Promise<Period[]> => {
    const inForce = async () => (await store.read.periods({ month, limit: closingsMax })).filter(isInForce);
    for (const period of await inForce()) await months.noteLateOf(period, signal);
    return inForce();
  };

  return {
    columns: () => columnsOf(),
    async choose({ columns }, call = byCommand) {
      await store.write.keepMonthColumns({ columns });
      call.subject(auditSubjects.say('month_columns', { columns: columns.join(', ') }));
      return columnsOf();
    },

    async file({ file, month, department, person, separator }, call = byCommand) {
      const format = file === 'month.csv' ? 'csv' : 'xlsx';
      const report = {
        query: { ...monthDates(month), departmentExtId: department || undefined, extId: person || undefined },
        separator: format === 'csv' ? separatorOf(separator, site.locale) : null,
        columns: await chosen(),
        language: reportLanguage(site.locale),
        timeZone: site.timezone,
        siteName: site.name,
        closings: await closingsOf(month, call.signal),
        about: {
          site: site.name,
          scope: department || person || null,
          month,
          madeAt: wallTime(site.timezone).text(Math.floor(clock.now() / 1000)),
          madeBy: call.caller.actor,
          upToRecord: call.upToRecord ?? null,
          rules: programVersion,
          wrongClocks: await wrongClockNames(store),
        },
      };
      // An export of everybody's times is written to the audit log.
      call.subject(auditSubjects.say('month', { month, department: department ?? '', who: person ?? '' }));
      return {
        type: reportTypes[format],
        headers: {
          'Content-Disposition': `attachment; filename="month-${month}.${format}"`,
          'Cache-Control': 'no-store',
        },
        body: reports.month(report, call.signal),
        onCut: error => log.warn({ error: error.message }, 'payroll_month_not_written'),
      };
    },
  };
}
