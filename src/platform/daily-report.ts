import type { UnixMs, UnixSeconds } from '../runtime/clock.ts';
import type { AlertContent } from './alerts.ts';
import type { DateText } from './shifts.ts';

/** Channels of alerts that a daily attendance report goes by. */
export const dailyReportChannels = ['mail', 'dingtalk', 'feishu', 'wecom', 'webhook'] as const;
type DailyReportChannel = (typeof dailyReportChannels)[number];

/** A daily attendance report, as the config and the page set it up. */
export interface DailyReportSettings {
  readonly name: string;
  /** Time of the site, such as `08:45`. */
  readonly at: string;
  /** External ids, each with the departments below it; none: the whole site. */
  readonly departments: readonly string[];
  /** Absent: that of the site. */
  readonly language?: 'en' | 'zh' | undefined;
  readonly channel: DailyReportChannel;
  /** Recipients of a mail; absent: those of the alerts. */
  readonly to?: readonly string[] | undefined;
  /** Absent: the address and the secret of the channel of alerts. */
  readonly url?: string | undefined;
  readonly secret?: string | undefined;
}

/** How far back the workday before is looked for: past a holiday of eight days and its weekends. */
export const workdayBeforeDaysMax = 12;

/** A person on a day, in the words of a report. */
export interface ReportedPerson {
  readonly name: string;
  readonly lateMinutes: number;
  /** Start of the shift; null: it has none. */
  readonly plannedOn: UnixSeconds | null;
  /** Planned times that passed without a check-in. */
  readonly missingAt: readonly UnixSeconds[];
}

/** Facts of the daily report of some departments, by the rules of the page of the day. */
export interface DailyFacts {
  readonly day: DateText;
  readonly now: UnixMs;
  /** Whether anybody has to work on this day, by now or later. */
  readonly isScheduled: boolean;
  /** Expected by now, and how many of them came. */
  readonly due: number;
  readonly came: number;
  /** Expected by now and not here, by the start of their shift. */
  readonly absent: readonly ReportedPerson[];
  readonly expectedLater: number;
  readonly leave: number;
  /** Offline terminals that absent people use, by their numbers: their check-ins may be there. */
  readonly offline: readonly number[];
  /** The last day before on which anybody of them had to work. */
  readonly before: WorkdayBefore | null;
  /** Corrections and leave that wait for a decision. */
  readonly corrections: number;
  readonly leaves: number;
}

export interface WorkdayBefore {
  readonly day: DateText;
  readonly late: readonly ReportedPerson[];
  readonly absent: readonly ReportedPerson[];
  readonly missing: readonly ReportedPerson[];
}

/** Numbers of a report, for programs. */
interface DailyFigures {
  readonly name: string;
  readonly day: DateText;
  readonly due: number;
  readonly came: number;
  readonly absent: number;
  readonly expected_later: number;
  readonly leave: number;
  readonly before: {
    readonly day: DateText;
    readonly late: number;
    readonly absent: number;
    readonly missing: number;
  } | null;
  readonly corrections_waiting: number;
  readonly leaves_waiting: number;
}

export interface DailyReportContent {
  readonly type: 'daily_report';
  readonly at: UnixMs;
  readonly severity: 'note';
  readonly title: string;
  readonly lines: readonly string[];
  /** The page of the day; empty: its address is not known. */
  readonly link: string;
  readonly figures: DailyFigures;
}

export type ChannelContent = AlertContent | DailyReportContent;

/** Message that a channel sends. */
export interface ChannelMessage {
  /** The same at every try, so that a receiver can tell a repeat. */
  readonly id: string;
  readonly content: ChannelContent;
}
