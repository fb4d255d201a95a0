import { z } from '@hono/zod-openapi';
import type { Backups, HostKey } from '../backups/index.ts';
import { backupSettings } from '../config/index.ts';
import { described } from '../words/described.ts';
import { whyOf } from '../words/sentences.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused, sentenceShape } from './problem.ts';

const hostKey = z.object({
  key: z.string().describe(described('Type and base64, as in known_hosts', '类型和 base64，与 known_hosts 中相同')),
  type: z.string(),
  fingerprint: z
    .string()
    .describe(described('As `ssh-keygen -l` shows it: SHA256:…', '与 `ssh-keygen -l` 显示的相同：SHA256:…')),
});

const sftpReport = z.object({
  where: z.string(),
  public_key: z
    .string()
    .describe(
      described(
        'Of the box: a line for authorized_keys at the server',
        '网关的公钥：写入服务器 authorized_keys 的一行',
      ),
    ),
  host_key: hostKey
    .nullable()
    .describe(
      described(
        'By which the server is known; null: nobody confirmed it yet',
        '用以确认服务器的密钥；null：尚未有人确认',
      ),
    ),
  fixed: z.boolean().describe(described('The config names the host key', '主机密钥由配置文件指定')),
});

export const backupSftpOperations = {
  sftp: operation({
    method: 'get',
    path: '/backup/sftp',
    role: 'admin',
    summary: described(
      'What the box and the SFTP server of the backups know each other by',
      '网关与备份用 SFTP 服务器互相识别的密钥',
    ),
    returns: described('The keys: public halves alone', '密钥：只有公钥部分'),
    answer: sftpReport,
    failures: { 409: described('There is no such target', '没有此目标') },
  }),
  checkSftp: operation({
    method: 'post',
    path: '/backup/sftp/check',
    role: 'admin',
    audited: described('tried the SFTP server of the backups', '测试备份的 SFTP 服务器'),
    summary: described(
      'Asks the SFTP server for its host key; once that was confirmed, logs in, writes a small file and removes it',
      '读取 SFTP 服务器的主机密钥；确认后登录，写入并删除一个小文件',
    ),
    returns: described('What the server showed, and why it cannot be used', '服务器出示的密钥，以及不能使用的原因'),
    answer: z.object({
      offered: hostKey.nullable().describe(described('Null: the server could not be asked', 'null：无法询问服务器')),
      failure: z
        .object({ why: z.string(), ...sentenceShape })
        .nullable()
        .describe(described('Null: all is well, as far as it could be tried', 'null：就所能尝试的而言一切正常')),
    }),
    failures: { 409: described('There is no such target', '没有此目标') },
  }),
  confirmSftp: operation({
    method: 'post',
    path: '/backup/sftp/host-key',
    role: 'admin',
    audited: described('confirmed the host key of the SFTP server', '确认 SFTP 服务器的主机密钥'),
    summary: described(
      'Confirms the host key of the SFTP server: from now on the box talks to no other',
      '确认 SFTP 服务器的主机密钥，此后只与它通信',
    ),
    body: z.object({
      host_key: z
        .string()
        .max(3000)
        .openapi({
          description: described('Type and base64, as the check showed it', '类型和 base64，与检查时所示相同'),
        }),
    }),
    returns: described('The keys', '密钥'),
    answer: sftpReport,
    failures: {
      409: described(
        'There is no such target, or the config names the host key',
        '没有此目标，或主机密钥由配置文件指定',
      ),
      422: described('It is no host key', '不是主机密钥'),
    },
  }),
};
type BackupSftpAdmin = Running<typeof backupSftpOperations>;

const hostKeySchema = backupSettings.shape.sftp.unwrap().shape.host_key.unwrap();

export function backupSftpAdmin({ sftp }: Pick<Backups, 'sftp'>): BackupSftpAdmin {
  const report = async (): Promise<Report<typeof sftpReport>> => {
    const { where, publicKey, hostKey: known, isFixed } = (await sftp.report()) ?? noTarget();
    return { where, public_key: publicKey, host_key: known && shown(known), fixed: isFixed };
  };
  return {
    sftp: report,
    async checkSftp(_ = {}, { signal } = byCommand) {
      const { offered, failure } = (await sftp.check(signal)) ?? noTarget();
      return { offered: offered && shown(offered), failure: failure && whyOf(failure.said) };
    },
    async confirmSftp({ host_key: sent }, call = byCommand) {
      const read = hostKeySchema.safeParse(sent);
      if (!read.success) throw refused(422, 'host_key', `host_key: ${read.error.issues[0]?.message ?? 'wrong'}`);
      if (!((await sftp.confirm(read.data)) ?? noTarget()))
        throw refused(409, 'backup_host_key_fixed', 'the config names the host key: change it there');
      const now = await report();
      call.subject(now.host_key?.fingerprint ?? '');
      return now;
    },
  };
}

const shown = ({ key, type, fingerprint }: HostKey): Report<typeof hostKey> => ({ key, type, fingerprint });

function noTarget(): never {
  throw refused(409, 'backup_no_target', 'there is no SFTP target: name one on the page System, Backup first');
}
