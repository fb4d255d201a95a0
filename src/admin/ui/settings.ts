import { z } from '@hono/zod-openapi';
import { type Config, siteChoiceSchema } from '../../config/index.ts';
import type { Site, SiteChoice } from '../../platform/site.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf, wallTime } from '../../runtime/wall-time.ts';
import {
  type DayReads,
  keptDaysMax,
  type PeriodReads,
  type ReadPart,
  type RoomReads,
  type RoomWrites,
  type WritePart,
} from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import { refused } from '../problem.ts';

const siteSetting = z.object({
  value: z.string(),
  confirmed: z
    .boolean()
    .describe(described('False while it is the default that nobody has confirmed', 'false：仍是无人确认过的默认值')),
  fixed_by: z
    .string()
    .nullable()
    .describe(
      described(
        'Where the config says it, such as `gatehouse.yaml:3:9`; null: it can be changed here',
        '配置文件中的位置，例如 `gatehouse.yaml:3:9`；null：可以在此修改',
      ),
    ),
});
const keptSetting = z.object({ days: z.number(), days_max: z.number() });
const settingsReport = z.object({
  site: z.object({ name: siteSetting, timezone: siteSetting, locale: siteSetting }),
  kept: z
    .object({ records: keptSetting, logs: keptSetting })
    .describe(
      described(
        'How long records in the journal are kept after they were forwarded, and device logs',
        '流水中的记录在转发之后保存多久，以及设备日志保存多久',
      ),
    ),
});
type SettingsReport = Report<typeof settingsReport>;

const days = (what: 'records' | 'logs') => z.coerce.number<number>().int().min(1).max(keptDaysMax[what]).optional();
const changes = {
  name: z.string().optional(),
  timezone: z.string().optional(),
  locale: z.string().optional(),
  records_days: days('records'),
  logs_days: days('logs'),
};

const beforeAfter = z.object({ before: z.string(), after: z.string() });
const removed = z
  .object({
    items: z.number(),
    bytes: z.number(),
    at_least: z.boolean().describe(described('Not all of it was counted', '没有全部统计')),
  })
  .nullable()
  .describe(
    described(
      'What is older, and would be removed in the next minutes; null: nothing is kept for a shorter time',
      '更早、将在几分钟内删除的内容；null：没有缩短任何保存时间',
    ),
  );

export const settingsOperations = {
  report: operation({
    method: 'get',
    path: '/settings',
    role: 'viewer',
    summary: described(
      'The settings of the site: which are in force, and which the config fixes',
      '站点设置：生效的值，以及由配置文件固定的值',
    ),
    returns: described('The settings', '设置'),
    answer: settingsReport,
  }),
  preview: operation({
    method: 'get',
    path: '/settings/preview',
    role: 'admin',
    summary: described(
      'What a change of the settings would do; nothing is changed',
      '预览更改设置的影响，不做任何更改',
    ),
    query: z.object(changes),
    returns: described('What would be different', '会有什么不同'),
    answer: z.object({
      now: beforeAfter.describe(described('The present moment at the site', '站点的当前时刻')),
      came_today: z
        .object({ before: z.number(), after: z.number() })
        .describe(
          described(
            'People who have checked in on the present day of the site, which another time zone moves',
            '站点当天已打卡的人数；改变时区会使当天移动',
          ),
        ),
      removes: z.object({ records: removed, logs: removed }),
    }),
    failures: {
      409: described('A month is closed in another time zone', '已有月份按另一时区封存'),
      422: described('A value is wrong; the detail names it', '某个值有误；详情中指出是哪个'),
    },
  }),
  change: operation({
    method: 'put',
    path: '/settings',
    role: 'admin',
    audited: described('changed the settings', '修改设置'),
    summary: described(
      'Changes some of the settings, at once and without a restart; what is left out stays',
      '修改部分设置，立即生效，无需重新启动；未给出的保持不变',
    ),
    body: z.object(changes),
    returns: described('The settings', '设置'),
    answer: settingsReport,
    failures: {
      409: described(
        'The config fixes this key, or a month is closed in another time zone',
        '此项由配置文件固定，或已有月份按另一时区封存',
      ),
      422: described('A value is wrong; the detail names it', '某个值有误；详情中指出是哪个'),
    },
  }),
};

/** The site's settings, as the box keeps them. */
interface SiteSettings {
  settings(): Readonly<
    Record<keyof Site, { readonly value: string; readonly fixedBy: string | null; readonly isConfirmed: boolean }>
  >;
  choose(some: SiteChoice): Promise<void>;
}

