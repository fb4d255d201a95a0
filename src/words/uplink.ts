import { sentences } from './sentences.ts';

/** How a login page of the network was noticed. */
const portalSigns = {
  redirects: { en: (to: string) => `it redirects to ${to}`, zh: (to: string) => `被重定向到 ${to}` },
  http_511: { en: () => 'it answers HTTP 511', zh: () => '返回 HTTP 511' },
  web_page: { en: () => 'it answers with a web page', zh: () => '返回的是网页' },
  web_server: { en: () => 'it answers as a web server', zh: () => '对方是网页服务器' },
  certificate: { en: (to: string) => `its certificate is for ${to}`, zh: (to: string) => `证书属于 ${to}` },
  other_certificate: { en: () => 'its certificate is for another name', zh: () => '证书属于其他名称' },
  no_tls: { en: () => 'it does not speak TLS', zh: () => '对方不使用 TLS' },
} as const;
export type PortalSign = keyof typeof portalSigns;

/**
 * Signs other than HTTP 511 (RFC 6585) may be those of a wrong address too.
 * `to`: where it leads, or whose certificate it is; empty for the other signs.
 */
interface Portal {
  readonly sign: PortalSign;
  readonly to: string;
  readonly open: string;
}
const signIn = (language: 'en' | 'zh', { sign, to }: Portal): string =>
  (Object.hasOwn(portalSigns, sign) ? portalSigns[sign] : portalSigns.web_page)[language](to);

/** The answers of a box above to one below, which adds that its batches are not taken. */
export const boxNotListed = (id: string): string =>
  `${id} is not listed here: approve it on the page Devices of this box, or list it under boxes in its site file; keep the records and send them again`;
export const boxUsedTwice = (id: string): string =>
  `another box uses the identity ${id}, as after a card was copied: switch one of the two off; if this one is to go on, remove ${id} from the boxes of the box above and approve it again; if it is to be a box of its own, give it another box.device_sn`;

/** Why there is no connection to the cloud, or to the box above. */
export const uplinkReasons = sentences({
  cloud_not_needed: { en: 'no device has needed the cloud yet', zh: '还没有设备需要连接云平台' },
  cloud_not_tried: { en: 'not tried yet', zh: '尚未尝试' },
  no_cloud: { en: 'no cloud configured', zh: '未配置云平台' },
  box_stopped: { en: 'the box is not running', zh: '网关没有运行' },
  forwarded_elsewhere: { en: 'another process of this region forwards', zh: '由本区域的另一个进程转发' },
  cloud_closed: { en: 'the cloud closed the connection', zh: '云平台断开了连接' },
  cloud_closed_or_silent: {
    en: 'the cloud closed the connection, or did not answer in time',
    zh: '云平台断开了连接，或没有及时响应',
  },
  cloud_silent: { en: 'no answer in time', zh: '没有及时响应' },
  cloud_confirms_nothing: {
    en: ({ seconds }: { seconds: number }) => `the cloud has not confirmed anything for ${seconds} s`,
    zh: ({ seconds }) => `云平台已有 ${seconds} 秒没有确认任何数据`,
  },
  cloud_refuses_connection: {
    en: 'nobody listens at the cloud address (connection refused)',
    zh: '云平台地址没有服务（连接被拒绝）',
  },
  cloud_not_resolved: {
    en: 'the name of the cloud cannot be resolved (DNS)',
    zh: '无法解析云平台域名（DNS）',
  },
  cloud_not_reached: { en: 'the network does not reach the cloud', zh: '网络无法到达云平台' },
  connection_reset: { en: 'the connection was reset', zh: '连接被重置' },
  certificate_not_valid_now: {
    en: "the cloud's certificate is not valid now: check the clock of this box",
    zh: '云平台证书当前无效：请检查本网关的时间',
  },
  certificate_not_trusted: {
    en: "the cloud's certificate is signed by nobody this box trusts: set upstream.ca",
    zh: '云平台证书不受本网关信任：请设置 upstream.ca',
  },
  cloud_other_mqtt: { en: 'the cloud does not speak MQTT 3.1.1', zh: '云平台不支持 MQTT 3.1.1' },
  cloud_refuses_id: { en: 'the cloud refused the device ID', zh: '云平台拒绝了设备编号' },
  cloud_refuses_key: {
    en: 'the cloud refused the key (bad user name or password)',
    zh: '云平台拒绝了密钥（用户名或密码错误）',
  },
  cloud_refuses_key_over_http: {
    en: 'the cloud refused the key (authentication failed)',
    zh: '云平台拒绝了密钥（认证失败）',
  },
  cloud_does_not_authorize: { en: 'the cloud does not authorize this device', zh: '云平台未授权这台设备' },
  cloud_answers_login: {
    en: ({ status }: { status: number }) => `the cloud answered the login with HTTP ${status}`,
    zh: ({ status }) => `云平台对登录返回 HTTP ${status}`,
  },
  authorization_expired: {
    en: 'the Authorization value has expired (406)',
    zh: '登录凭证（Authorization）已过期（406）',
  },
  no_device_key: { en: 'no key of this device is known here', zh: '本网关没有这台设备的密钥' },
  no_box_key: { en: 'box.access_key is not set', zh: '没有设置 box.access_key' },
  no_cloud_address: {
    en: 'neither upstream.device_mqtt nor upstream.device_http is set',
    zh: '没有设置 upstream.device_mqtt 或 upstream.device_http',
  },
  mqtt_is_back: { en: 'MQTT answers again', zh: 'MQTT 已恢复' },
  cut_for_drill: {
    en: 'a drill has cut the line: `gatehouse drill` says until when',
    zh: '断网测试已断开线路：`gatehouse drill` 显示到何时恢复',
  },
  captive_portal: {
    en: (one: Portal) =>
      `a captive portal (login page) of this network ${one.sign === 'http_511' ? 'stands' : 'probably stands'} between the box and the cloud (${signIn('en', one)}): open ${one.open} in a browser of this network; if no login page appears, check the address under upstream`,
    zh: one =>
      `本网络的认证登录页面（captive portal）${one.sign === 'http_511' ? '' : '很可能'}挡在网关与云平台之间（${signIn('zh', one)}）：请在本网络的浏览器中打开 ${one.open} 并登录；如果没有出现登录页面，请检查 upstream 中的地址`,
  },
  identity_used_by_others: {
    en: ({ id }: { id: string }) =>
      `somebody else logs in to the cloud as ${id} and ends this session again and again: a box whose card was copied, or a device that also reaches the cloud by itself. Switch one of the two off, or give it an identity of its own (box.device_sn and box.access_key); until then they take turns, and records wait here`,
    zh: ({ id }) =>
      `另有设备以 ${id} 的身份登录云平台，并不断中断本网关的连接：可能是存储卡被复制的另一个网关，或自行连接云平台的设备。请关闭其中一个，或为其设置另一个身份（box.device_sn 和 box.access_key）；在此之前两者轮流连接，记录保留在本网关`,
  },
  box_above_refuses: {
    en: ({ answer }: { answer: string }) =>
      `the box above does not take batches of this box${answer === '' ? '' : `: ${answer}`}`,
    zh: ({ answer }) => `上级网关不接收本网关的批量数据${answer === '' ? '' : `：${answer}`}`,
  },
  box_above_does_not_list: {
    en: ({ id }: { id: string }) => `the box above does not take batches of this box: ${boxNotListed(id)}`,
    zh: ({ id }) =>
      `上级网关尚未登记本网关（${id}）：请在上级网关的“设备”页面批准，或在其站点文件的 boxes 中登记；记录保留在本网关，登记后自动上传`,
  },
  box_above_has_another: {
    en: ({ id }: { id: string }) => `the box above does not take batches of this box: ${boxUsedTwice(id)}`,
    zh: ({ id }) =>
      `另一个网关正在使用同一身份（${id}），例如存储卡被复制：请关闭其中一个；若要继续使用本网关，请在上级网关把 ${id} 移出列表后重新批准；若本网关应独立使用，请设置另一个 box.device_sn。记录保留在本网关`,
  },
});

