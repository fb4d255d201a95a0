import type { Language } from '../../platform/clock-text.ts';
import type { WallTime } from '../../runtime/wall-time.ts';
import type { Period, PeriodChange } from '../../store/index.ts';
import type { ClosingFoot } from '../months/closing-outcome.ts';
import type { DayInShort } from '../months/day-differences.ts';
import type { InTheWayName } from '../months/in-the-way.ts';
import { dayStates } from './month-report-words.ts';
import type { WorkbookCell, WorkbookSheet } from './workbook.ts';

/** Sheet on closed months in a file for payroll. */

interface Words {
  readonly open: string;
  readonly partly: (count: number) => string;
  readonly closed: (scope: string, revision: number) => string;
  readonly all: string;
  readonly closedAt: string;
  readonly by: (time: string, account: string) => string;
  readonly hash: string;
  readonly forced: string;
  readonly inTheWay: string;
  readonly what: Readonly<Record<InTheWayName, string>>;
  readonly late: string;
  readonly revised: string;
  readonly sheet: string;
  readonly columns: readonly [string, string, string, string, string, string, string];
  readonly kinds: Readonly<Record<PeriodChange['kind'], string>>;
  readonly nothing: string;
  readonly minutes: (name: 'worked' | 'late' | 'early' | 'overtime' | 'leave', minutes: number) => string;
}

const figures = {
  'zh-CN': { worked: '出勤', late: '迟到', early: '早退', overtime: '加班', leave: '请假' },
  en: { worked: 'worked', late: 'late', early: 'left early', overtime: 'overtime', leave: 'leave' },
} as const;

const words: Readonly<Record<Language, Words>> = {
  'zh-CN': {
    open: '未封存',
    partly: count => `部分封存：有 ${count} 人未封存`,
    closed: (scope, revision) => `已封存，${scope}，第 ${revision} 版`,
    all: '全部人员',
    closedAt: '封存时间',
    by: (time, account) => `${time}，${account}`,
    hash: '封存校验值（SHA-256）',
    forced: '强制封存原因',
    inTheWay: '封存时待处理',
    what: {
      days_to_come: '未到的工作日',
      days_not_known: '待定的工作日',
      missing_checkins: '缺卡天数',
      absences: '旷工天数',
      corrections: '待审批的考勤调整',
      leaves: '待审批的请假',
      unknown_checkins: '未匹配人员的打卡',
    },
    late: '封存后的变动（天）',
    revised: '与上一版相比的变动（天）',
    sheet: '变动',
    columns: ['类别', '姓名', '人员编号', '日期', '原结果', '新结果', '发现时间'],
    kinds: { late: '封存后', revision: '与上一版相比' },
    nothing: '封存时无此记录',
    minutes: (name, minutes) => `${figures['zh-CN'][name]} ${minutes} 分钟`,
  },
  en: {
    open: 'not closed',
    partly: count => `closed in part: ${count} ${count === 1 ? 'person is' : 'people are'} not closed`,
    closed: (scope, revision) => `closed, ${scope}, revision ${revision}`,
    all: 'all employees',
    closedAt: 'Closed at',
    by: (time, account) => `${time} by ${account}`,
    hash: 'Closing hash (SHA-256)',
    forced: 'Closed early',
    inTheWay: 'Unsettled at closing',
    what: {
      days_to_come: 'workdays not ended',
      days_not_known: 'workdays pending',
      missing_checkins: 'days with a missing check-in',
      absences: 'absences',
      corrections: 'corrections awaiting approval',
      leaves: 'leaves awaiting approval',
      unknown_checkins: 'check-ins from unknown IDs',
    },
    late: 'Changes since closing (days)',
    revised: 'Changes since the previous revision (days)',
    sheet: 'Changes',
    columns: ['Kind', 'Name', 'Employee ID', 'Date', 'Before', 'After', 'Noticed at'],
    kinds: { late: 'since closing', revision: 'since the previous revision' },
    nothing: 'not included',
    minutes: (name, minutes) => `${figures.en[name]} ${minutes} min`,
  },
};

/** `text` writes unix seconds as the site's clock shows them. */
type Times = Pick<WallTime, 'text'>;

/** People of a file by the closing that their figures come from. */
export class ClosedPeople {
  readonly #seen = new Set<number>();
  #open = 0;

  take(periodId: number | null): void {
    if (periodId === null) this.#open++;
    else this.#seen.add(periodId);
  }

  state(language: Language): string {
    const word = words[language];
    if (this.#seen.size === 0) return word.open;
    return this.#open === 0 ? '' : word.partly(this.#open);
  }

  /** The lines of the sheet that says what the file is about. */
  rows(language: Language, label: string, closings: readonly Period[], times: Times): [string, WorkbookCell][] {
    const state = this.state(language);
    const ours = closings.filter(({ id }) => this.#seen.has(id));
    return [...(state === '' ? [] : [[label, state] as [string, WorkbookCell]]), ...ours.flatMap(closingRows)];

    function closingRows(period: Period): [string, WorkbookCell][] {
      const word = words[language];
      const { scopeName, scopeId, revision, closedAt, closedBy, hash, forced, late, revised, rules, timeZone } = period;
      const foot = JSON.parse(period.foot) as ClosingFoot;
      const waits = foot.in_the_way.map(({ what, count }) => `${word.what[what as InTheWayName]}: ${count}`);
      const scope = scopeId === '' ? word.all : scopeName || scopeId;
      return [
        [label, `${word.closed(scope, revision)} (${rules}, ${timeZone})`],
        [word.closedAt, word.by(times.text(Math.floor(closedAt / 1000)), closedBy)],
        [word.hash, hash],
        ...(forced === null ? [] : ([[word.forced, forced]] as [string, WorkbookCell][])),
        ...(waits.length === 0 ? [] : ([[word.inTheWay, waits.join('; ')]] as [string, WorkbookCell][])),
        [word.late, late],
        ...(revision === 1 ? [] : ([[word.revised, revised]] as [string, WorkbookCell][])),
      ];
    }
  }
}

const dayText = (language: Language, day: DayInShort | null, times: Times): string => {
  const word = words[language];
  if (day === null) return word.nothing;
  const clock = (at: number | null): string => (at === null ? '–' : times.text(at).replace(/^.* (..:..):../, '$1'));
  const spans = day.times.map(({ in: start, out }) => `${clock(start)}–${clock(out)}`);
  const minutes = (['worked', 'late', 'early', 'overtime', 'leave'] as const)
    .filter(name => name === 'worked' || day[name] > 0)
    .map(name => word.minutes(name, day[name]));
  return [dayStates[language][day.state], ...spans, ...minutes].join(', ');
};

/** Before and after, a line for each day of the people of the file. */
export function changesSheet(
  language: Language,
  times: Times,
  changes: () => AsyncIterable<readonly PeriodChange[]>,
  isOurs: (extId: string) => boolean,
): WorkbookSheet {
  const word = words[language];
  const widths = [22, 16, 16, 12, 50, 50, 20];
  const dayOf = (json: string | null) => (json === null ? null : (JSON.parse(json) as DayInShort));
  return {
    name: word.sheet,
    columns: word.columns.map((header, index) => ({ header, width: widths[index]! })),
    async *rows() {
      for await (const page of changes())
        for (const { kind, name, extId, date, was, now, noticedAt } of page.filter(one => isOurs(one.extId)))
          yield [
            ...[word.kinds[kind], name, extId, date],
            ...[dayText(language, dayOf(was), times), dayText(language, dayOf(now), times)],
            times.text(Math.floor(noticedAt / 1000)),
          ];
    },
  };
}
