import { z } from '@hono/zod-openapi';
import {
  type BackupSettings,
  type Backups,
  type BackupsReport,
  backupsInForce,
  keepOf,
  scheduleOf,
} from '../backups/index.ts';
import { backupSettings, withoutSecrets } from '../config/index.ts';
import type { Site } from '../platform/site.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { backupSftpAdmin, backupSftpOperations } from './backup-sftp.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused, sentenceShape } from './problem.ts';
import { readSettings, secretAgain, settingsSent } from './settings-sent.ts';

/** Of each target: a page shows the newest ones. */
const copiesShown = 30;

const copy = z.object({
  name: z.string(),
  made_at: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  verified_at: z
    .number()
    .nullable()
    .describe(described('When it was read back and found good; null: it was not', '读回检查通过的时间；null：没有')),
  restore_tried_at: z.number().nullable(),
});

const target = z.object({
  name: z.string().describe(described('As under `backups` in the config', '与配置文件中的 `backups` 相同')),
  where: z.string(),
  holds: z
    .string()
    .nullable()
    .describe(
      described(
        'What is mounted there, such as "vfat GHBACKUP"; null: nothing, or it is no mount',
        '该处挂载的内容，例如 "vfat GHBACKUP"；null：没有，或不是挂载点',
      ),
    ),
  fixed: z.boolean().describe(described('The config names it', '由配置文件指定')),
  last_good_at: z
    .number()
    .nullable()
    .describe(described('When a copy there was last verified', '最近一次在该目标上通过检查的时间')),
  failure: z
    .object({
      at: z.number(),
      why: z.string().describe(described('What was found, and what to do', '发现的问题及处理办法')),
      ...sentenceShape,
    })
    .nullable()
    .describe(described('Of the last try; null: it went well', '最近一次尝试的结果；null：成功')),
  restore_tried: z
    .object({
      at: z.number(),
      why: z.string().describe(described('Empty: it could be restored', '空：可以恢复')),
      ...sentenceShape,
    })
    .nullable()
    .describe(described('The last restore that was tried from there', '最近一次从该目标试恢复的情况')),
  copies: z.array(copy).describe(described('Newest first', '最新的在前')),
  copy_count: z.number(),
});

export const backupSchedule = z.object({
  running: z
    .object({ since: z.number(), step: z.string(), target: z.string().nullable() })
    .nullable()
    .describe(described('The run that is under way', '正在进行的备份')),
  next_at: z.number().nullable().describe(described('Null: there is no target', 'null：没有目标')),
  last_good_at: z
    .number()
    .nullable()
    .describe(described('When a copy was last verified at any target', '最近一次在任一目标上通过检查的时间')),
  targets: z.array(target),
});
type BackupScheduleReport = Report<typeof backupSchedule>;

const settings = z.record(z.string(), z.unknown());

const settingsReport = z.object({
  chosen: settings.describe(
    described(
      'As under `backups` in the config; null in the place of a secret',
      '与配置文件中的 `backups` 相同；密钥处为 null',
    ),
  ),
  fixed: z
    .array(z.string())
    .describe(described('What the config says, and cannot be changed here', '配置文件所写、不能在此修改的')),
  times: z.array(z.string()).describe(described('In force, by the clock of the site', '生效的时间，按站点的时钟')),
  days: z.array(z.number()).describe(described('In force; 1 is Monday', '生效的星期；1 为星期一')),
  keep: z.object({ daily: z.number(), weekly: z.number(), monthly: z.number() }),
  with_files: z.boolean(),
  timezone: z.string(),
});

