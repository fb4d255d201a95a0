import { updateRefusals } from '../../../../src/words/updates.ts';
import { Problem } from '../../api.ts';
import { sentenceIn } from '../../parts/reasons.ts';
import { area, words as shared } from '../../words/index.ts';

const words = area(
  {
    last_admin: 'This is the last administrator. Add another one first.',
    secret_again: 'Server, user or address changed. Enter the password or key again.',
    name_reserved: 'The audit log uses this name. Choose another.',
    password_missing: 'A new user needs a password.',
    unknown: 'Entry not found',
    wrong: 'Current password is wrong.',
    wait: (seconds: number) => `Too many wrong passwords. Try again in ${seconds} s.`,
    busy: 'Already running. Try again in a moment.',
    no_restart: 'This gateway cannot restart itself. Stop it, then run gatehouse restore FILE.',
    wrong_name: 'The site name does not match. Nothing was changed.',
    no_room: 'Not enough disk space on the gateway.',
    update_too_big: 'The file is too large for an update.',
    backup_unreadable: 'The file cannot be read.',
    backup_store_unreadable:
      'Backup failed: parts of the disk are unreadable. Copy the card with ddrescue and start the gateway from the copy.',
    backup_no_backup: 'This file is not a Gatehouse backup. Nothing was changed.',
    backup_damaged: 'The backup is damaged. Nothing was changed. Use another one.',
    backup_newer: 'The backup is from a newer version. Nothing was changed. Update this gateway first.',
    backup_foreign: 'The backup contains unexpected files. Nothing was changed. Check its origin.',
    backup_needs_key: 'The backup is encrypted. Enter its recovery key or passphrase.',
    backup_wrong_key: 'Wrong recovery key or passphrase. Nothing was changed.',
    backup_no_recovery_key: 'No recovery key yet. Create it first.',
    backup_no_room: 'Not enough disk space on the gateway.',
    backup_of_region: 'The database server makes the backups of a region, and restores them.',
    backup_no_target: 'No backup target yet. Add one below first.',
    backup_host_key_fixed: 'The server key is set by the config file. Change it there.',
    backup_environment: 'The backup is from another environment (test or production). Nothing was changed.',
  },
  {
    last_admin: '这是最后一个管理员，请先添加另一个。',
    secret_again: '密码或密钥只用于原来的服务器、用户和地址，请重新输入。',
    name_reserved: '操作记录占用了此名称，请换一个。',
    password_missing: '新用户需要密码。',
    unknown: '该项已不存在。',
    wrong: '当前密码错误。',
    wait: seconds => `密码错误次数过多，请 ${seconds} 秒后再试。`,
    busy: '正在进行，请稍后再试。',
    no_restart: '本网关无法自行重新启动，请先停止，再运行 gatehouse restore FILE。',
    wrong_name: '与站点名称不符，没有做任何更改。',
    no_room: '网关的磁盘空间不足。',
    update_too_big: '该文件过大，不是升级文件。',
    backup_unreadable: '无法读取该文件。',
    backup_store_unreadable: '磁盘部分位置无法读取，因此无法备份。请用 ddrescue 复制存储卡，并在副本上启动网关。',
    backup_no_backup: '该文件不是 Gatehouse 的备份，没有做任何更改。',
    backup_damaged: '备份文件已损坏，没有做任何更改，请换一个备份。',
    backup_newer: '该备份由更新的版本生成，没有做任何更改，请先升级本网关。',
    backup_foreign: '备份中含有不属于它的内容，没有做任何更改，请核实文件来源。',
    backup_needs_key: '备份已加密，请输入恢复密钥或口令。',
    backup_wrong_key: '该备份用其他密钥或口令加密，没有做任何更改。',
    backup_no_recovery_key: '本网关还没有恢复密钥，请先生成。',
    backup_no_room: '网关的磁盘空间不足。',
    backup_of_region: '区域由其数据库服务器备份和恢复。',
    backup_no_target: '尚未设置备份目标，请先在下方设置。',
    backup_host_key_fixed: '服务器的密钥由配置文件指定，请在配置文件中更改。',
    backup_environment: '该备份属于另一个环境（测试或生产），没有做任何更改。',
  },
);

/** The same problem in the reader's language, where the page has a word for it. */
export function saidProblem(problem: Problem | null): Problem | null {
  if (!problem) return null;
  const { title, status, retryAfterSeconds, coded, message: reason } = problem;
  if (coded.code !== undefined && coded.code in updateRefusals.texts)
    return new Problem(status, title, sentenceIn({ reason, ...coded }, updateRefusals));
  const weak = /^password_(short|long|guessed|name)$/.exec(title)?.[1];
  const said = words.value;
  const text =
    weak !== undefined
      ? shared.value.setup.weak[weak as 'short']
      : title === 'wait'
        ? said.wait(retryAfterSeconds)
        : (said as Record<string, unknown>)[title];
  return typeof text === 'string' ? new Problem(status, title, text) : problem;
}
