import { sentences } from './sentences.ts';

/** Counts of today; each part that is 0 is left out. */
interface TodayCounts {
  readonly time: string;
  readonly due: number;
  readonly came: number;
  readonly expectedLater: number;
  readonly leave: number;
}

interface TitleFacts {
  readonly site: string;
  readonly day: string;
  readonly due: number;
  readonly absent: number;
}

/** The text of a daily attendance report, which its entry's language chooses. */
interface Said {
  readonly title: (facts: TitleFacts) => string;
  readonly test: (title: string) => string;
  readonly day: (date: Date) => string;
  readonly joint: string;
  readonly today: (counts: TodayCounts) => string;
  readonly nobody: string;
  readonly absent: (names: string) => string;
  readonly offline: (terminals: string) => string;
  readonly before: (day: string, late: number, absent: number, missing: number) => string;
  readonly allWell: (day: string) => string;
  readonly late: (names: string) => string;
  readonly absentBefore: (names: string) => string;
  readonly missing: (names: string) => string;
  readonly named: (name: string, notes: readonly string[]) => string;
  readonly minutes: (minutes: number) => string;
  readonly noPunch: (time: string) => string;
  readonly more: (names: string, named: number, all: number) => string;
  readonly waiting: (corrections: number, leaves: number) => string;
}

const count = (of: number, one: string, many: string): string => `${of} ${of === 1 ? one : many}`;
const parts = (all: readonly string[], joint: string): string => all.filter(part => part !== '').join(joint);
const dayIn = (locale: string, month: 'short' | 'long') => {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month, timeZone: 'UTC' });
  return (date: Date) => format.format(date);
};

export const dailyReportWords: Readonly<Record<'en' | 'zh', Said>> = {
  en: {
    title: ({ site, day, due, absent }) =>
      `[${site}] Attendance, ${day}: ${due === 0 ? 'nobody due yet' : absent === 0 ? `all ${due} present` : `${absent} of ${due} absent`}`,
    test: title => `Test: ${title}`,
    day: dayIn('en-GB', 'short'),
    joint: ', ',
    today: ({ time, due, came, expectedLater, leave }) =>
      parts(
        [
          `At ${time}: ${came} of ${due} scheduled present`,
          expectedLater === 0 ? '' : `${expectedLater} expected later`,
          leave === 0 ? '' : `${leave} on leave`,
        ],
        ' · ',
      ),
    nobody: 'Nobody is scheduled today.',
    absent: names => `Absent: ${names}`,
    offline: terminals => `Offline terminals (check-ins made there are not counted yet): ${terminals}`,
    before: (day, late, absent, missing) =>
      parts(
        [
          `${day}: ${late} late`,
          absent === 0 ? '' : `${absent} absent`,
          missing === 0 ? '' : `${missing} missing check-in`,
        ],
        ' · ',
      ),
    allWell: day => `${day}: nobody late or absent`,
    late: names => `Late: ${names}`,
    absentBefore: names => `Absent: ${names}`,
    missing: names => `Missing check-in: ${names}`,
    named: (name, notes) => (notes.length === 0 ? name : `${name} (${notes.join(', ')})`),
    minutes: minutes => `${minutes} min`,
    noPunch: time => `none at ${time}`,
    more: (names, named, all) => `${names} and ${all - named} more`,
    waiting: (corrections, leaves) =>
      `Pending approval: ${parts(
        [
          corrections === 0 ? '' : count(corrections, 'correction', 'corrections'),
          leaves === 0 ? '' : count(leaves, 'leave request', 'leave requests'),
        ],
        ', ',
      )}`,
  },
  zh: {
    title: ({ site, day, due, absent }) =>
      `【${site}】考勤日报 ${day}：${due === 0 ? '暂无应到人员' : absent === 0 ? `应到 ${due} 人，全部到齐` : `应到 ${due} 人，缺勤 ${absent} 人`}`,
    test: title => `测试：${title}`,
    day: dayIn('zh-CN', 'long'),
    joint: '、',
    today: ({ time, due, came, expectedLater, leave }) =>
      parts(
        [
          `截至 ${time}：应到 ${due} 人，实到 ${came} 人`,
          expectedLater === 0 ? '' : `待上班 ${expectedLater} 人`,
          leave === 0 ? '' : `请假 ${leave} 人`,
        ],
        '，',
      ),
    nobody: '今日无人排班。',
    absent: names => `缺勤：${names}`,
    offline: terminals => `离线终端（其打卡尚未计入）：${terminals}`,
    before: (day, late, absent, missing) =>
      parts(
        [`${day}：迟到 ${late} 人`, absent === 0 ? '' : `缺勤 ${absent} 人`, missing === 0 ? '' : `缺卡 ${missing} 人`],
        '，',
      ),
    allWell: day => `${day}：无人迟到、缺勤`,
    late: names => `迟到：${names}`,
    absentBefore: names => `缺勤：${names}`,
    missing: names => `缺卡：${names}`,
    named: (name, notes) => (notes.length === 0 ? name : `${name}（${notes.join('，')}）`),
    minutes: minutes => `${minutes} 分钟`,
    noPunch: time => `${time} 未打卡`,
    more: (names, _named, all) => `${names}等 ${all} 人`,
    waiting: (corrections, leaves) =>
      `待审批：${parts(
        [corrections === 0 ? '' : `考勤调整 ${corrections} 项`, leaves === 0 ? '' : `请假 ${leaves} 项`],
        '，',
      )}`,
  },
};

/** Subjects of entries of the audit log about daily reports. */
export const dailyReportSubjects = sentences({
  daily_report_set: {
    en: ({ name, at }: { name: string; at: string }) => `${name}: at ${at}`,
    zh: ({ name, at }) => `${name}：${at} 发送`,
  },
});
