/** What the calls for the site's own programs say of their parameters, fields and answers, in Chinese. */
export const eventTexts: Readonly<Record<string, string>> = {
  'The last `seq` that is known': '已知的最后一个 `seq`',
  'In place of `after`: what the box received since this moment, in milliseconds since 1970':
    '代替 `after`：网关自此时刻起收到的事件，自 1970 年起的毫秒数',
  'Rises within a kind': '在同一类中递增',
  'The `seq` of the event before it; of the first of a page, `after`': '前一个事件的 `seq`；每页第一个为 `after`',
  'Empty: only the cloud lists the record': '空：只有云端列有该记录',
  '`after` of the next page': '下一页的 `after`',
  'Whether there may be more now': '现在是否可能还有',
  'Another one: the box has another store, and its numbers are others': '若已改变：网关的存储已更换，序号也随之不同',
  'The token does not hear the whole kind': '令牌不能接收这一类的全部事件',
  'Such as `checkins,access`; absent: all': '例如 `checkins,access`；缺省：全部',
  'The id of the last message that is known, or its `seq` if one kind is asked for; absent: from now on':
    '已知的最后一条消息的 ID；只要一类时也可为其 `seq`；缺省：从现在起',
  'As `after`, and before it: sent by browsers that come again': '同 `after`，且优先于它：浏览器重新连接时发送',
  'Where programs log in; null: `listen.events` is off': '程序登录的地址；null：`listen.events` 已关闭',
  'By name': '按名称排列',
  'Of the token': '令牌的编号',
  'Filters of topics': '主题过滤器',
  'Action codes that it may send': '可发送的 action 代码',
  'Whether it hears people’s data': '是否接收人员数据',
  'Over MQTT, now': '当前的 MQTT 连接数',
  'Events that it was too slow for, since the start of the box': '网关启动以来因其读取过慢而丢弃的事件数',
  'The last one since the start of the box; null: none': '网关启动以来最近一次；null：没有',
  'What was refused, why, and what to do': '拒绝了什么、原因和处理办法',
  'Names without a token that tried to log in, the newest first': '没有令牌却尝试登录的名称，最新的在前',
  'The programs': '程序',
  'Null: the role is not events': 'null：角色不是 events',
  'Whether a program with this token hears people’s data': '持此令牌的程序是否接收人员数据',
  'Of role events: the filters of topics that it may subscribe to, below gatehouse/v1; null: no people’s data':
    '角色 events：可订阅的主题过滤器，位于 gatehouse/v1 之下；null：不含人员数据',
  'Of role events: the action codes that it may send to devices; null: none':
    '角色 events：可向设备发送的 action 代码；null：无',
  'A filter that is none, or rights that belong to another role': '过滤器无效，或权限属于另一角色',
};
