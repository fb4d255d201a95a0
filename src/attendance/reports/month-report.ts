import { clockText, type Language, spanText } from '../../platform/clock-text.ts';
import { clockWords, lateSeconds } from '../../platform/device-clock.ts';
import { bothShiftsWords, unplacedWords } from '../../platform/punch-words.ts';
import { typeWords } from '../../platform/record-words.ts';
import { byteOrderMark, type CsvSeparator, csvLine, harmless, rawCsvLine, textCell } from '../../runtime/csv.ts';
import { wallTime } from '../../runtime/wall-time.ts';
import type { CorrectionReads, DeviceNo, Period, PeriodChange, PeriodReads, ReadPart } from '../../store/index.ts';
import type { PersonResults } from '../schedules/person-results.ts';
import type { DayResult, PunchUse } from '../schedules/result.ts';
import type { ResultsQuery } from '../schedules/results-query.ts';
import { ClosedPeople, changesSheet } from './closing-sheet.ts';
import { sourceWords, yesWords } from './columns.ts';
import {
  aboutLabels,
  aboutWords,
  dayKinds,
  dayStates,
  type MonthColumn,
  monthHeaders,
  type PunchHeader,
  punchHeaders,
  punchRoleWords,
  sheetNames,
} from './month-report-words.ts';
import { idWidth, type WorkbookCell, type WorkbookSheet, workbook } from './workbook.ts';

/** The month as it is handed to payroll, as it is asked for. */
export interface MonthAsked {
  readonly query: Pick<ResultsQuery, 'from' | 'to' | 'departmentExtId' | 'extId'>;
  /** Of CSV; null: a workbook. */
  readonly separator: CsvSeparator | null;
  readonly columns: readonly MonthColumn[];
  readonly language: Language;
  readonly timeZone: string;
  readonly about: {
    readonly site: string;
    /** Scope; null for everybody. */
    readonly scope: string | null;
    /** `2026-11`. */
    readonly month: string;
    readonly madeAt: string;
    readonly madeBy: string;
    /** Number of the last record that the month holds for certain; null: not known. */
    readonly upToRecord: number | null;
    readonly rules: string;
    /** Names of devices. */
    readonly wrongClocks: readonly string[];
  };
  /** Closings of the month that are in force. */
  readonly closings: readonly Period[];
  /** In place of a department without a name. */
  readonly siteName: string;
}

/** The same with what is read for it. */
interface MonthReport extends MonthAsked {
  /** Read once, from its first person to its last. */
  readonly people: AsyncIterable<PersonResults>;
  /** Differences of the month from its closing, and of revisions from those before them. */
  changes(): AsyncIterable<readonly PeriodChange[]>;
  /** Why the check-ins of a person were corrected, by the number of the correction. */
  reasonsOf(extId: string): Promise<ReadonlyMap<number, string>>;
  deviceName(deviceNo: DeviceNo): string;
}

/** Of one person. */
const correctionsMax = 10_000;
/** Of one closing. */
const changesMax = 20_000;

export const monthReport = (
  asked: MonthAsked,
  { read, ...parts }: ReadPart<CorrectionReads & PeriodReads> & Pick<MonthReport, 'people' | 'deviceName'>,
): MonthReport => ({
  ...asked,
  ...parts,
  async *changes() {
    for (const { id } of asked.closings)
      for (const kind of ['late', 'revision'] as const) yield await read.periodChanges({ id, kind, limit: changesMax });
  },
  async reasonsOf(extId) {
    const rows = await read.corrections({ extIds: [extId], limit: correctionsMax });
    return new Map(rows.map(({ id, reason }) => [id, reason]));
  },
});

