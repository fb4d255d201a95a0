import { Problem } from '../../api.ts';
import { area, words as shared } from '../../words/index.ts';

const words = area(
  {
    last_admin: 'This is the last administrator. Make another one first.',
    password_missing: 'A new person needs a password.',
    unknown: 'There is no such entry any more.',
    wrong: 'The password that you have now is another.',
    wait: (minutes: number) => `Too many wrong passwords. Try again in ${minutes} min.`,
    busy: 'This is being done already. Try again in a moment.',
    no_restart: 'This box cannot start itself anew. Stop it, then run gatehouse restore FILE.',
    wrong_name: 'This is not the name of the site. Nothing was changed.',
    no_room: 'The disk of the box has too little room for this.',
    backup_unreadable: 'The file cannot be read.',
    backup_no_backup: 'This file is no backup of Gatehouse. Nothing was changed.',
    backup_damaged: 'The backup is damaged. Nothing was changed. Take another one.',
    backup_newer: 'The backup was made by a newer version. Nothing was changed. Update this box first.',
    backup_environment: 'The backup is of the other environment (test or production). Nothing was changed.',
  },
  {
    last_admin: '这是最后一个管理员，请先添加另一个。',
    password_missing: '新用户需要密码。',
    unknown: '该项已不存在。',
    wrong: '当前密码错误。',
    wait: minutes => `密码错误次数过多，请 ${minutes} 分钟后再试。`,
    busy: '正在进行，请稍后再试。',
    no_restart: '本网关无法自行重新启动，请先停止，再运行 gatehouse restore FILE。',
    wrong_name: '与站点名称不符，没有做任何更改。',
    no_room: '网关的磁盘空间不足。',
    backup_unreadable: '无法读取该文件。',
    backup_no_backup: '该文件不是 Gatehouse 的备份，没有做任何更改。',
    backup_damaged: '备份文件已损坏，没有做任何更改，请换一个备份。',
    backup_newer: '该备份由更新的版本生成，没有做任何更改，请先升级本网关。',
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
        ? said.wait(Math.ceil(retryAfterSeconds / 60))
        : (said as Record<string, unknown>)[title];
  return typeof text === 'string' ? new Problem(status, title, text) : problem;
}
