import { z } from '@hono/zod-openapi';
import { type ReportsThread, reportLanguage } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Log } from '../../runtime/log.ts';
import { monthBoundsOf } from '../../runtime/wall-time.ts';
import type { DirectoryStore } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { boxOfDevices, devicesChosen } from '../box-of-devices.ts';
import { byCommand, fileOperation, type Running } from '../operation.ts';
import { monthText } from '../people-shapes.ts';
import { reportTypes, separatorChoice, separatorOf } from '../report-file.ts';

export const reportOperations = {
  month: fileOperation({
    method: 'get',
    path: '/reports/{file}',
    role: 'viewer',
    ofWholeTables: true,
    audited: described('exported a report', '导出报表'),
    summary: described(
      'The check-ins of a month for a spreadsheet, in the language and the clock of the site',
      '一个月的打卡表格，使用站点的语言和时区',
    ),
    params: z.object({ file: z.enum(['checkins.csv', 'checkins.xlsx']) }),
    query: z.object({
      month: monthText,
      department: z.string().max(64).optional(),
      person: z.string().max(64).optional(),
      box: boxOfDevices.optional(),
      separator: separatorChoice,
    }),
    returns: described('The file', '文件'),
    files: { [reportTypes.csv]: z.string(), [reportTypes.xlsx]: z.string().openapi({ format: 'binary' }) },
  }),
};

/** The same files as `gatehouse export --format csv` and `xlsx` make, written as they are read. */
export const monthRecords = ({
  store: { directory },
  reports,
  config,
  log,
}: {
  readonly store: DirectoryStore;
  readonly reports: Pick<ReportsThread, 'records'>;
  readonly config: Pick<Config, 'site'>;
  readonly log: Log;
}): Running<typeof reportOperations> => ({
  async month({ file, month, department, person, box, separator }, call = byCommand) {
    const { timezone: timeZone, locale } = config.site;
    const { from, to } = monthBoundsOf(month, timeZone)!;
    const format = file === 'checkins.csv' ? 'csv' : 'xlsx';
    const asked = {
      ...{ what: 'checkins' as const, from: from * 1000, to: to * 1000 },
      ...{ department: department || undefined, person: person || undefined, ...devicesChosen(directory, box) },
    };
    const made = {
      ...{ what: 'checkins' as const, language: reportLanguage(locale), timeZone },
      separator: format === 'csv' ? separatorOf(separator, locale) : null,
    };
    // An export of everybody's times is written to the audit log.
    const of = { department: department ?? '', who: person ?? '', box: box ?? '' };
    call.subject(auditSubjects.say('checkins_of_month', { month, ...of }));
    return {
      type: reportTypes[format],
      headers: {
        'Content-Disposition': `attachment; filename="checkins-${month}.${format}"`,
        'Cache-Control': 'no-store',
      },
      body: reports.records(month, { asked, file: made }, call.signal),
      onCut: error => log.warn({ error: error.message }, 'report_not_written'),
    };
  },
});
