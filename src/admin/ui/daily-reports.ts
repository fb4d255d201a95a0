import { z } from '@hono/zod-openapi';
import type { DailyReportState, DailyReports } from '../../attendance/index.ts';
import { dailyReportSettings } from '../../config/index.ts';
import { dailyReportChannels } from '../../platform/daily-report.ts';
import { dailyReportSubjects } from '../../words/daily-report.ts';
import { described } from '../../words/described.ts';
import { noWhy, whyIn, whyOf } from '../../words/sentences.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import { refused, sentenceShape } from '../problem.ts';
import { readSettings, secretAgain, settingsSent } from '../settings-sent.ts';
import { done } from '../shapes.ts';

const params = z.object({ name: z.string().min(1).max(64) });

const entry = z.object({
  name: z.string(),
  at: z.string().describe(described('By the clock of the site', '按站点的时钟')),
  departments: z
    .array(z.string())
    .describe(
      described('External ids, each with those below it; empty: the whole site', '外部编号，含下级部门；空：整个站点'),
    ),
  language: z.enum(['en', 'zh']).nullable().describe(described('Null: that of the site', 'null：站点的语言')),
  channel: z.enum(dailyReportChannels),
  to: z
    .array(z.string())
    .nullable()
    .describe(described('Of mail; null: the recipients of alerts', '邮件收件人；null：告警的收件人')),
  own_address: z
    .boolean()
    .describe(
      described('It has an address of its own, else it goes to that of alerts', '有自己的地址，否则发到告警的地址'),
    ),
  fixed: z
    .boolean()
    .describe(described('It stands in the config, and cannot be changed here', '在配置文件中，不能在此修改')),
  last: z
    .object({
      day: z.string(),
      state: z
        .enum(['sent', 'nobody', 'failing', 'given_up'])
        .describe(
          described(
            'nobody: nobody was scheduled, so nothing was sent; failing: it is tried again until three hours after its time',
            'nobody：无人排班，未发送；failing：在规定时间后三小时内重试',
          ),
        ),
      at: z.number(),
      attempts: z.number(),
      why: z.string().describe(described('Why it did not get through; empty: it did', '未送达的原因；空：已送达')),
      ...sentenceShape,
    })
    .nullable()
    .describe(described('What became of the newest one', '最近一份的发送结果')),
});

const unknownName = described('There is no such daily report', '没有此考勤日报');

export const dailyReportOperations = {
  list: operation({
    method: 'get',
    path: '/attendance/daily-reports',
    role: 'staff',
    summary: described(
      'Daily attendance reports of the config and of the page, and what became of the last of each',
      '配置文件和网页中的考勤日报，及各自最近一份的发送结果',
    ),
    returns: described('The daily reports', '考勤日报列表'),
    answer: z.object({ rows: z.array(entry) }),
  }),
  put: operation({
    method: 'put',
    path: '/attendance/daily-reports/{name}',
    role: 'admin',
    audited: described('set up a daily attendance report', '设置考勤日报'),
    summary: described(
      'Adds a daily attendance report, or replaces its settings. It goes out from the next time on',
      '添加考勤日报或替换其设置，从下一个发送时间起生效',
    ),
    params,
    body: z.object({ settings: settingsSent('attendance.daily_reports') }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: {
      400: secretAgain,
      409: described(
        'fixed: it stands in the config; too_many: there are twenty already',
        'fixed：在配置文件中；too_many：已有二十个',
      ),
      422: described('A value is wrong; the detail names it', '某个值有误；详情中指出是哪个'),
    },
  }),
  remove: operation({
    method: 'delete',
    path: '/attendance/daily-reports/{name}',
    role: 'admin',
    audited: described('deleted a daily attendance report', '删除考勤日报'),
    summary: described('Deletes a daily attendance report', '删除考勤日报'),
    params,
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 404: unknownName, 409: described('fixed: it stands in the config', 'fixed：在配置文件中') },
  }),
  preview: operation({
    method: 'get',
    path: '/attendance/daily-reports/{name}/preview',
    role: 'staff',
    ofWholeTables: true,
    summary: described('What would go out now', '预览此刻会发送的内容'),
    params,
    returns: described('The text', '内容'),
    answer: z.object({
      scheduled: z
        .boolean()
        .describe(
          described('Whether anybody is scheduled today: otherwise nothing is sent', '今日是否有人排班；无人则不发送'),
        ),
      title: z.string(),
      lines: z.array(z.string()),
      link: z.string(),
    }),
    failures: { 404: unknownName },
  }),
  test: operation({
    method: 'post',
    path: '/attendance/daily-reports/{name}/test',
    role: 'staff',
    audited: described('sent a test of a daily attendance report', '测试发送考勤日报'),
    summary: described(
      'Sends it now to its recipients, marked as a test. That of the day goes out all the same',
      '立即发送给接收人并注明为测试；当日的日报照常发送',
    ),
    params,
    returns: described('Whether it got through, and otherwise why not', '是否送达，未送达时的原因'),
    answer: z.object({ sent: z.boolean(), why: z.string(), ...sentenceShape }),
    failures: { 404: unknownName },
  }),
};

const rowOf = ({ name, at, departments, channel, ...one }: DailyReportState): Report<typeof entry> => ({
  ...{ name, at, departments, channel, fixed: one.isFixed },
  ...{ language: one.language ?? null, to: one.to ?? null, own_address: one.url !== undefined },
  last: one.last && {
    ...{ day: one.last.day, state: one.last.state, at: one.last.at, attempts: one.last.attempts },
    ...whyIn(one.last),
  },
});

const unknown = (name: string) => refused(404, 'unknown', `there is no daily report ${name}`);
const fixed = (name: string) => refused(409, 'fixed', `the daily report ${name} stands in the config: change it there`);

export const dailyReportsAdmin = ({
  dailyReports: { all: dailyReports },
}: {
  /** Loaded when somebody asks. */
  readonly dailyReports: { readonly all: () => Promise<DailyReports> };
}): Running<typeof dailyReportOperations> => ({
  list: async () => ({ rows: (await (await dailyReports()).report()).map(rowOf) }),

  async put({ name, settings: sent }, call = byCommand) {
    const reports = await dailyReports();
    const kept = (await reports.report()).find(one => one.name === name);
    const read = readSettings(dailyReportSettings, { ...sent, name }, kept ?? {});
    call.subject(dailyReportSubjects.say('daily_report_set', { name, at: read.at }));
    const why = await reports.put(read);
    if (why === 'fixed') throw fixed(name);
    if (why === 'too_many') throw refused(409, why, 'there are twenty daily reports already: delete one first');
    return { done: true };
  },

  async remove({ name }, call = byCommand) {
    call.subject(name);
    const why = await (await dailyReports()).remove(name);
    if (why === 'fixed') throw fixed(name);
    if (why === 'unknown') throw unknown(name);
    return { done: true };
  },

  async preview({ name }, call = byCommand) {
    const found = await (await dailyReports()).preview(name, call.signal ?? new AbortController().signal);
    if (!found) throw unknown(name);
    const { title, lines, link } = found.content;
    return { scheduled: found.isDue, title, lines: [...lines], link };
  },

  async test({ name }, call = byCommand) {
    call.subject(name);
    const why = await (await dailyReports()).test(name, call.signal ?? new AbortController().signal);
    if (why === undefined) throw unknown(name);
    return { sent: why === null, ...(why ? whyOf(why) : noWhy) };
  },
});
