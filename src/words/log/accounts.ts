import { innerWhyInChinese } from '../reasons.ts';
import { sentences, type WithWhy } from '../sentences.ts';

/** Log lines of logins and the audit log. */
export const accountsLog = sentences({
  sign_in_cloud_not_reached: {
    en: 'the cloud cannot be reached to sign somebody in',
    zh: '无法连接云平台，不能用云平台账号登录',
  },
  cloud_sign_in_failed: {
    en: 'a person who returned from the sign-in at the cloud could not be signed in',
    zh: '从云平台登录返回的用户未能登录',
  },
  audit_log_intact: {
    en: ({ heads }: { heads: string }) => `the audit log is intact: ${heads}`,
    zh: ({ heads }) => `操作记录完整：${heads}`,
  },
  audit_log_broken: {
    en: ({ entry, why }: WithWhy & { entry: number }) => `the audit log is not intact: entry ${entry}: ${why}`,
    zh: one => `操作记录不完整：第 ${one.entry} 条：${innerWhyInChinese(one)}`,
  },
});
