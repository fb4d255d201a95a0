import { z } from '@hono/zod-openapi';
import { type Alerts, muteMsMax } from '../alerts/index.ts';
import { type AlertLanguage, alertLanguage, alertPath, alertTitle, alertWords } from '../platform/alert-words.ts';
import { type Alert, alertChannels, alertKinds, alertSeverities, severityRank } from '../platform/alerts.ts';
import type { Site } from '../platform/site.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AlertReads, ReadPart } from '../store/index.ts';
import { alertSettingAdmin, alertSettingOperations } from './alert-settings.ts';
import { byCommand, operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';

const row = z.object({
  id: z.string(),
  kind: z.enum(alertKinds as [(typeof alertKinds)[number], ...typeof alertKinds]),
  subject: z.string().describe('The device or channel that it is about; empty: the box'),
  severity: z.enum(alertSeverities),
  since: z.number().describe('When it began, as far as is known'),
  opened_at: z.number(),
  announced_at: z.number().nullable().describe('Null: no message about it has gone out'),
  over_at: z.number().nullable().describe('Null: it is open'),
  title: z.string().describe('In the language of the site, as the other words'),
  means: z.string().describe('What it means'),
  todo: z.string().describe('What to do'),
  path: z.string().describe('Of the page that says more'),
  details: z.record(z.string(), z.union([z.string(), z.number()])),
});
type AlertRow = Report<typeof row>;

const channel = z.object({
  name: z.enum(alertChannels),
  fixed: z.boolean().describe('It stands in the config, and cannot be changed on the page'),
  last_ok_at: z.number().nullable().describe('When a message got through last'),
  failed_at: z.number().nullable(),
  why: z.string().describe('Why the last one did not get through; empty: it did'),
  failures: z.number().describe('Tries in a row that failed'),
  waiting: z.number(),
  dropped: z.number().describe('Messages that were given up'),
});

const alertReport = z.object({
  open: z.array(row).describe('The worst first, then the oldest; at most 200'),
  open_count: z.number().describe('All that are open'),
  channels: z.array(channel).describe('Empty on a stopped box'),
  muted_until: z.number().nullable(),
  quiet: z.boolean().describe('The quiet hours are on'),
});
export type AlertReport = Report<typeof alertReport>;

const pageMax = 200;

const alertOperations = {
  report: operation({
    method: 'get',
    path: '/alerts',
    role: 'viewer',
    summary: 'Open alerts, and how the channels stand that they are sent by',
    returns: 'The report',
    answer: alertReport,
  }),
  history: operation({
    method: 'get',
    path: '/alerts/history',
    role: 'viewer',
    summary: 'Alerts that are over; the newest first',
    query: z.object({
      cursor: z.coerce.number<number>().int().positive().optional(),
      limit: z.coerce.number<number>().int().min(1).max(pageMax).default(50),
    }),
    returns: 'The page; `cursor` goes on where it ended',
    answer: z.object({ rows: z.array(row), cursor: z.number().nullable() }),
  }),
  test: operation({
    method: 'post',
    path: '/alerts/test',
    role: 'admin',
    summary: 'Sends a test by one channel, at once',
    body: z.object({ channel: z.enum(alertChannels) }),
    returns: 'Whether it got through, and otherwise why not',
    answer: z.object({ sent: z.boolean(), why: z.string() }),
  }),
  mute: operation({
    method: 'post',
    path: '/alerts/mute',
    role: 'staff',
    summary: 'Sends nothing before a moment, at most a week ahead; null: sends again. Alerts are listed all the same',
    body: z.object({ until: z.number().int().nonnegative().nullable() }),
    returns: 'Until when nothing is sent',
    answer: z.object({ muted_until: z.number().nullable() }),
    failures: { 422: 'It is more than a week ahead' },
  }),
  ...alertSettingOperations,
};
type AlertAdmin = Running<typeof alertOperations>;

function alertAdmin(read: AlertReads, alerts: Alerts, clock: Clock, site: Pick<Site, 'locale'>): AlertAdmin {
  const language = () => alertLanguage(site.locale);
  const mutedUntil = () => (alerts.mutedUntil > clock.now() ? alerts.mutedUntil : null);
  return {
    ...alertSettingAdmin(alerts),
    async report() {
      return {
        ...openOf(alerts.open(), language()),
        channels: alerts.channels().map(({ name, isFixed, lastOkAt, failedAt, why, failures, waiting, dropped }) => ({
          ...{ name, fixed: isFixed, last_ok_at: lastOkAt, failed_at: failedAt, why, failures, waiting, dropped },
        })),
        muted_until: mutedUntil(),
        quiet: alerts.isQuiet,
      };
    },
    history: query => historyOf(read, language(), query),
    async test({ channel: name }, call = byCommand) {
      call.subject(name);
      const why = await alerts.test(name, call.signal ?? new AbortController().signal);
      return { sent: why === null, why: why ?? '' };
    },
    async mute({ until }, call = byCommand) {
      if ((until ?? 0) > clock.now() + muteMsMax)
        throw refused(422, 'until', 'until: at most a week ahead: a box that never warns is soon forgotten');
      call.subject(until === null ? 'off' : new Date(until).toISOString());
      await alerts.mute(until ?? 0);
      return { muted_until: mutedUntil() };
    },
  };
}

/** Alerts of a stopped box: those that were open when it stopped. */
const stoppedAlerts = (read: AlertReads): Pick<AlertAdmin, 'report' | 'history'> => ({
  report: async () => ({
    ...openOf(
      (await read.currentAlerts()).filter(one => one.overAt === null),
      'en',
    ),
    channels: [],
    muted_until: null,
    quiet: false,
  }),
  history: query => historyOf(read, 'en', query),
});

async function historyOf(
  read: AlertReads,
  language: AlertLanguage,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
) {
  const found = await read.pastAlerts({ limit, ...(cursor === undefined ? {} : { before: cursor }) });
  return {
    rows: found.map(one => alertRow(one, language)),
    cursor: found.length === limit ? found.at(-1)!.openedAt : null,
  };
}

const openOf = (open: readonly Alert[], language: AlertLanguage) => ({
  open: [...open]
    .sort((one, other) => severityRank(other.severity) - severityRank(one.severity) || one.since - other.since)
    .slice(0, pageMax)
    .map(one => alertRow(one, language)),
  open_count: open.length,
});

const alertRow = (one: Alert, language: AlertLanguage): AlertRow => {
  const words = alertWords[language].kinds[one.kind];
  return {
    id: one.id,
    kind: one.kind,
    subject: one.subject,
    severity: one.severity,
    since: one.since,
    opened_at: one.openedAt,
    announced_at: one.announcedAt,
    over_at: one.overAt,
    title: alertTitle(one, language),
    means: words.means(one.details),
    todo: words.todo(one.details),
    path: alertPath(one),
    details: one.details,
  };
};

export const alertsResource = resource(
  alertOperations,
  ({
    store,
    alerts,
    clock,
    site,
  }: {
    readonly store: ReadPart<AlertReads>;
    readonly alerts: Alerts;
    readonly clock: Clock;
    readonly site: Pick<Site, 'locale'>;
  }) => alertAdmin(store.read, alerts, clock, site),
  ({ store }: { readonly store: ReadPart<AlertReads> }) => stoppedAlerts(store.read),
);