const summaryRow = (
  { person, sums: { days, counts, minutes }, closed }: PersonResults,
  siteName: string,
): Readonly<Record<MonthColumn, string | number>> => ({
  employee_num: person.employeeNum,
  name: person.name,
  department: person.department || siteName,
  ext_id: person.extId,
  days_planned: days.planned,
  days_worked: days.worked,
  days_absent: days.absent,
  days_leave: days.leave,
  days_not_known: days.notKnown,
  planned: minutes.planned,
  worked: minutes.worked,
  late_count: counts.late,
  late: minutes.late,
  early_count: counts.early,
  early: minutes.early,
  missing_in: counts.missingIn,
  missing_out: counts.missingOut,
  overtime_workday: minutes.overtimeWorkday,
  overtime_rest: minutes.overtimeRest,
  overtime_holiday: minutes.overtimeHoliday,
  leave: minutes.leave,
  corrected: counts.corrected,
  unplaced: counts.unplaced,
  revision: closed?.revision ?? '',
});

/** The sums as CSV: byte order mark, header, no formula, text that stays text. */
export async function* monthCsv(
  { people, columns, language, siteName }: MonthReport,
  separator: CsvSeparator,
): AsyncGenerator<string> {
  yield byteOrderMark +
    csvLine(
      columns.map(name => monthHeaders[language][name]),
      separator,
    );
  for await (const one of people) {
    const row = summaryRow(one, siteName);
    const cells = columns.map(name => {
      const value = row[name];
      return typeof value === 'number' ? String(value) : textCell(harmless(value));
    });
    yield rawCsvLine(cells, separator);
  }
}

const isText = (name: MonthColumn): boolean =>
  name === 'employee_num' || name === 'name' || name === 'department' || name === 'ext_id';

const isId = (name: MonthColumn): boolean => name === 'employee_num' || name === 'ext_id';

const noReasons: ReadonlyMap<number, string> = new Map();

/**
 * A workbook: the sums of each person, every check-in, and what the file is about. The people are
 * read for the check-ins; what the sums need of each is kept until then.
 */
export function monthXlsx(report: MonthReport): AsyncGenerator<Uint8Array> {
  const { people, columns, language, siteName } = report;
  const sums: (string | number)[][] = [];
  const corrections = new Set<number>();
  const closed = new ClosedPeople();
  const listed = new Set<string>();
  const summary: WorkbookSheet = {
    name: sheetNames[language].summary,
    columns: columns.map(name => ({
      header: monthHeaders[language][name],
      width: isId(name) ? idWidth : isText(name) ? 16 : 12,
    })),
    rows: () => sums,
  };
  const cells = punchColumns(report);
  const punches: WorkbookSheet = {
    name: sheetNames[language].punches,
    columns: cells,
    async *rows() {
      for await (const one of people) {
        const row = summaryRow(one, siteName);
        sums.push(columns.map(name => row[name]));
        closed.take(one.closed?.periodId ?? null);
        if (report.about.scope !== null) listed.add(one.person.extId);
        const isCorrected = one.days.some(day => day.punches.some(use => use.punch.correctionId !== null));
        const reasons = isCorrected ? await reasonsOf(report, one) : noReasons;
        for (const day of one.days)
          for (const use of day.punches) {
            if (use.punch.correctionId !== null) corrections.add(use.punch.correctionId);
            yield cells.map(({ cell }) => cell({ one, day, use, reasons }));
          }
      }
    },
  };
  const about: WorkbookSheet = {
    name: sheetNames[language].about,
    columns: [
      { header: aboutLabels[language].site, width: 30 },
      { header: report.about.site, width: 50 },
    ],
    rows: () => aboutRows(report, corrections.size, closed),
  };
  const sheets = [summary, punches, about];
  if (!report.closings.some(({ late, revised }) => late + revised > 0)) return workbook(sheets, [1, 0, 2]);
  const changes = changesSheet(
    ...([language, wallTime(report.timeZone)] as const),
    () => report.changes(),
    extId => report.about.scope === null || listed.has(extId),
  );
  return workbook([...sheets, changes], [1, 0, 2, 3]);
}

/** Of a closed month those that were closed: the person may have been deleted since. */
const reasonsOf = async (report: MonthReport, { person, closed }: PersonResults): Promise<typeof noReasons> =>
  closed ? new Map(closed.corrections.map(({ id, reason }) => [id, reason])) : report.reasonsOf(person.extId);

interface PunchRow {
  readonly one: PersonResults;
  readonly day: DayResult;
  readonly use: PunchUse;
  readonly reasons: ReadonlyMap<number, string>;
}

