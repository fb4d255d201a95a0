/**
 * The texts of the captive page in both languages. A key that is missing in one of them is a type
 * error.
 */
const en = {
  title: 'Set up this box',
  choose: 'Wifi network',
  other: 'Another network (hidden): type its name below',
  name: 'Name of the network',
  password: 'Password (empty: open network)',
  go: 'Connect',
  none: 'No network was found before this hotspot was opened. Type the name of yours.',
  scanned: (minutes: number) => `Networks as they were ${minutes === 0 ? 'just now' : `${minutes} min ago`}.`,
  last: 'The last attempt failed',
  trying: 'The box now leaves this hotspot and joins the network.',
  next: 'Put your phone into the same network: the app shows the result there. If this hotspot comes back within two minutes, it failed: join it again to read why.',
  device: 'Device',
  version: 'Version',
  percent: (quality: number) => `${quality} %`,
  unencrypted: 'open',
  bad: {
    ssid: 'The name of the network is missing, or longer than 32 bytes.',
    authenc: 'This kind of network is not known.',
    key: 'The password does not fit this network: 8 to 63 characters (WEP: 5 or 13).',
  },
  foreign: 'This form was sent from another page. Open this page again.',
  busy: 'An attempt is under way already. Wait two minutes.',
} as const;

type Said<T> = T extends string
  ? string
  : T extends object
    ? T extends (...args: never) => unknown
      ? T
      : { readonly [K in keyof T]: Said<T[K]> }
    : T;
type Words = Said<typeof en>;

const zh: Words = {
  title: '设置网关',
  choose: '选择 Wi-Fi',
  other: '其他网络（隐藏）：请在下面输入名称',
  name: 'Wi-Fi 名称',
  password: '密码（开放网络留空）',
  go: '连接',
  none: '打开热点之前没有搜索到网络，请输入您的 Wi-Fi 名称。',
  scanned: (minutes: number) => (minutes === 0 ? '以下是刚刚搜索到的网络。' : `以下是 ${minutes} 分钟前搜索到的网络。`),
  last: '上一次配置失败',
  trying: '网关正在离开此热点并加入所选网络。',
  next: '请将手机连接到同一 Wi-Fi，结果会显示在 App 中。如果两分钟内此热点再次出现，说明配置失败：重新连接热点即可查看原因。',
  device: '设备',
  version: '版本',
  percent: (quality: number) => `${quality}%`,
  unencrypted: '开放',
  bad: {
    ssid: '请输入 Wi-Fi 名称（最长 32 字节）。',
    authenc: '不支持此加密方式。',
    key: '密码不符合要求：8 至 63 个字符（WEP 为 5 或 13 个）。',
  },
  foreign: '此表单来自其他页面，请重新打开本页。',
  busy: '正在配置中，请等待两分钟。',
};

/** Why an attempt failed, by the error codes of SPEC 7.6, with what to do. */
const failures: Readonly<Record<'en' | 'zh', Readonly<Record<string, string>>>> = {
  en: {
    '-6': 'It took too long. Move the box nearer to the router and try again.',
    '-5': 'This box does not do 5 GHz wifi. Choose the 2.4 GHz network of the router.',
    '-4': 'Another error. Try again.',
    '-3': 'The name or the password is wrong. Mind capital letters.',
    '-2': 'The router gave no address (DHCP). Check its settings.',
    '-1': 'The router has no way to the internet. Check its settings.',
    '1': 'Names cannot be resolved (DNS). Check the settings of the router.',
    '2': 'The platform cannot be reached. Ask after-sales.',
    '3': 'The platform refused the box. Ask after-sales.',
  },
  zh: {
    '-6': '配置超时。请将网关靠近路由器后重试。',
    '-5': '本设备不支持 5G Wi-Fi，请选择路由器的 2.4G 网络。',
    '-4': '其他配置错误，请重试。',
    '-3': 'Wi-Fi 名称或密码错误，请注意大小写。',
    '-2': '路由器未分配地址（DHCP 失败），请检查路由器设置。',
    '-1': '路由器无法访问外网，请检查路由器设置。',
    '1': '域名解析失败（DNS），请检查路由器设置。',
    '2': '无法连接平台，请联系售后。',
    '3': '平台拒绝接入（认证失败），请联系售后。',
  },
};

export interface HotspotWords {
  readonly language: 'zh-CN' | 'en';
  readonly words: Words;
  failure(error: number | null): string;
}

/** By what the phone asks for (`Accept-Language`), else by the site's language. */
export function hotspotWords(accepted: string | undefined, locale: string): HotspotWords {
  const first = accepted?.split(',')[0]?.trim().toLowerCase();
  const chinese = (first || locale.toLowerCase()).startsWith('zh');
  const all = failures[chinese ? 'zh' : 'en'];
  return {
    language: chinese ? 'zh-CN' : 'en',
    words: chinese ? zh : en,
    failure: error => all[String(error)] ?? all['-4']!,
  };
}
