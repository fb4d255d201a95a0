import { innerWhyInChinese } from '../reasons.ts';
import { sentences, type WithWhy } from '../sentences.ts';

/** Log lines of the alerts. */
export const alertsLog = sentences({
  alert_not_sent: { en: 'an alert did not get through', zh: '一条告警未能送达' },
  alerts_not_stored: { en: 'alerts cannot be stored; they are sent all the same', zh: '告警无法保存，但仍会发送' },
  alerts_not_opened: { en: 'the alerts could not be opened; tried again in 5 s', zh: '告警未能启动，5 秒后重试' },
  alerts_not_read: { en: 'the alerts could not be read; tried again in 30 s', zh: '告警未能读取，30 秒后重试' },
  alerts_not_checked: { en: 'the alerts could not be looked at; tried again in 30 s', zh: '未能检查告警，30 秒后重试' },
  alert_channel_warning: {
    en: ({ why }: WithWhy) => String(why),
    zh: of => `告警渠道：${innerWhyInChinese(of)}`,
  },
});
