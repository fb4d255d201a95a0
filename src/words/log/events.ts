import { sentences } from '../sentences.ts';

/** Log lines of programs of the site. */
export const programsLog = sentences({
  program_login_refused: { en: 'a login of a program was refused', zh: '订阅程序的一次登录被拒绝' },
  program_login_failed: { en: 'a login of a program failed inside the box', zh: '订阅程序的一次登录在网关内部出错' },
  program_replay_failed: { en: 'a replay of a program could not be carried out', zh: '订阅程序的一次补发未能执行' },
  program_command_failed: { en: 'a command of a program could not be carried out', zh: '订阅程序的一条命令未能执行' },
  program_tokens_not_checked: { en: 'the tokens of programs could not be looked at', zh: '订阅程序的令牌未能查看' },
  feed_not_read: {
    en: 'the newest events could not be read; tried again in a second',
    zh: '最新的事件未能读取，一秒后重试',
  },
  box_state_not_published: { en: 'the state of the box could not be said to programs', zh: '网关状态未能告知订阅程序' },
  devices_not_described: {
    en: 'devices could not be described to Home Assistant',
    zh: '未能向 Home Assistant 描述设备',
  },
  webhooks_not_read: {
    en: 'the list of webhooks could not be read; tried again in 30 s',
    zh: 'Webhook 列表未能读取，30 秒后重试',
  },
  webhooks_not_opened: {
    en: 'the webhooks could not be opened; tried again in 5 s',
    zh: 'Webhook 未能启动，5 秒后重试',
  },
});
