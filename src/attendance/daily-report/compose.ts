import type { DailyFacts, DailyReportContent, ReportedPerson, WorkdayBefore } from '../../platform/daily-report.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { UnixSeconds } from '../../runtime/clock.ts';
import { wallTime } from '../../runtime/wall-time.ts';
import { dailyReportWords } from '../../words/daily-report.ts';

interface Addressed {
  /** Of the entry. */
  readonly name: string;
  readonly language: 'en' | 'zh';
  readonly site: string;
  readonly timeZone: string;
  /** Names of the departments; none: of the whole site. */
  readonly departments: readonly string[];
  /** Names of the offline terminals. */
  readonly terminals: readonly string[];
  /** Where the pages are, without a slash at the end; empty: not known. */
  readonly pages: string;
}

/** Names in one list; the page has them all. */
const namedMax = 20;

/** Text of a daily report. A person is named once for each of the two days. */
export function compose(facts: DailyFacts, to: Addressed): DailyReportContent {
  const { day, now, due, came, absent, expectedLater, leave, before, corrections, leaves } = facts;
  const said = dailyReportWords[to.language];
  const today = said.today({ time: timeOf(now / 1000, to), due, came, expectedLater, leave });
  const figures = {
    ...{ name: to.name, day, due, came, absent: absent.length, expected_later: expectedLater, leave },
    before: before && countsOf(before),
    ...{ corrections_waiting: corrections, leaves_waiting: leaves },
  };
  return {
    ...{ type: 'daily_report', at: now, severity: 'note', figures },
    title: said.title({ site: to.site, day: dayIn(day, to), due, absent: absent.length }),
    lines: [
      ...(to.departments.length === 0 ? [] : [to.departments.join(said.joint)]),
      facts.isScheduled ? today : said.nobody,
      ...(absent.length === 0 ? [] : [said.absent(namesOf(absent, to, startOf))]),
      ...(to.terminals.length === 0 ? [] : [said.offline(to.terminals.join(said.joint))]),
      ...(before ? dayBefore(before, to) : []),
      ...(corrections + leaves === 0 ? [] : [said.waiting(corrections, leaves)]),
    ],
    link: to.pages === '' ? '' : `${to.pages}/attendance?day=${day}`,
  };
}

/** The same, marked as a test. */
export const asTest = (content: DailyReportContent, language: 'en' | 'zh'): DailyReportContent => ({
  ...content,
  title: dailyReportWords[language].test(content.title),
});

function dayBefore(before: WorkdayBefore, to: Addressed): string[] {
  const { day, late, absent, missing } = before;
  const said = dailyReportWords[to.language];
  const on = dayIn(day, to);
  if (late.length + absent.length + missing.length === 0) return [said.allWell(on)];
  return [
    said.before(on, late.length, absent.length, missing.length),
    ...(late.length === 0 ? [] : [said.late(namesOf(late, to, lateBy))]),
    ...(absent.length === 0 ? [] : [said.absentBefore(namesOf(absent, to, () => []))]),
    ...(missing.length === 0 ? [] : [said.missing(namesOf(missing, to, missingOf))]),
  ];
}

const countsOf = ({ day, late, absent, missing }: WorkdayBefore) => ({
  ...{ day, late: late.length, absent: absent.length, missing: missing.length },
});

type Notes = (one: ReportedPerson, to: Addressed) => string[];

const startOf: Notes = ({ plannedOn }, to) => (plannedOn === null ? [] : [timeOf(plannedOn, to)]);
const missingOf: Notes = ({ missingAt }, to) =>
  missingAt.map(at => dailyReportWords[to.language].noPunch(timeOf(at, to)));
const lateBy: Notes = (one, to) => [dailyReportWords[to.language].minutes(one.lateMinutes), ...missingOf(one, to)];

function namesOf(people: readonly ReportedPerson[], to: Addressed, notes: Notes): string {
  const said = dailyReportWords[to.language];
  const named = people.slice(0, namedMax);
  const names = named.map(one => said.named(one.name, notes(one, to))).join(said.joint);
  return named.length === people.length ? names : said.more(names, named.length, people.length);
}

/** `08:45`, by the clocks of the site. */
const timeOf = (at: UnixSeconds, { timeZone }: Addressed): string => wallTime(timeZone).text(at).slice(11, 16);

const dayIn = (day: DateText, { language }: Addressed): string => dailyReportWords[language].day(new Date(day));
