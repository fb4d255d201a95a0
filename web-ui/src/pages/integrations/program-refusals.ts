type Said = (...found: string[]) => string;

/** Mistakes in a request in JSON, as in `src/events/asked.ts`, and in Chinese. */
const mistakes: readonly (readonly [RegExp, Said])[] = [
  [/^response_topic: write a topic below (.+)$/, topic => `response_topic 须为 ${topic} 之下的主题。`],
  [/^kind: write (.+)$/, kinds => `kind 须为 ${kinds} 之一。`],
  [/^kind: the token does not allow (.+)$/, filter => `令牌不允许 ${filter}。`],
  [/^after: write/, () => 'after 须为最后收到的事件的 seq，或 0。'],
  [/^limit: write a whole number from (\d+) to (\d+)$/, (from, to) => `limit 须为 ${from} 到 ${to} 的整数。`],
  [/^timeout_s: write a whole number from (\d+) to (\d+)$/, (from, to) => `timeout_s 须为 ${from} 到 ${to} 的整数。`],
  [/^action: write/, () => 'action 须为设备认识的动作码。'],
  [/^action: (\d+) is answered or sent by the box itself$/, code => `动作码 ${code} 由网关自己处理。`],
  [/^action: the token does not allow (\d+)$/, code => `令牌不允许动作码 ${code}。`],
  [/^data: write an object$/, () => 'data 须为 JSON 对象。'],
  [/^the payload is no JSON object$/, () => '内容不是 JSON 对象。'],
  [/^(\d+) requests wait already$/, count => `已有 ${count} 个请求在等待。`],
  [/^(\d+) commands wait for answers already$/, count => `已有 ${count} 条命令在等待回答。`],
  [/^(.+): no such device$/, id => `没有设备 ${id}。`],
  [/^(.+): not connected; nothing was sent$/, id => `设备 ${id} 未连接，未发送。`],
];

/** Sentences of the broker for a refusal, and in Chinese; both have the remedy. */
const sentences: readonly (readonly [RegExp, Said])[] = [
  [/^no token was sent:/, () => '没有发送令牌：用户名填程序名称，密码填它的令牌。'],
  [/^the token is not known,/, () => '令牌不存在、已失效，或不是站点程序的令牌：请在本页新建一个。'],
  [/^the token is of the program (.+): log in/, name => `这是程序 ${name} 的令牌：请用该名称作为用户名登录。`],
  [/^the program has (\d+) connections already/, count => `该程序已有 ${count} 个连接：请先断开一个。`],
  [
    /^the program has (\d+) sessions that outlive/,
    count => `该程序已有 ${count} 个保留的会话：请使用其中一个客户端标识，或使用 clean session。`,
  ],
  [
    /^may not subscribe to (.+): its token allows (.+)$/,
    (filter, allowed) => `不能订阅 ${filter}：令牌只允许 ${allowed}。需要更多时请新建令牌。`,
  ],
  [
    /^may not subscribe to (.+): it has (\d+) subscriptions already$/,
    (filter, count) => `不能订阅 ${filter}：已有 ${count} 个订阅。请用通配符合并。`,
  ],
  [
    /^may not publish to (.+): the connection was ended$/,
    topic => `不能发布到 ${topic}，连接已断开。程序只能发布到 apps 下它自己的主题。`,
  ],
  [
    /^published more than (\d+) messages in a second: the connection was ended$/,
    count => `一秒内发布超过 ${count} 条消息，连接已断开：请放慢发布。`,
  ],
  [
    /^published a retained message beyond the (\d+)/,
    count => `保留消息超过 ${count} 条，连接已断开：请先用空消息清除旧的保留消息。`,
  ],
  [/^more than (\d+) commands in a second/, count => `一秒内命令超过 ${count} 条，未发送：请放慢发送。`],
  [/^a replay was refused: (.+)$/, why => `补发请求被拒绝：${saidBy(mistakes, why)}`],
  [/^a command was refused: (.+)$/, why => `命令被拒绝：${saidBy(mistakes, why)}`],
  [/^the connection was ended: (.+)$/, why => `连接已断开：${why}`],
];

/** Remedies that the broker does not name. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/^may not subscribe to .+: its token allows/, 'Make a new token to let it hear more.'],
  [/^may not subscribe to .+: it has/, 'Put some together with wildcards.'],
  [/^may not publish to/, 'A program publishes below its own topic in apps alone.'],
  [/^published a retained/, 'Remove old ones with empty messages first.'],
  [/^more than .+ commands/, 'Let it send less often.'],
  [/^published more than/, 'Let it publish less often.'],
];

/** Filters as people write them. */
const short = (why: string): string => why.replaceAll('gatehouse/v1/', '');

export function refusalInEnglish(why: string): string {
  const remedy = remedies.find(([pattern]) => pattern.test(why))?.[1];
  const said = short(why);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${remedy ? `. ${remedy}` : ''}`;
}

export const refusalInChinese = (why: string): string => saidBy(sentences, short(why));

/** A sentence that is not known here stays as it is. */
function saidBy(among: readonly (readonly [RegExp, Said])[], text: string): string {
  for (const [pattern, said] of among) {
    const found = pattern.exec(text);
    if (found) return said(...found.slice(1));
  }
  return text;
}
