import { z } from '@hono/zod-openapi';
import { described } from '../words/described.ts';
import { backupSchedule } from './backup-schedule.ts';

export const recoveryKey = z.object({
  recipient: z.string().describe(described('age1…', '以 age1 开头')),
  made_at: z.number(),
  kept: z
    .boolean()
    .describe(described('Somebody has said that it is kept away from the box', '已有人确认在网关之外保管')),
});

export const backupReport = z.object({
  last_at: z
    .number()
    .nullable()
    .describe(described('Null: none was made that the box knows of', 'null：网关没有做过已知的备份')),
  recovery_key: recoveryKey
    .nullable()
    .describe(
      described(
        'To which the next backup is encrypted; null: none was made yet',
        '下一次备份的加密公钥；null：尚未生成',
      ),
    ),
  schedule: backupSchedule
    .nullable()
    .describe(described('Backups by schedule; null on a stopped box', '定时备份；网关停止时为 null')),
});

export const backupChoices = {
  passphrase: z
    .string()
    .max(1000)
    .optional()
    .openapi({ description: described('Encrypts to it; absent: to the recovery key', '以此加密；缺省用恢复密钥') }),
  with_files: z
    .boolean()
    .default(false)
    .openapi({ description: described('With the files of the public services', '包括公共服务的文件') }),
};

export const backupFacts = z.object({
  records: z.number(),
  left_out: z.object({
    files: z.number(),
    speech: z.number(),
    packages: z.number(),
    unknown: z
      .array(z.string())
      .describe(
        described("Files beside the box's own keys and certificates, by name", '网关自身密钥和证书之外的文件，按名称'),
      ),
  }),
});
