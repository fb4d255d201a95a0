import { innerWhyInChinese } from '../reasons.ts';
import { sentences, type WithWhy } from '../sentences.ts';

/** Log lines of attendance and the organization. */
export const attendanceLog = sentences({
  organization_updated: { en: 'the organization was updated from the cloud', zh: '已从云平台更新组织架构' },
  organization_follows_cloud: { en: 'the organization follows the cloud', zh: '组织架构与云平台同步' },
  organization_not_following: {
    en: ({ why }: WithWhy) => `the organization does not follow the cloud: ${why}`,
    zh: one => `组织架构未与云平台同步：${innerWhyInChinese(one)}`,
  },
  organization_not_fetched: {
    en: 'the organization could not be fetched from the cloud',
    zh: '未能从云平台取得组织架构',
  },
  people_missing_in_cloud: {
    en: 'people or departments are missing in the lists of the cloud: they are hidden, not deleted',
    zh: '云平台的列表缺少人员或部门：已隐藏，没有删除',
  },
  organization_change_refused: {
    en: 'the cloud refused a change of the organization',
    zh: '云平台拒绝了一项组织架构更改',
  },
  records_of_other_cloud: {
    en: 'upstream.attendance names another cloud: its records are copied from the beginning; those of the earlier one stay',
    zh: 'upstream.attendance 指向另一个云平台：从头复制其记录，原有的保留',
  },
  cloud_records_copied: { en: 'records of the cloud were copied', zh: '已从云平台复制记录' },
  cloud_records_not_copied: { en: 'no records could be copied from the cloud', zh: '未能从云平台复制记录' },
  people_not_sent_to_terminal: {
    en: 'people could not be sent to a terminal; they are sent at the next change',
    zh: '人员未能下发到终端，下次更改时再下发',
  },
  leavers_taken_off_terminals: {
    en: 'people whose last day is over are taken off the terminals',
    zh: '正在从终端删除已过最后工作日的人员',
  },
  leavers_not_taken_off_terminals: {
    en: 'people who have left could not be taken off the terminals; it is tried again in a minute',
    zh: '未能从终端删除离职人员，一分钟后重试',
  },
  closing_not_taken_up: {
    en: 'a closing that was cut could not be begun again; it is tried again in a minute',
    zh: '未能重新开始中断的封存，一分钟后重试',
  },
  late_changes_not_checked: {
    en: 'late changes of closed months could not be looked for; it is tried again in 10 minutes',
    zh: '未能检查已封存月份的后续变化，10 分钟后重试',
  },
  daily_reports_not_read: {
    en: 'the daily attendance reports could not be read; tried again in 30 s',
    zh: '考勤日报的设置未能读取，30 秒后重试',
  },
  daily_report_not_made: {
    en: 'a daily attendance report could not be made; tried again in 30 s',
    zh: '一份考勤日报未能生成，30 秒后重试',
  },
  daily_report_not_sent: {
    en: ({ why }: WithWhy) => `a daily attendance report did not get through, it is tried again: ${why}`,
    zh: one => `一份考勤日报未能送达，将重试：${innerWhyInChinese(one)}`,
  },
  daily_report_given_up: {
    en: ({ why }: WithWhy) => `a daily attendance report was given up: ${why}`,
    zh: one => `一份考勤日报已放弃发送：${innerWhyInChinese(one)}`,
  },
  statement_made: { en: 'the daily statement was made', zh: '已生成当日对账单' },
  statement_not_made: {
    en: 'the daily statement could not be made; it is tried again in 10 minutes',
    zh: '当日对账单未能生成，10 分钟后重试',
  },
  clock_ahead_of_statement: {
    en: 'the clock is far ahead of the last statement: it is believed in two days',
    zh: '时钟远晚于上一份对账单，两天后才予采信',
  },
});
