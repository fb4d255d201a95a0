import { inChinese, inEnglish, sentences } from './sentences.ts';

/** Mistakes in a request in JSON of a program of the site. */
export const requestMistakes = sentences({
  bad_response_topic: {
    en: ({ topic }: { topic: string }) => `response_topic: write a topic below ${topic}`,
    zh: ({ topic }) => `response_topic 须为 ${topic} 之下的主题。`,
  },
  bad_event_kind: {
    en: ({ kinds }: { kinds: string }) => `kind: write ${kinds}`,
    zh: ({ kinds }) => `kind 须为 ${kinds} 之一。`,
  },
  kind_not_allowed: {
    en: ({ kind }: { kind: string }) => `kind: the token does not allow ${kind}/#`,
    zh: ({ kind }) => `令牌不允许 ${kind}/#。`,
  },
  bad_after: {
    en: 'after: write the seq of the last event, or 0',
    zh: 'after 须为最后收到的事件的 seq，或 0。',
  },
  not_whole: {
    en: ({ field, min, max }: { field: string; min: number; max: number }) =>
      `${field}: write a whole number from ${min} to ${max}`,
    zh: ({ field, min, max }) => `${field} 须为 ${min} 到 ${max} 的整数。`,
  },
  bad_action: {
    en: 'action: write the action code that the device knows',
    zh: 'action 须为设备认识的动作码。',
  },
  action_of_box: {
    en: ({ action }: { action: number }) => `action: ${action} is answered or sent by the box itself`,
    zh: ({ action }) => `动作码 ${action} 由网关自己处理。`,
  },
  action_not_allowed: {
    en: ({ action }: { action: number }) => `action: the token does not allow ${action}`,
    zh: ({ action }) => `令牌不允许动作码 ${action}。`,
  },
  data_no_object: { en: 'data: write an object', zh: 'data 须为 JSON 对象。' },
  payload_no_object: { en: 'the payload is no JSON object', zh: '内容不是 JSON 对象。' },
  payload_no_text: { en: ({ why }: { why: string }) => String(why), zh: '内容不是 UTF-8 编码的文本。' },
  too_many_requests: {
    en: ({ count }: { count: number }) => `${count} requests wait already`,
    zh: ({ count }) => `已有 ${count} 个请求在等待。`,
  },
  too_many_commands: {
    en: ({ count }: { count: number }) => `${count} commands wait for answers already`,
    zh: ({ count }) => `已有 ${count} 条命令在等待回答。`,
  },
  no_such_device: {
    en: ({ device }: { device: string }) => `${device}: no such device`,
    zh: ({ device }) => `没有设备 ${device}。`,
  },
  device_not_connected: {
    en: ({ device }: { device: string }) => `${device}: not connected; nothing was sent`,
    zh: ({ device }) => `设备 ${device} 未连接，未发送。`,
  },
  too_fast: {
    en: ({ max }: { max: number }) => `more than ${max} commands in a second: nothing was sent`,
    zh: ({ max }) => `一秒内命令超过 ${max} 条，未发送：请放慢发送。`,
  },
});

/** A request that was refused, with the code and the values of its mistake. */
type Mistaken = { readonly mistake: string } & Readonly<Record<string, string | number>>;
const mistakeOf = ({ mistake, ...params }: Mistaken) => ({ reason: mistake, code: mistake, params });

/** Why a program of the site was refused, and what to do. */
export const programRefusals = sentences({
  no_token: {
    en: 'no token was sent: the user name is the name of the program, the password its token',
    zh: '没有发送令牌：用户名填程序名称，密码填它的令牌。',
  },
  unknown_token: {
    en: 'the token is not known, has ended, or is not of role events: make one with `gatehouse token create --role events`',
    zh: '令牌不存在、已失效，或不是订阅程序的令牌：请在本页新建一个。',
  },
  token_of_other: {
    en: ({ program }: { program: string }) =>
      `the token is of the program ${program}: log in with that as the user name`,
    zh: ({ program }) => `这是程序 ${program} 的令牌：请用该名称作为用户名登录。`,
  },
  program_connections_max: {
    en: ({ count }: { count: number }) => `the program has ${count} connections already: close one`,
    zh: ({ count }) => `该程序已有 ${count} 个连接：请先断开一个。`,
  },
  too_many_sessions: {
    en: ({ count }: { count: number }) =>
      `the program has ${count} sessions that outlive their connections already: use one of their client ids, or a clean session`,
    zh: ({ count }) => `该程序已有 ${count} 个保留的会话：请使用其中一个客户端标识，或使用 clean session。`,
  },
  session_without_id: {
    en: 'it asks for a session that outlives its connection, without a client id: give it one, or a clean session',
    zh: '该程序要求保留会话，但没有客户端标识：请设置客户端标识，或使用 clean session。',
  },
  bridge_state: {
    en: 'published the state of a bridge, which is dropped: set `notifications false` there',
    zh: '发布了桥接状态，已丢弃：请在桥接的配置中设置 notifications false。',
  },
  filter_not_allowed: {
    en: ({ filter, allowed }: { filter: string; allowed: string }) =>
      `may not subscribe to ${filter}: its token allows ${allowed}. Make a new token to let it hear more`,
    zh: ({ filter, allowed }) => `不能订阅 ${filter}：令牌只允许 ${allowed}。需要更多时请新建令牌。`,
  },
  too_many_subscriptions: {
    en: ({ filter, count }: { filter: string; count: number }) =>
      `may not subscribe to ${filter}: it has ${count} subscriptions already. Put some together with wildcards`,
    zh: ({ filter, count }) => `不能订阅 ${filter}：已有 ${count} 个订阅。请用通配符合并。`,
  },
  topic_not_allowed: {
    en: ({ topic }: { topic: string }) =>
      `may not publish to ${topic}: the connection was ended. A program publishes below its own topic in apps alone`,
    zh: ({ topic }) => `不能发布到 ${topic}，连接已断开。程序只能发布到 apps 下它自己的主题。`,
  },
  published_too_fast: {
    en: ({ max }: { max: number }) =>
      `published more than ${max} messages in a second: the connection was ended. Let it publish less often`,
    zh: ({ max }) => `一秒内发布超过 ${max} 条消息，连接已断开：请放慢发布。`,
  },
  too_many_retained: {
    en: ({ max }: { max: number }) =>
      `published a retained message beyond the ${max} that it may have: the connection was ended. Remove old ones with empty messages first`,
    zh: ({ max }) => `保留消息超过 ${max} 条，连接已断开：请先用空消息清除旧的保留消息。`,
  },
  replay_refused: {
    en: (one: Mistaken) => `a replay was refused: ${inEnglish(mistakeOf(one), requestMistakes)}`,
    zh: one => `补发请求被拒绝：${inChinese(mistakeOf(one), requestMistakes)}`,
  },
  command_refused: {
    en: (one: Mistaken) => `a command was refused: ${inEnglish(mistakeOf(one), requestMistakes)}`,
    zh: one => `命令被拒绝：${inChinese(mistakeOf(one), requestMistakes)}`,
  },
  connection_ended: {
    en: ({ error }: { error: string }) => `the connection was ended: ${error}`,
    zh: ({ error }) => `连接已断开：${error}`,
  },
});
