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
import { backupSftpAdmin, backupSftpOperations } from './backup-sftp.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused } from './problem.ts';
import { readSettings, secretAgain, settingsSent } from './settings-sent.ts';

/** Of each target: a page shows the newest ones. */
const copiesShown = 30;

const copy = z.object({
  name: z.string(),
  made_at: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  verified_at: z.number().nullable().describe('When it was read back and found good; null: it was not'),
  restore_tried_at: z.number().nullable(),
});

const target = z.object({
  name: z.string().describe('As under `backups` in the config'),
  where: z.string(),
  holds: z
    .string()
    .nullable()
    .describe('What is mounted there, such as "vfat GHBACKUP"; null: nothing, or it is no mount'),
  fixed: z.boolean().describe('The config names it'),
  last_good_at: z.number().nullable().describe('When a copy there was last verified'),
  failure: z
    .object({ at: z.number(), code: z.string(), why: z.string().describe('What was found, and what to do') })
    .nullable()
    .describe('Of the last try; null: it went well'),
  restore_tried: z
    .object({ at: z.number(), why: z.string().nullable().describe('Null: it could be restored') })
    .nullable()
    .describe('The last restore that was tried from there'),
  copies: z.array(copy).describe('Newest first'),
  copy_count: z.number(),
});

export const backupSchedule = z.object({
  running: z
    .object({ since: z.number(), step: z.string(), target: z.string().nullable() })
    .nullable()
    .describe('The run that is under way'),
  next_at: z.number().nullable().describe('Null: there is no target'),
  last_good_at: z.number().nullable().describe('When a copy was last verified at any target'),
  targets: z.array(target),
});
type BackupScheduleReport = Report<typeof backupSchedule>;

const settings = z.record(z.string(), z.unknown());

const settingsReport = z.object({
  chosen: settings.describe('As under `backups` in the config; null in the place of a secret'),
  fixed: z.array(z.string()).describe('What the config says, and cannot be changed here'),
  times: z.array(z.string()).describe('In force, by the clock of the site'),
  days: z.array(z.number()).describe('In force; 1 is Monday'),
  keep: z.object({ daily: z.number(), weekly: z.number(), monthly: z.number() }),
  with_files: z.boolean(),
  timezone: z.string(),
});

export const backupScheduleOperations = {
  settings: operation({
    method: 'get',
    path: '/backup/settings',
    role: 'admin',
    summary: 'When backups are made and where they are kept, without the secrets',
    returns: 'The settings',
    answer: settingsReport,
  }),
  choose: operation({
    method: 'put',
    path: '/backup/settings',
    role: 'admin',
    summary: 'Replaces the settings that were chosen here. What the config says stays in force',
    body: z.object({
      settings: settingsSent('backups'),
    }),
    returns: 'The settings',
    answer: settingsReport,
    failures: { 400: secretAgain, 422: 'A value is wrong; the detail names it' },
  }),
  now: operation({
    method: 'post',
    path: '/backup/now',
    role: 'admin',
    summary: 'Begins a backup to all targets or to one, which is verified after writing; the report says how it goes',
    body: z.object({
      target: z.string().max(20).optional().openapi({ description: 'Its name in the report; absent: all of them' }),
    }),
    returns: 'That it has begun',
    answer: z.object({ begun: z.literal(true) }),
    failures: { 409: 'One is under way, or there is no target' },
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
    call.subject(Object.keys(read).join(', '));
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
