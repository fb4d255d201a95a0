import { joinOutcomes, radioFaults } from '../../words/own-network.ts';
import { asSentence, type GivenReason } from '../../words/sentences.ts';
import { siteDeviceFailures } from '../../words/site-devices.ts';
import { wifiKeyProblems } from '../../words/wifi-keys.ts';

/**
 * The texts of the captive page in both languages. A key that is missing in one of them is a type
 * error.
 */
const en = {
  title: 'Set up this gateway',
  choose: 'Wi-Fi network',
  other: 'Hidden network (enter the name below)',
  name: 'Network name',
  password: 'Password (not for an open network)',
  go: 'Connect',
  none: 'No networks found. Enter the name of your network',
  scanned: (minutes: number) => `Scanned ${minutes === 0 ? 'just now' : `${minutes} min ago`}`,
  last: 'Last attempt failed',
  trying: 'The gateway leaves this hotspot and joins the network.',
  next: 'Connect your phone to the same network: the app shows the result. If this hotspot returns within two minutes, the attempt failed: connect to it again to read why.',
  device: 'Device',
  version: 'Version',
  percent: (quality: number) => `${quality} %`,
  unencrypted: 'open',
  foreign: 'This form was sent from another page. Open this page again.',
  busy: 'An attempt is already running. Wait two minutes.',
} as const;

type Words = { readonly [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : (typeof en)[Key] };

const zh: Words = {
  title: '设置网关',
  choose: '选择 Wi-Fi',
  other: '隐藏网络（在下面输入名称）',
  name: 'Wi-Fi 名称',
  password: '密码（开放网络无需填写）',
  go: '连接',
  none: '未搜索到网络，请输入 Wi-Fi 名称',
  scanned: (minutes: number) => (minutes === 0 ? '刚刚搜索' : `${minutes} 分钟前搜索`),
  last: '上一次配置失败',
  trying: '网关正在离开此热点并加入所选网络。',
  next: '请将手机连接到同一 Wi-Fi，结果会显示在 App 中。如果两分钟内此热点再次出现，说明配置失败：重新连接热点即可查看原因。',
  device: '设备',
  version: '版本',
  percent: (quality: number) => `${quality}%`,
  unencrypted: '开放',
  foreign: '此表单来自其他页面，请重新打开本页。',
  busy: '正在配置中，请等待两分钟。',
};

export interface HotspotWords {
  readonly language: 'zh-CN' | 'en';
  readonly words: Words;
  /** Why an attempt failed, or why settings cannot be used. */
  reason(given: GivenReason): string;
}

/** By what the phone asks for (`Accept-Language`), else by the site's language. */
export function hotspotWords(accepted: string | undefined, locale: string): HotspotWords {
  const first = accepted?.split(',')[0]?.trim().toLowerCase();
  const chinese = (first || locale.toLowerCase()).startsWith('zh');
  return {
    language: chinese ? 'zh-CN' : 'en',
    words: chinese ? zh : en,
    reason: given =>
      asSentence(chinese ? 'zh' : 'en', given, joinOutcomes, radioFaults, siteDeviceFailures, wifiKeyProblems),
  };
}
