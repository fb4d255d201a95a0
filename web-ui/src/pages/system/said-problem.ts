import { Problem } from '../../api.ts';
import { area, words as shared } from '../../words/index.ts';

const words = area(
  {
    last_admin: 'This is the last administrator. Make another one first.',
    secret_again:
      'A password or key stays only with the server, user and address that it was given for. Enter it again.',
    name_reserved: 'The audit log uses this name. Choose another.',
    password_missing: 'A new person needs a password.',
    unknown: 'There is no such entry any more.',
    wrong: 'This is not your current password.',
    wait: (seconds: number) => `Too many wrong passwords. Try again in ${seconds} s.`,
    busy: 'This is already running. Try again in a moment.',
    no_restart: 'This box cannot restart itself. Stop it, then run gatehouse restore FILE.',
    wrong_name: 'This is not the name of the site. Nothing was changed.',
    no_room: 'The disk of the box has not enough room for this.',
    update_busy: 'Another update is under way. Wait until it is done.',
    update_on_trial: 'The previous update is still on trial. Wait until it is confirmed: at most five minutes.',
    update_unreadable: 'The file is not a readable update. Get it again from its vendor.',
    update_untrusted: 'The update has no signature that this box trusts, or it is damaged. Nothing was changed.',
    update_wrong_machine: 'The update is for another machine. Nothing was changed.',
    update_older: 'The update is older than the version that runs. Nothing was changed.',
    update_unknown_file: 'The update is not there any more. Send it again, or put the stick in again.',
    update_no_room: 'The disk of the box has not enough room. Update from a USB stick, or make room.',
    update_no_updates: 'RAUC, which installs updates, does not respond. Try again, or look at the log of the box.',
    update_nothing_before: 'There is nothing to go back to.',
    update_no_rollback: 'This box was not started by its service: only the service can go back.',
    update_too_big: 'The file is too large for an update.',
    backup_unreadable: 'The file cannot be read.',
    backup_store_unreadable:
      'The disk cannot be read in places, so that there is no backup. Copy the card with ddrescue and start a box on the copy.',
    backup_no_backup: 'This file is not a Gatehouse backup. Nothing was changed.',
    backup_damaged: 'The backup is damaged. Nothing was changed. Use another one.',
    backup_newer: 'The backup was made by a newer version. Nothing was changed. Update this box first.',
    backup_foreign:
      'The backup contains files that do not belong in a backup. Nothing was changed. Check where it comes from.',
    backup_needs_key: 'The backup is encrypted. Give its recovery key or its passphrase.',
    backup_wrong_key: 'The backup is encrypted to another key or passphrase. Nothing was changed.',
    backup_no_recovery_key: 'This box has no recovery key yet. Make it first.',
    backup_no_room: 'The disk of the box has not enough room for this.',
    backup_no_target: 'No target is set. Name one below first.',
    backup_host_key_fixed: 'The config file names the key of the server. Change it there.',
    backup_environment: 'The backup is of the other environment (test or production). Nothing was changed.',
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
    update_busy: '另一个升级正在进行，请等待完成。',
    update_on_trial: '上一次升级仍在试运行，请等待确认，最多五分钟。',
    update_unreadable: '该文件不是可读取的升级文件，请向厂商重新获取。',
    update_untrusted: '升级文件没有受信任的签名，或已损坏，没有做任何更改。',
    update_wrong_machine: '该升级文件用于其他机型，没有做任何更改。',
    update_older: '该升级比正在运行的版本旧，没有做任何更改。',
    update_unknown_file: '该升级文件已不存在，请重新发送，或重新插入 U 盘。',
    update_no_room: '网关的磁盘空间不足，请用 U 盘升级或清理空间。',
    update_no_updates: '用于安装升级的 RAUC 目前不能工作，请重试或查看网关日志。',
    update_nothing_before: '没有可退回的版本。',
    update_no_rollback: '本网关不是由其服务启动的，无法退回。',
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
    backup_no_target: '尚未设置备份目标，请先在下方设置。',
    backup_host_key_fixed: '服务器的密钥由配置文件指定，请在配置文件中更改。',
    backup_environment: '该备份属于另一个环境（测试或生产），没有做任何更改。',
  },
);

/** The same problem in the reader's language, where the page has a word for it. */
export function saidProblem(problem: Problem | null): Problem | null {
  if (!problem) return null;
  const { title, status, retryAfterSeconds } = problem;
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