/** Lists of the cloud that are copied. */
const lists: Readonly<Record<string, string>> = {
  departments: '部门',
  people: '人员',
  devices: '设备',
  features: '特征',
  'check-ins': '打卡',
  'access records': '通行记录',
};
const listZh = (list: string): string => lists[list] ?? ` ${list} `;

/** Why the copy of the cloud's organization or records is not fresh. */
export const mirrorReasons = sentences({
  list_incomplete: {
    en: ({ list, found }: { list: string; found: string }) =>
      `the cloud's list of ${list} is incomplete: ${found}. Nothing was changed; if it stays so, tell the operator of the cloud, or whoever runs a proxy on the way`,
    zh: ({ list, found }) =>
      `云平台返回的${listZh(list)}列表不完整（${found}）。没有作任何修改；如持续出现，请联系云平台运营方，或管理中间代理的人员`,
  },
  cloud_answers: {
    en: ({ answer, message }: { answer: string | number; message: string }) =>
      `the cloud answers ${answer}: ${message}`,
    zh: ({ answer, message }) => `云平台返回 ${answer}：${message}`,
  },
});

/** Errors of the network, of any address. */
export const networkReasons = sentences({
  connection_refused: {
    en: ({ at }: { at: string }) => `nobody listens at ${at} (connection refused)`,
    zh: ({ at }) => `${at} 没有服务（连接被拒绝）`,
  },
  name_not_resolved: {
    en: ({ host }: { host: string }) => `the name ${host} cannot be resolved (DNS)`,
    zh: ({ host }) => `无法解析域名 ${host}（DNS）`,
  },
  not_reached: {
    en: ({ at }: { at: string }) => `the network does not reach ${at}`,
    zh: ({ at }) => `网络无法到达 ${at}`,
  },
  no_answer: { en: ({ at }: { at: string }) => `${at}: no answer in time`, zh: ({ at }) => `${at} 没有及时响应` },
  no_answer_in: {
    en: ({ at, seconds }: { at: string; seconds: number }) => `${at}: no answer in ${seconds} s`,
    zh: ({ at, seconds }) => `${at} 在 ${seconds} 秒内没有响应`,
  },
});