interface SettingsParts {
  readonly store: ReadPart<RoomReads & DayReads & Pick<PeriodReads, 'periods'>> &
    WritePart<Pick<RoomWrites, 'keepDays'>>;
  readonly settings: SiteSettings;
  readonly clock: Clock;
  readonly config: Pick<Config, 'site'>;
}

const dayMs = 24 * 3600_000;
/** Newest first; closings beyond it are years old. */
const periodsMax = 500;

export function settings({
  store,
  settings: ofSite,
  clock,
  config: { site },
}: SettingsParts): Running<typeof settingsOperations> {
  const report = async (): Promise<SettingsReport> => {
    const { name, timezone, locale } = ofSite.settings();
    const kept = await store.read.keptDays();
    const shown = ({ value, fixedBy, isConfirmed }: typeof name) => ({
      ...{ value, confirmed: isConfirmed, fixed_by: fixedBy },
    });
    return {
      site: { name: shown(name), timezone: shown(timezone), locale: shown(locale) },
      kept: {
        records: { days: kept.records, days_max: keptDaysMax.records },
        logs: { days: kept.logs, days_max: keptDaysMax.logs },
      },
    };
  };
  const cameOn = (timezone: string) => store.read.checkinPeople(dayOf(clock.now(), timezone));
  const nowIn = (timezone: string) => wallTime(timezone).text(Math.floor(clock.now() / 1000));

  /** The figures of a closed month stand: in another zone its days would be other days. */
  const refuseClosed = async (timezone: string | undefined) => {
    if (timezone === undefined) return;
    const closed = (await store.read.periods({ limit: periodsMax }))
      .filter(period => period.state !== 'reopened' && period.timeZone !== timezone)
      .map(({ month }) => month);
    const months = [...new Set(closed)].sort();
    if (months.length > 0)
      throw refused(
        409,
        'closed_months',
        `${months.join(', ')}: closed in ${site.timezone}. Reopen them first, or leave the time zone`,
        { problems: months },
      );
  };

  return {
    report,

    async preview(asked = {}) {
      const { timezone = site.timezone } = read(asked);
      if (timezone !== site.timezone) await refuseClosed(timezone);
      const kept = await store.read.keptDays();
      const removes = async (what: 'records' | 'logs', wanted: number | undefined) =>
        wanted !== undefined && wanted < kept[what] ? store.read.olderThan(what, clock.now() - wanted * dayMs) : null;
      return {
        now: { before: nowIn(site.timezone), after: nowIn(timezone) },
        came_today: { before: await cameOn(site.timezone), after: await cameOn(timezone) },
        removes: {
          records: await removes('records', asked.records_days),
          logs: await removes('logs', asked.logs_days),
        },
      };
    },

    async change(asked = {}, call = byCommand) {
      const now = ofSite.settings();
      // A value that stays as it is by default is confirmed by being sent.
      const chosen = Object.fromEntries(
        Object.entries(read(asked)).filter(
          ([key, value]) => now[key as keyof Site].value !== value || !now[key as keyof Site].isConfirmed,
        ),
      ) as SiteChoice;
      const said: string[] = [];
      for (const key of Object.keys(chosen) as (keyof Site)[]) {
        const { value, fixedBy } = now[key];
        if (fixedBy !== null) throw refused(409, 'fixed', `site.${key} is fixed by ${fixedBy}: change it there`);
        if (value !== chosen[key]) said.push([key, value, chosen[key]].join('\t'));
      }
      await refuseClosed(chosen.timezone);
      const kept = await store.read.keptDays();
      const keep = { records: asked.records_days ?? kept.records, logs: asked.logs_days ?? kept.logs };
      for (const what of ['records', 'logs'] as const)
        if (keep[what] !== kept[what]) said.push([what, kept[what], keep[what]].join('\t'));
      call.subject(auditSubjects.say('site_settings', { changes: said.join('\n') }));
      if (Object.keys(chosen).length > 0) await ofSite.choose(chosen);
      if (keep.records !== kept.records || keep.logs !== kept.logs) await store.write.keepDays(keep);
      return report();
    },
  };
}

/** Checks the keys of the site as the config does. */
function read({ name, timezone, locale }: SiteChoice): SiteChoice {
  const found = siteChoiceSchema.safeParse(
    Object.fromEntries(Object.entries({ name, timezone, locale }).filter(([, value]) => value !== undefined)),
  );
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const key = issue?.path.join('.') || 'settings';
  throw refused(422, key, `${key}: ${issue?.message ?? 'wrong'}`);
}
