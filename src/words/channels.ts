import { sentences } from './sentences.ts';

/** Meanings of the codes of robots, for those whose message does not explain them. */
const robotCodes = {
  token: { en: 'the token is wrong', zh: '令牌错误' },
  key: { en: 'the key of the robot is wrong', zh: '机器人的 key 错误' },
  address: { en: 'the address of the robot is wrong', zh: '机器人的地址错误' },
  keyword: { en: 'a keyword of the robot is missing', zh: '缺少机器人的关键词' },
  signature: {
    en: 'the signature or its time is wrong: compare the secret, and the clock of the box',
    zh: '签名或时间错误，请核对密钥和网关时钟',
  },
  signature_or_keyword: {
    en: 'the signature or its time is wrong: compare the secret, and the clock of the box, or a keyword of the robot is missing',
    zh: '签名或时间错误（请核对密钥和网关时钟），或缺少机器人的关键词',
  },
} as const;
export type RobotMeaning = keyof typeof robotCodes;

interface RobotAnswer {
  readonly answer: number;
  /** Empty: the code has no meaning that is known. */
  readonly meaning: RobotMeaning | '';
  readonly message: string;
}
const meaningIn = (language: 'en' | 'zh', { meaning }: RobotAnswer): string =>
  meaning !== '' && Object.hasOwn(robotCodes, meaning) ? robotCodes[meaning][language] : '';
const after = (separator: string, text: string): string => (text === '' ? '' : separator + text);

/** Why an alert did not get through. */
export const channelFailures = sentences({
  channel_not_set_up: { en: 'it is not set up', zh: '尚未设置' },
  broken_off: { en: 'it was broken off', zh: '已中断' },
  channel_elsewhere: { en: 'another process of this region sends the alerts', zh: '由本区域的另一个进程发送告警' },
  not_sent_in: {
    en: ({ seconds }: { seconds: number }) => `no answer in ${seconds} s`,
    zh: ({ seconds }) => `${seconds} 秒内没有响应`,
  },
  password_without_tls: {
    en: 'a password is sent over TLS only: set security to starttls or tls, or leave out the password',
    zh: '密码只通过加密连接发送：请选择 STARTTLS 或 TLS，或不填密码',
  },
  mail_password_refused: {
    en: ({ host, user, answer }: { host: string; user: string; answer: string }) =>
      `${host} refuses the password of ${user} (many providers want an app password or authorisation code here)${after(': ', answer)}`,
    zh: ({ host, user, answer }) =>
      `${host} 拒绝了 ${user} 的密码（许多邮箱要求填写授权码或应用专用密码）${after('：', answer)}`,
  },
  mail_recipient_refused: {
    en: ({ host, recipients, answer }: { host: string; recipients: string; answer: string }) =>
      `${host} refuses the recipient ${recipients}${after(': ', answer)}`,
    zh: ({ host, recipients, answer }) => `${host} 拒绝了收件人 ${recipients}${after('：', answer)}`,
  },
  mail_without_starttls: {
    en: ({ host }: { host: string }) => `${host} does not offer STARTTLS: use port 465 with security tls`,
    zh: ({ host }) => `${host} 不支持 STARTTLS，请改用 465 端口和 TLS`,
  },
  no_mail_server: {
    en: ({ at, answer }: { at: string; answer: string }) => `${at} is no mail server: it says ${answer}`,
    zh: ({ at, answer }) => `${at} 不是邮件服务器，它返回：${answer}`,
  },
  mail_error: {
    en: ({ at, error }: { at: string; error: string }) => `${at}: ${error}`,
    zh: ({ at, error }) => `${at} 出错：${error}`,
  },
  receiver_gone: {
    en: 'the receiver answers 410: it wants no more calls',
    zh: '接收方返回 410，不再接收通知',
  },
  receiver_redirects: {
    en: ({ status }: { status: number }) =>
      `the receiver answers HTTP ${status}: redirects are not followed: write the address that it leads to`,
    zh: ({ status }) => `接收方返回 HTTP ${status} 重定向，请直接填写重定向后的地址`,
  },
  receiver_answers: {
    en: ({ status, answer }: { status: number; answer: string }) => `the receiver answers HTTP ${status}: ${answer}`,
    zh: ({ status, answer }) => `接收方返回 HTTP ${status}：${answer}`,
  },
  robot_answers: {
    en: ({ status, answer }: { status: number; answer: string }) => `the robot answers HTTP ${status}: ${answer}`,
    zh: ({ status, answer }) => `机器人返回 HTTP ${status}：${answer}`,
  },
  no_robot: {
    en: ({ answer }: { answer: string }) =>
      `no answer of a robot: ${answer}: compare the address with the one that the robot shows`,
    zh: ({ answer }) => `返回的不是机器人的应答（${answer}），请核对机器人的地址`,
  },
  robot_refuses: {
    en: (one: RobotAnswer & Readonly<Record<string, string | number>>) =>
      `the robot refuses it with code ${one.answer}${after(': ', meaningIn('en', one))} (${one.message})`,
    zh: one => `机器人拒绝了消息，代码 ${one.answer}${after('：', meaningIn('zh', one))}（${one.message}）`,
  },
});
