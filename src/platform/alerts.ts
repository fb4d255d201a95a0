import type { UnixMs } from '../runtime/clock.ts';
import type { Params } from '../words/sentences.ts';

/**
 * Kinds of what wants a person, and of the alerts about it. Their texts are in alert-words.ts,
 * their conditions in standing/judge.ts.
 */

export const alertSeverities = ['note', 'warn', 'critical'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

export const severityRank = (severity: AlertSeverity): number => alertSeverities.indexOf(severity);

/** When a kind of alert opens. */
export interface AlertRule {
  readonly severity: AlertSeverity | 'off';
  /** The threshold; the unit is that of the kind. Null: the kind has none. */
  readonly at: number | null;
  /** For how long it must be so before the alert opens. */
  readonly minutes: number;
}

interface AlertKindFacts extends AlertRule {
  readonly severity: AlertSeverity;
  /** Stands in the list alone: no alert is sent before a rule of the site asks for it. */
  readonly unsent?: true;
  /** Unit of `at`; empty where there is no threshold. */
  readonly unit: string;
  /** When it opens, for the reference of the config. */
  readonly opens: string;
}

const ofTheList = <Severity extends AlertSeverity>(severity: Severity) =>
  ({ severity, at: null, minutes: 0, unit: '', unsent: true }) as const;

/** The kinds, with the rule that is in force where the site says nothing else. */
export const alertKindTable = {
  disk: { severity: 'warn', at: 85, minutes: 0, unit: 'percent', opens: 'as much of the disk is used' },
  wear: { severity: 'warn', at: 365, minutes: 60, unit: 'days', opens: 'a new card would last no longer at this rate' },
  line: { severity: 'warn', at: null, minutes: 15, unit: '', opens: 'the line to the cloud is away' },
  backlog: {
    severity: 'warn',
    at: 30,
    minutes: 5,
    unit: 'minutes',
    opens: 'the line is up and a record waits for so long',
  },
  silent: { severity: 'warn', at: null, minutes: 15, unit: '', opens: 'a device that was here is away' },
  logins: { severity: 'warn', at: 10, minutes: 0, unit: 'logins', opens: 'so many logins are refused in ten minutes' },
  backup: { severity: 'warn', at: 14, minutes: 0, unit: 'days', opens: 'the last backup is so old' },
  box_clock: { severity: 'warn', at: null, minutes: 30, unit: '', opens: 'nothing sets the clock of the box' },
  device_clock: { severity: 'warn', at: null, minutes: 0, unit: '', opens: 'the clock of a device is wrong' },
  unreadable: {
    severity: 'warn',
    at: null,
    minutes: 0,
    unit: '',
    opens: 'a device sent a message that nobody can read, less than a day ago',
  },
  used_twice: { severity: 'warn', at: null, minutes: 0, unit: '', opens: 'two devices log in with one device id' },
  certificate: { severity: 'warn', at: 30, minutes: 720, unit: 'days', opens: 'the certificate ends in so many days' },
  update: { severity: 'note', at: null, minutes: 0, unit: '', opens: 'an update lies on a stick or on the box' },
  refused_records: {
    severity: 'warn',
    at: 1,
    minutes: 0,
    unit: 'records',
    opens: 'the cloud has refused so many for good',
  },
  missing_at_cloud: {
    severity: 'warn',
    at: null,
    minutes: 15,
    unit: '',
    opens: 'people or departments are missing in the lists of the cloud, or a list comes in part',
  },
  rejected: { ...ofTheList('warn'), opens: 'a device is refused, and was not let in since' },
  approval: { ...ofTheList('warn'), opens: "a device waits for approval to receive people's data" },
  never: { ...ofTheList('note'), opens: 'a known device has never connected' },
  no_device: { ...ofTheList('warn'), opens: 'no device is known yet' },
  zone: { ...ofTheList('warn'), opens: 'nobody has confirmed the time zone of the site' },
  recovery_key: { ...ofTheList('warn'), opens: 'there is no recovery key, or nobody has said that it is kept' },
  no_backup: { ...ofTheList('warn'), opens: 'no backup was made yet' },
  month: { ...ofTheList('note'), opens: 'the last month can be closed' },
  daily_report: {
    severity: 'warn',
    at: null,
    minutes: 0,
    unit: '',
    opens: 'a daily attendance report was given up, less than 36 hours ago',
  },
  rebooted: { severity: 'note', at: null, minutes: 0, unit: '', opens: 'the machine was started again' },
  channel: {
    severity: 'warn',
    at: 3,
    minutes: 0,
    unit: 'tries',
    opens: 'so many messages in a row did not get through',
  },
} as const satisfies Record<string, AlertKindFacts>;

export type AlertKind = keyof typeof alertKindTable;
export const alertKinds = Object.keys(alertKindTable) as AlertKind[];

/** How bad the kind is where the site says nothing else; off: no alert is sent. */
export const severityByDefault = (kind: AlertKind): AlertRule['severity'] => {
  const { severity, unsent }: AlertKindFacts = alertKindTable[kind];
  return unsent ? 'off' : severity;
};

export type AlertRules = Readonly<Record<AlertKind, AlertRule>>;

/**
 * Measured values for the texts, such as `percent`, `name`, and a reason as `why`, `code` and
 * `params`. Never a secret.
 */
export type AlertDetails = Readonly<Record<string, string | number | Params>>;

/** Something that people should know, from when it opens until nothing more is said about it. */
export interface Alert {
  readonly id: string;
  readonly kind: AlertKind;
  /** The device or channel that it is about; empty: the box. */
  readonly subject: string;
  readonly severity: AlertSeverity;
  /** When it began, as far as is known; the rule's minutes before `openedAt`, or more. */
  readonly since: UnixMs;
  readonly openedAt: UnixMs;
  /** When a message about it was queued; null: none was, because of quiet hours, or not yet. */
  readonly announcedAt: UnixMs | null;
  /** As what it was announced: one that gets worse is announced again. */
  readonly announcedAs: AlertSeverity | null;
  /** End of the alert; null while it is open. */
  readonly overAt: UnixMs | null;
  /** Over, and no message about it is to come. */
  readonly isDone: boolean;
  readonly details: AlertDetails;
}

/** Where messages go. Each name is a key under `alerts` in the config. */
export const alertChannels = ['mail', 'webhook', 'dingtalk', 'feishu', 'wecom', 'push', 'sms'] as const;
export type AlertChannel = (typeof alertChannels)[number];

/** Message to a channel. */
export interface AlertContent {
  readonly type: 'opened' | 'over' | 'digest' | 'test';
  readonly at: UnixMs;
  /** Kind of the alerts; null if there are several. */
  readonly kind: AlertKind | null;
  readonly severity: AlertSeverity;
  /** In the language of the site. */
  readonly title: string;
  readonly lines: readonly string[];
  /** The page to look at; empty: none. */
  readonly link: string;
  readonly alerts: readonly Pick<Alert, 'kind' | 'subject' | 'severity' | 'since' | 'overAt' | 'details'>[];
}

/** A message that waits for its channel. */
export interface AlertMessage {
  /** The same at every try, so that a receiver can tell a repeat. */
  readonly id: string;
  readonly channel: AlertChannel;
  readonly attempts: number;
  readonly nextAt: UnixMs;
  readonly content: AlertContent;
}
