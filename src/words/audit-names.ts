/** Chinese names that the subjects of audit entries share. */

export type Value = string | number;

/** Word of a value; one without a word stays as it is. */
export const wordOf =
  (words: Readonly<Record<string, string>>) =>
  (one: Value): string =>
    words[one] ?? String(one);

export const state = wordOf({
  asked: '待审批',
  approved: '已批准',
  refused: '已驳回',
  withdrawn: '已撤回',
  closed: '已封存',
  'reopening asked': '申请解除封存',
  open: '已解除封存',
});
export const kind = wordOf({
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
  image: '系统映像',
  program: '程序',
  person: '人员',
  department: '部门',
  rest: '休息日',
  workday: '工作日',
  legal_holiday: '法定节假日',
  shift: '班次',
  attendance: '考勤接口',
  services: '公共服务',
  oauth: '登录授权',
});

export const split = (list: Value, by: string): string[] => (list === '' ? [] : String(list).split(by));
