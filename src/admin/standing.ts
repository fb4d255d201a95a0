import { z } from '@hono/zod-openapi';
import { type AlertLanguage, alertWords, standingPath, standingTitle } from '../platform/alert-words.ts';
import { alertKinds, alertSeverities } from '../platform/alerts.ts';
import type { Standing } from '../standing/index.ts';
import { described } from '../words/described.ts';
import type { Report } from './operation.ts';

export const alertKind = z.enum(alertKinds as [(typeof alertKinds)[number], ...typeof alertKinds]);
export const alertDetails = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.record(z.string(), z.union([z.string(), z.number()]))]),
);

const entry = z.object({
  kind: alertKind,
  severity: z.enum(alertSeverities),
  count: z
    .number()
    .describe(described('How many devices or channels; 1: also the box', '涉及的设备或渠道数；1：也可以是网关')),
  subject: z
    .string()
    .describe(described('The device or channel; empty: the box, or several', '设备或渠道；空：网关，或不止一个')),
  since: z
    .number()
    .nullable()
    .describe(
      described(
        'Since when; null: not known, or several that did not begin together',
        '开始的时间；null：不清楚，或多项并非同时开始',
      ),
    ),
  title: z
    .string()
    .describe(described('In the language of the site, as the other words', '使用站点的语言，其他文字也是')),
  todo: z.string().describe(described('What to do', '处理办法')),
  path: z.string().describe(described('Of the page where it is mended', '处理该事项的网页')),
  details: alertDetails,
});

/** List of what wants a person, the worst first. */
export const standingList = z
  .array(entry)
  .nullable()
  .describe(
    described(
      'What wants a person, the worst first; empty: all is well; null on a stopped box',
      '待处理事项，最严重的在前；空：运行正常；网关停止时为 null',
    ),
  );
type StandingReport = Report<typeof entry>;

export const standingReport = (one: Standing, language: AlertLanguage): StandingReport => ({
  ...{ kind: one.kind, severity: one.severity, count: one.count, subject: one.subject, since: one.since },
  title: standingTitle(one, language),
  todo: alertWords[language].kinds[one.kind].todo(one.details),
  path: standingPath(one),
  details: one.details,
});
