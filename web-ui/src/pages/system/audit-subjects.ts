type Words = readonly (readonly [pattern: RegExp, words: string | ((...found: string[]) => string)])[];

/** `… to 2025-06-30, 2026-11-01 to …` */
const stints = (text: string): string =>
  text
    .split(', ')
    .map(stint =>
      stint
        .replace(/^always$/, '一直')
        .replace(' to ', ' 至 ')
        .replace(/^… 至 /, '至 '),
    )
    .join('、');
/** `annual 2026-11-02T09:00 to 2026-11-02T18:00, approved`, or a state alone. */
const leave = (text: string): string =>
  text.replace(
    /^(?:(.*) (\S+) to (\S+), )?(asked|approved|refused|withdrawn)$/,
    (_all, kind: string | undefined, from: string, to: string, state: string) =>
      `${kind === undefined ? '' : `${kind} ${from} 至 ${to}，`}${states[state]}`,
  );
/** `day day off from 2026-11-01 to 2026-11-30` */
const rule = (text: string): string =>
  text.replace(
    /^(.*) from (\S+?)(?: to (\S+))?$/,
    (_all, cycle: string, from: string, to: string | undefined) =>
      `${cycle.replaceAll(/(?<=^| )off(?= |$)/g, '休')}，${from} 起${to === undefined ? '' : `至 ${to}`}`,
  );
const dayKind = (text: string): string =>
  text
    .replace(/^rest$/, '休息日')
    .replace(/^workday$/, '工作日')
    .replace(/^legal_holiday$/, '法定节假日')
    .replace(/^makeup for weekday (\d)$/, '按星期 $1 上班')
    .replace(/^shift /, '班次 ');
const shift = (text: string): string =>
  text
    .replaceAll(/ break (?=\d)/g, ' 休息 ')
    .replace(/ grace (\S+)$/, ' 宽限 $1')
    .replace(/ min$/, ' 分钟');
const whose = (text: string): string =>
  text
    .replace(/^the site$/, '全站点')
    .replace(/^person /, '人员 ')
    .replace(/^department /, '部门 ');
const list = (text: string): string =>
  text
    .replaceAll(', ', '、')
    .replace(/^none$/, '无')
    .replace(/(?:; and| and) (\d+) more$/, ' 等，另有 $1 个');
const both = (text: string, one: (part: string) => string): string => text.split(' → ').map(one).join(' → ');

const states: Readonly<Record<string, string>> = {
  asked: '待审批',
  approved: '已批准',
  refused: '已驳回',
  withdrawn: '已撤回',
  closed: '已关账',
  'reopening asked': '申请反关账',
  open: '已反关账',
};
const kinds: Readonly<Record<string, string>> = {
  employees: '人员',
  departments: '部门',
  shifts: '班次',
  rosters: '排班',
  schedules: '排班',
  leaves: '请假',
  calendar: '日历',
  records: '记录',
  logs: '日志',
  backups: '备份',
  files: '文件',
  packages: '安装包',
  speech: '语音文件',
  checkins: '打卡记录',
  access: '通行记录',
  'checkin-report': '打卡上报',
  'access-report': '通行上报',
  rules: '触发条件',
  quiet: '静默时段',
  channels: '发送渠道',
  schedule: '时间',
  targets: '目标',
  name: '名称',
  timezone: '时区',
  locale: '语言',
  image: '系统映像',
  program: '程序',
};
const kind = (text: string): string => kinds[text] ?? text;
const marks: Readonly<Record<string, string>> = { attendance: '考勤接口', services: '公共服务', oauth: '登录授权' };

