import { z } from '@hono/zod-openapi';
import type { Backups, HostKey } from '../backups/index.ts';
import { backupSettings } from '../config/index.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused } from './problem.ts';

const hostKey = z.object({
  key: z.string().describe('Type and base64, as in known_hosts'),
  type: z.string(),
  fingerprint: z.string().describe('As `ssh-keygen -l` shows it: SHA256:…'),
});

const sftpReport = z.object({
  where: z.string(),
  public_key: z.string().describe('Of the box: a line for authorized_keys at the server'),
  host_key: hostKey.nullable().describe('By which the server is known; null: nobody confirmed it yet'),
  fixed: z.boolean().describe('The config names the host key'),
});

export const backupSftpOperations = {
  sftp: operation({
    method: 'get',
    path: '/backup/sftp',
    role: 'admin',
    summary: 'What the box and the SFTP server of the backups know each other by',
    returns: 'The keys: public halves alone',
    answer: sftpReport,
    failures: { 409: 'There is no such target' },
  }),
  checkSftp: operation({
    method: 'post',
    path: '/backup/sftp/check',
    role: 'admin',
    summary:
      'Asks the SFTP server for its host key; once that was confirmed, logs in, writes a small file and removes it',
    returns: 'What the server showed, and why it cannot be used',
    answer: z.object({
      offered: hostKey.nullable().describe('Null: the server could not be asked'),
      failure: z
        .object({ code: z.string(), why: z.string() })
        .nullable()
        .describe('Null: all is well, as far as it could be tried'),
    }),
    failures: { 409: 'There is no such target' },
  }),
  confirmSftp: operation({
    method: 'post',
    path: '/backup/sftp/host-key',
    role: 'admin',
    summary: 'Confirms the host key of the SFTP server: from now on the box talks to no other',
    body: z.object({
      host_key: z.string().max(3000).openapi({ description: 'Type and base64, as the check showed it' }),
    }),
    returns: 'The keys',
    answer: sftpReport,
    failures: { 409: 'There is no such target, or the config names the host key', 422: 'It is no host key' },
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
      return { offered: offered && shown(offered), failure: failure && { code: failure.code, why: failure.message } };
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
