import { wordOf } from './audit-names.ts';
import { withRemedy } from './checks.ts';
import { type FileOfKey, fileFaultInChinese } from './config-files.ts';
import { flushTooFast, legacySuites, usedTwice } from './machine-findings.ts';
import { refusals } from './refusals.ts';
import { inChinese, sentences } from './sentences.ts';

const doubtEn = wordOf({
  'before the program': 'its clock is before the day that this program was made',
  'behind its records': 'its clock is behind its newest record',
  unlikely: 'its clock is more than ten years after the day that this program was made',
});
const doubtZh = wordOf({
  'before the program': '其时钟早于本程序的生成日期',
  'behind its records': '其时钟早于最新的记录',
  unlikely: '其时钟比本程序的生成日期晚十年以上',
});

const newDevices = refusals.say('too_many_new_devices', { detail: '' });

/** Conditions that work and should not stay so, each with what to do. */
export const boxWarnings = sentences({
  legacy_suites: withRemedy(legacySuites),
  not_encrypted: {
    en: ({ keys }: { keys: string }) =>
      `not encrypted: ${keys} (upstream.insecure): everybody on the way reads and changes what passes: write mqtts:// or https://`,
    zh: ({ keys }) =>
      `未加密：${keys}（upstream.insecure）：沿途任何人都能读取和更改传输的内容，请改用 mqtts:// 或 https://`,
  },
  time_unknown: {
    en: ({ doubt }: { doubt: string }) =>
      `the box does not know the time (${doubtEn(doubt)}): terminals that ask for it get code 503, and records have no known time of receipt; let the box reach a time server (NTP, UDP port 123), or set its clock`,
    zh: ({ doubt }) =>
      `网关不知道准确时间（${doubtZh(doubt)}）：终端请求时间时得到 503，记录没有可靠的接收时间；请让网关能访问时间服务器（NTP，UDP 端口 123），或设置其时钟`,
  },
  certificate_not_taken: {
    en: ({ key, why }: FileOfKey) =>
      `${key}: ${why}: the certificate before stays in use; put a certificate and its key that belong together in place, and they are taken within a minute`,
    zh: of => `${fileFaultInChinese(of)}：继续使用原证书；请放入相互匹配的证书和密钥，一分钟内即被采用`,
  },
  new_devices_refused: {
    en: ({ product, refused }: { product: string; refused: number }) =>
      `${product}: ${refused} logins of new devices were refused in the last hour. ${newDevices.reason}`,
    zh: ({ product, refused }) =>
      `${product}：最近一小时拒绝了新设备的 ${refused} 次登录。${inChinese({ ...newDevices, params: { detail: product } }, refusals)}`,
  },
  new_devices_open: {
    en: ({ product, until }: { product: string; until: string }) =>
      `${product}: new devices are let in without a limit until ${until}`,
    zh: ({ product, until }) => `${product}：在 ${until} 之前不限量接入新设备`,
  },
  device_used_twice: withRemedy(usedTwice),
  flush_too_fast: withRemedy(flushTooFast),
});
