import { sentences } from '../sentences.ts';

/** Log lines of the pages. */
export const adminLog = sentences({
  changes_not_sent_to_pages: {
    en: 'the latest changes could not be sent to the open pages',
    zh: '最新变化未能发送到打开的网页',
  },
  report_not_written: { en: 'a report could not be written completely', zh: '报表未能完整写出' },
  closed_month_not_written: { en: 'a closed month could not be written completely', zh: '封存文件未能完整写出' },
  payroll_month_not_written: { en: 'a month for payroll could not be written completely', zh: '月度汇总未能完整写出' },
  backup_restored: { en: 'a backup was restored: the box restarts with it', zh: '已恢复备份，网关将用它重新启动' },
});