export const backupScheduleOperations = {
  settings: operation({
    method: 'get',
    path: '/backup/settings',
    role: 'admin',
    summary: described(
      'When backups are made and where they are kept, without the secrets',
      '备份的时间和目标，不含密钥',
    ),
    returns: described('The settings', '设置'),
    answer: settingsReport,
  }),
  choose: operation({
    method: 'put',
    path: '/backup/settings',
    role: 'admin',
    audited: described('changed the schedule of backups', '修改定时备份设置'),
    summary: described(
      'Replaces the settings that were chosen here. What the config says stays in force',
      '替换在网页上所做的备份设置；配置文件中的设置不变',
    ),
    body: z.object({
      settings: settingsSent('backups'),
    }),
    returns: described('The settings', '设置'),
    answer: settingsReport,
    failures: {
      400: secretAgain,
      422: described('A value is wrong; the detail names it', '某个值有误；详情中指出是哪个'),
    },
  }),
  now: operation({
    method: 'post',
    path: '/backup/now',
    role: 'admin',
    audited: described('began a backup to all targets', '立即备份到所有目标'),
    summary: described(
      'Begins a backup to all targets or to one, which is verified after writing; the report says how it goes',
      '开始向所有目标或其中一个备份，写入后会检查；进度见备份状态',
    ),
    body: z.object({
      target: z
        .string()
        .max(20)
        .optional()
        .openapi({ description: described('Its name in the report; absent: all of them', '报告中的名称；缺省为全部') }),
    }),
    returns: described('That it has begun', '已开始'),
    answer: z.object({ begun: z.literal(true) }),
    failures: { 409: described('One is under way, or there is no target', '已有备份在进行，或没有目标') },
  }),
  ...backupSftpOperations,
};
type BackupScheduleAdmin = Running<typeof backupScheduleOperations>;

export const backupScheduleAdmin = (
  backups: Pick<Backups, 'settings' | 'choose' | 'backUpNow' | 'report' | 'sftp'>,
  site: Pick<Site, 'timezone'>,
): BackupScheduleAdmin => ({
  ...backupSftpAdmin(backups),
  settings: async () => settingsOf(backups, site.timezone),
  async choose({ settings: sent }, call = byCommand) {
    const { chosen } = backups.settings();
    const read = readSettings(backupSettings, sent, chosen);
    call.subject(auditSubjects.say('settings_of', { keys: Object.keys(read).join(', ') }));
    await backups.choose(read);
    return settingsOf(backups, site.timezone);
  },
  async now({ target } = {}, call = byCommand) {
    const { nextAt, running, targets } = await backups.report();
    call.subject(target ?? '');
    if (nextAt === null)
      throw refused(409, 'backup_no_target', 'there is no target: name one on the page System, Backup first');
    if (target !== undefined && !targets.some(({ name }) => name === target))
      throw refused(
        409,
        'backup_no_target',
        `${target}: no backups go there; there is ${targets.map(({ name }) => name).join(', ')}`,
      );
    if (running || !backups.backUpNow(target))
      throw refused(409, 'busy', 'a backup is being made: wait until it is done');
    return { begun: true };
  },
});

function settingsOf(backups: Pick<Backups, 'settings'>, timezone: string): Report<typeof settingsReport> {
  const { fixed, chosen } = backups.settings();
  const whole: BackupSettings = backupsInForce(fixed, chosen);
  const { times, days } = scheduleOf(whole);
  return {
    chosen: withoutSecrets(backupSettings, { ...chosen }),
    fixed: Object.entries(fixed).flatMap(([key, value]) => (value === undefined ? [] : [key])),
    times: [...times],
    days: [...days],
    keep: keepOf(whole),
    with_files: whole.with_files ?? false,
    timezone,
  };
}

export const scheduleReportOf = ({ running, nextAt, lastGoodAt, targets }: BackupsReport): BackupScheduleReport => ({
  running,
  next_at: nextAt,
  last_good_at: lastGoodAt,
  targets: targets.map(one => ({
    name: one.name,
    where: one.where,
    holds: one.holds,
    fixed: one.isFixed,
    last_good_at: one.lastGoodAt,
    failure: one.failure,
    restore_tried: one.drill,
    copies: one.copies.slice(0, copiesShown).map(({ name, madeAt, bytes, sha256, verifiedAt, restoreTriedAt }) => ({
      ...{ name, made_at: madeAt, bytes, sha256, verified_at: verifiedAt, restore_tried_at: restoreTriedAt },
    })),
    copy_count: one.copies.length,
  })),
});
