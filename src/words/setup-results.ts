import { wordOf } from './audit-names.ts';
import { sentences } from './sentences.ts';

/** Outcome of a network configuration (SPEC 3.4), and why it got no further (SPEC 7.6). */
interface Outcome {
  readonly status: number;
  /** Empty: none. */
  readonly error: number | '';
}

const statusEn = {
  '-2': ['the router connection failed', 'start the configuration again'],
  '-1': ['the external network cannot be reached', 'check the settings of the router, then try again'],
  '0': ['configured, and connected to the platform', ''],
  '1': ['configured, but the connection to the platform failed', 'contact after-sales'],
} as const;
const statusZh = wordOf({
  '-2': '连接路由器失败，请重新配网。',
  '-1': '已连上路由器，但无法访问外网。请检查路由器设置后重试。',
  '0': '配网成功，已连接平台。',
  '1': '配网成功，但平台连接失败。',
});
const errorEn: Readonly<Record<string, string>> = {
  '-6': 'the configuration took too long',
  '-5': 'the device does not support 5G wifi',
  '-4': 'another configuration error',
  '-3': 'wrong wifi SSID or password',
  '-2': 'the router was joined, but DHCP failed',
  '-1': 'there is no external network through the router',
  '1': 'the DNS resolution failed',
  '2': 'the platform is unreachable',
  '3': 'the platform refused: access authentication failed',
};
const errorZh: Readonly<Record<string, string>> = {
  '-6': '配网超时。',
  '-5': '设备不支持 5G Wi-Fi，请使用 2.4G 网络。',
  '-4': '其他配网错误。',
  '-3': 'Wi-Fi 名称或密码错误。',
  '-2': '路由器没有分配地址（DHCP 失败）。',
  '-1': '路由器没有外网。',
  '1': '域名解析失败（DNS）。',
  '2': '连不上平台。',
  '3': '平台拒绝登录：请检查设备密钥。',
};

export const setupResults = sentences({
  /** Codes that SPEC does not know are numbers. */
  setup_result: {
    en({ status, error }: Outcome) {
      const [what, remedy] = statusEn[String(status) as keyof typeof statusEn] ?? [`status ${status}`, ''];
      const why = error === '' ? '' : `: ${errorEn[error] ?? `error ${error}`}`;
      return `${what}${why}${remedy === '' ? '' : ` (${remedy})`}`;
    },
    zh: ({ status, error }) => `${statusZh(status)}${error === '' ? '' : (errorZh[error] ?? `错误码 ${error}`)}`,
  },
});