interface PunchColumn {
  readonly header: string;
  readonly width: number;
  readonly cell: (row: PunchRow) => WorkbookCell;
}

function punchColumns(report: MonthReport): PunchColumn[] {
  const { language, siteName, deviceName, timeZone } = report;
  const times = wallTime(timeZone);
  const column = (name: PunchHeader, width: number, cell: PunchColumn['cell']): PunchColumn => ({
    header: punchHeaders[language][name],
    width,
    cell,
  });
  const ofPerson = (name: 'employee_num' | 'name' | 'department', cell: PunchColumn['cell']): PunchColumn => ({
    header: monthHeaders[language][name],
    width: name === 'employee_num' ? idWidth : 14,
    cell,
  });
  return [
    ofPerson('employee_num', ({ one }) => one.person.employeeNum),
    ofPerson('name', ({ one }) => one.person.name),
    ofPerson('department', ({ one }) => one.person.department || siteName),
    column('work_date', 12, ({ day }) => day.date),
    column('day', 12, ({ day }) => dayKinds[language][day.kind]),
    column('result', 14, ({ day }) => dayStates[language][day.state]),
    column('shift', 10, ({ day, use }) =>
      use.segment === null ? null : (day.segments[use.segment]?.shift ?? day.shift),
    ),
    column('time_text', 20, ({ use }) => times.text(use.punch.at)),
    column('time', 20, ({ use }) => times.cell(use.punch.at)),
    column('role', 12, ({ use }) => punchRoleWords[language][use.role]),
    column('why', 24, ({ day, use }) => noteOf(language, day, use)),
    column('type', 12, ({ use }) => typeWords(language, use.punch.checkType)),
    column('device', 18, ({ use }) => deviceName(use.punch.deviceNo)),
    column('source', 10, ({ use }) => sourceWords[language][use.punch.source]),
    column('set_aside', 10, ({ use }) => (use.punch.isSetAside ? yesWords[language] : null)),
    column('moved', 12, ({ use }) => (use.punch.workDate ? yesWords[language] : null)),
    column('reason', 24, ({ use, reasons }) =>
      use.punch.correctionId === null ? null : (reasons.get(use.punch.correctionId) ?? null),
    ),
    column('late', 14, ({ use: { punch } }) => {
      const late = lateSeconds(punch);
      return late === null ? null : spanText(language, late);
    }),
    column('clock', 24, ({ use: { punch } }) =>
      punch.source === 'device' ? clockText(language, clockWords(punch.clock)) : null,
    ),
    column('id', 12, ({ use }) => String(use.punch.id)),
  ];
}

function noteOf(language: Language, day: DayResult, use: PunchUse): string | null {
  const spoken = language === 'zh-CN' ? 'zh' : 'en';
  const parts = [
    use.reason === null ? '' : unplacedWords[spoken][use.reason](use.minutes ?? 0),
    (use.role === 'in' || use.role === 'out') &&
    use.segment !== null &&
    day.segments[use.segment]?.flags.some(({ flag }) => flag === 'one_punch_for_both')
      ? bothShiftsWords[spoken]
      : '',
  ].filter(part => part !== '');
  return parts.length === 0 ? null : parts.join('; ');
}

function aboutRows(
  { language, timeZone, about, closings }: MonthReport,
  corrections: number,
  closed: ClosedPeople,
): [string, WorkbookCell][] {
  const label = aboutLabels[language];
  const word = aboutWords[language];
  return [
    [label.scope, about.scope ?? word.all],
    [label.month, about.month],
    ...closed.rows(language, label.state, closings, wallTime(timeZone)),
    [label.made_at, about.madeAt],
    [label.made_by, about.madeBy],
    ...(about.upToRecord === null ? [] : ([[label.up_to, about.upToRecord]] as [string, WorkbookCell][])),
    [label.zone, timeZone],
    [label.rules, about.rules],
    [label.corrections, corrections],
    [label.clocks, about.wrongClocks.join(', ') || word.none],
    [label.units, word.minutes],
  ];
}
