import { z } from '@hono/zod-openapi';
import { type Alerts, muteMsMax } from '../alerts/index.ts';
import { type AlertLanguage, alertLanguage, alertPath, alertTitle, alertWords } from '../platform/alert-words.ts';
import { type Alert, alertChannels, alertSeverities, severityRank } from '../platform/alerts.ts';
import type { Site } from '../platform/site.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AlertReads, ReadPart } from '../store/index.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { noWhy, whyIn, whyOf } from '../words/sentences.ts';
import { alertSettingAdmin, alertSettingOperations } from './alert-settings.ts';
import { byCommand, operation, type Report, type Running, resource } from './operation.ts';
import { refused, sentenceShape } from './problem.ts';
import { alertDetails, alertKind } from './standing.ts';

const row = z.object({
  id: z.string(),
  kind: alertKind,
  subject: z
    .string()
    .describe(described('The device or channel that it is about; empty: the box', '涉及的设备或渠道；空：网关')),
  severity: z.enum(alertSeverities),
  since: z.number().describe(described('When it began, as far as is known', '开始的时间，就所知而言')),
  opened_at: z.number(),
  announced_at: z
    .number()
    .nullable()
    .describe(described('Null: no message about it has gone out', 'null：尚未为它发送消息')),
  over_at: z.number().nullable().describe(described('Null: it is open', 'null：未恢复')),
  title: z
    .string()
    .describe(described('In the language of the site, as the other words', '使用站点的语言，其他文字也是')),
  means: z.string().describe(described('What it means', '含义')),
  todo: z.string().describe(described('What to do', '处理办法')),
  path: z.string().describe(described('Of the page that says more', '详情所在的网页')),
  details: alertDetails,
});
type AlertRow = Report<typeof row>;

const channel = z.object({
  name: z.enum(alertChannels),
  fixed: z
    .boolean()
    .describe(
      described('It stands in the config, and cannot be changed on the page', '在配置文件中，不能在网页上修改'),
    ),
  last_ok_at: z.number().nullable().describe(described('When a message got through last', '最近一次送达消息的时间')),
  failed_at: z.number().nullable(),
  why: z
    .string()
    .describe(described('Why the last one did not get through; empty: it did', '最近一次未送达的原因；空：已送达')),
  ...sentenceShape,
  failures: z.number().describe(described('Tries in a row that failed', '连续失败的次数')),
  waiting: z.number(),
  dropped: z.number().describe(described('Messages that were given up', '放弃发送的消息数')),
});

const alertReport = z.object({
  open: z
    .array(row)
    .describe(described('The worst first, then the oldest; at most 200', '最严重的在前，其次最早的在前；最多 200 条')),
  open_count: z.number().describe(described('All that are open', '全部未恢复的告警')),
  channels: z.array(channel).describe(described('Empty on a stopped box', '网关停止时为空')),
  muted_until: z.number().nullable(),
  quiet: z.boolean().describe(described('The quiet hours are on', '正处于静默时段')),
});
export type AlertReport = Report<typeof alertReport>;

const pageMax = 200;

const alertOperations = {
  report: operation({
    method: 'get',
    path: '/alerts',
    role: 'viewer',
    summary: described(
      'Open alerts, and how the channels stand that they are sent by',
      '未恢复的告警，以及各发送渠道的状态',
    ),
    returns: described('The report', '报告'),
    answer: alertReport,
  }),
  history: operation({
    method: 'get',
    path: '/alerts/history',
    role: 'viewer',
    summary: described('Alerts that are over; the newest first', '已恢复的告警，最新的在前'),
    query: z.object({
      cursor: z.coerce.number<number>().int().positive().optional(),
      limit: z.coerce.number<number>().int().min(1).max(pageMax).default(50),
    }),
    returns: described('The page; `cursor` goes on where it ended', '一页；用 `cursor` 从其末尾继续'),
    answer: z.object({ rows: z.array(row), cursor: z.number().nullable() }),
  }),
  test: operation({
    method: 'post',
    path: '/alerts/test',
    role: 'admin',
    audited: described('sent a test alert', '发送测试告警'),
    summary: described('Sends a test by one channel, at once', '立即通过一个渠道发送测试'),
    body: z.object({ channel: z.enum(alertChannels) }),
    returns: described('Whether it got through, and otherwise why not', '是否送达，未送达时的原因'),
    answer: z.object({ sent: z.boolean(), why: z.string(), ...sentenceShape }),
  }),
  mute: operation({
    method: 'post',
    path: '/alerts/mute',
    role: 'staff',
    audited: described('muted an alert', '静音告警'),
    summary: described(
      'Sends nothing before a moment, at most a week ahead; null: sends again. Alerts are listed all the same',
      '在指定时刻之前不发送告警，最长一周；null 表示恢复发送。告警仍会列出',
    ),
    body: z.object({ until: z.number().int().nonnegative().nullable() }),
    returns: described('Until when nothing is sent', '在此之前不发送'),
    answer: z.object({ muted_until: z.number().nullable() }),
    failures: { 422: described('It is more than a week ahead', '超过一周') },
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
        ...openOf((await alerts.standing()).alerts, language()),
        channels: alerts.channels().map(({ name, isFixed, lastOkAt, failedAt, failures, waiting, dropped, ...of }) => ({
          ...{ name, fixed: isFixed, last_ok_at: lastOkAt, failed_at: failedAt, failures, waiting, dropped },
          ...whyIn(of),
        })),
        muted_until: mutedUntil(),
        quiet: alerts.isQuiet,
      };
    },
    history: query => historyOf(read, language(), query),
    async test({ channel: name }, call = byCommand) {
      call.subject(name);
      const why = await alerts.test(name, call.signal ?? new AbortController().signal);
      return { sent: why === null, ...(why ? whyOf(why) : noWhy) };
    },
    async mute({ until }, call = byCommand) {
      if ((until ?? 0) > clock.now() + muteMsMax)
        throw refused(422, 'until', 'until: at most a week ahead: a box that never warns is soon forgotten');
      call.subject(until === null ? auditSubjects.say('mute_ended') : new Date(until).toISOString());
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