const inChinese: Words = [
  [/^needs the role admin\b/, '需要管理员权限'],
  [/^needs the role staff\b/, '需要职员权限'],
  [/^needs the role viewer\b/, '需要登录权限'],
  [/^with secrets$/, '包含密钥'],
  [/^employment of ([^:]*): (.*)$/, (_all, who, spans) => `${who} 的在职日期：${both(spans!, stints)}`],
  [/^leave of ([^:]*): (.*)$/, (_all, who, leaves) => `${who} 的请假：${both(leaves!, leave)}`],
  [/^leave (\d+): (.*)$/, (_all, id, leaves) => `请假 ${id}：${both(leaves!, leave)}`],
  [/^roster of ([^:]*): (.*)$/, (_all, who, rules) => `${whose(who!)} 的排班：${both(rules!, rule)}`],
  [
    /^(\d{4}-\d{2}-\d{2}) of ([^:]*): (.*)$/,
    (_all, day, who, what) => `${whose(who!)} 的 ${day}：${both(what!, dayKind)}`,
  ],
  [
    /^shift ([^\s:]+)(?: from (\S+?))?(?:: (.*))?$/,
    (_all, code, from, what) =>
      `班次 ${code}${from === undefined ? '' : `，${from} 起`}${what === undefined ? '' : `：${both(what, shift)}`}`,
  ],
  [/^all entries$/, '全部记录'],
  [/^(\d+) bytes$/, '$1 字节'],
  [/^features of (.*)$/, '$1 的特征'],
  [/^photo of a stranger, passage (\d+)$/, '陌生人的照片，门禁记录 $1'],
  [/^photo of passage (\d+)$/, '照片，门禁记录 $1'],
  [/^photo of (.*), passage (\d+)$/, '$1 的照片，门禁记录 $2'],
  [/^check-ins of (\d{4}-\d{2})(.*)$/, '$1 的打卡记录$2'],
  [/^columns of the month for payroll: (.*)$/, '月度汇总的列：$1'],
  [
    /^month (\S+), (.*), revision (\d+)(?:, (\d+) people, hash (\w+))?(.*)$/,
    (_all, month, scope, revision, people, hash, rest) =>
      `${month}，${scope === 'the whole site' ? '全部人员' : scope}，第 ${revision} 版${
        people === undefined ? '' : `，${people} 人，校验值 ${hash}`
      }${rest!.replace(
        /^: (closed|reopening asked) → (\w+(?: asked)?)/,
        (_pair, from: string, to: string) => `：${states[from]} → ${states[to] ?? to}`,
      )}`,
  ],
  [/^month (\d{4}-\d{2})(.*)$/, '$1 的月度汇总$2'],
  [
    /^correction (\d+) (asked|approved): undoes correction (\d+) \((.*)\); (.*)$/,
    (_all, id, state, undone, items, why) =>
      `更正 ${id}（${states[state!]}）：撤销更正 ${undone}（${list(items!)}）；${why}`,
  ],
  [
    /^correction (\d+) (asked|approved): (.*)$/,
    (_all, id, state, items) =>
      `更正 ${id}（${states[state!]}）：${items!
        .replaceAll(/(?<=: )none → /g, '补录 ')
        .replaceAll(/ → set aside(?=;)/g, ' → 无效')
        .replaceAll(/ → counts on (?=\d{4}-)/g, ' → 计入 ')
        .replace(/; and (\d+) more(?=;)/, '；另有 $1 条')}`,
  ],
  [
    /^correction (\d+): asked → (\w+) \((.*)\)$/,
    (_all, id, state, items) => `更正 ${id}：待审批 → ${states[state!]}（${list(items!)}）`,
  ],
  [/^new devices of (\S+) for an hour$/, '$1 的新设备，一小时'],
  [/^(\S+) to this box$/, '$1，移到本网关'],
  [/^(\S+) to (\S+)$/, '$1，移到 $2'],
  [/^may receive people's data: (.*)$/, (_all, ids) => `允许接收人员数据：${list(ids!)}`],
  [/^receives no people's data: (.*)$/, (_all, ids) => `不再接收人员数据：${list(ids!)}`],
  [/^blocked: (.*)$/, (_all, ids) => `停用：${list(ids!)}`],
  [/^let in again: (.*)$/, (_all, ids) => `恢复接入：${list(ids!)}`],
  [/^moved to department ([^:]*): (.*)$/, (_all, to, ids) => `移到部门 ${to}：${list(ids!)}`],
  [/^last day ([^:]*): (.*)$/, (_all, day, ids) => `最后工作日 ${day}：${list(ids!)}`],
  [/^employed again: (.*)$/, (_all, ids) => `恢复在职：${list(ids!)}`],
  [/^as before change (\d+) of many: (.*)$/, (_all, id, ids) => `撤销批量更改 ${id}：${list(ids!)}`],
  [/^(\w+): looked at only$/, (_all, what) => `${kind(what!)}：仅检查`],
  [
    /^(\w+): (\d+) of (\d+) (?:rows|entries) changed$/,
    (_all, what, n, of) => `${kind(what!)}：${of} 行中有 ${n} 行更改`,
  ],
  [
    /^(records|logs|backups|files|packages|speech)(?:, (\d+) days)?: (\d+) kB$/,
    (_all, what, days, kB) => `${kind(what!)}${days === undefined ? '' : `，保存 ${days} 天`}：腾出 ${kB} kB`,
  ],
  [
    /^(checkins|access|checkin-report|access-report)( with photos)?$/,
    (_all, what, photos) => `${kind(what!)}${photos === undefined ? '' : '，含照片'}`,
  ],
  [/^no device id: not genuine$/, '不是设备 ID：不符'],
  [/^(\S+): genuine$/, '$1：真实'],
  [/^(\S+): not genuine$/, '$1：不符'],
  [
    /^(records|logs|name|timezone|locale)(?: kept)?: .* → .*$/,
    text =>
      text!
        .split('; ')
        .map(one =>
          one
            .replace(
              /^(records|logs) kept: (\d+) → (\d+) days$/,
              (_all, what, from, to) => `${kind(what)}保存天数：${from} → ${to}`,
            )
            .replace(/^(name|timezone|locale): /, (_all, what) => `${kind(what)}：`),
        )
        .join('；'),
  ],
  [
    /^(image|program) (\S+)(?:, older than (\S+): allowed)?$/,
    (_all, what, version, than) => `${kind(what!)} ${version}${than === undefined ? '' : `，早于 ${than}：已允许`}`,
  ],
  [
    /^((?:rules|quiet|channels|schedule|targets)(?:, (?:rules|quiet|channels|schedule|targets))*)$/,
    text => text!.split(', ').map(kind).join('、'),
  ],
  [/^(attendance|services|oauth) (\S+)((?:\s.*)?)$/, (_all, what, id, rest) => `${marks[what!]} ${id}${rest}`],
];

/** The subject of an entry, which the box writes in English; what is not known stays as it is. */
export function subjectInChinese(text: string): string {
  for (const [pattern, words] of inChinese)
    if (pattern.test(text)) return text.replace(pattern, words as (...found: string[]) => string);
  return text;
}
