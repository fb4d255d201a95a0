import { wordOf } from './audit-names.ts';
import { sentences, written } from './sentences.ts';
import { setupResults } from './setup-results.ts';

/** How the two readings of SPEC 5.4 are called where people read of them. */
const formEn = wordOf({
  fold: 'the password under one folded byte of the key (fold)',
  repeat: 'the password under the repeated key (repeat)',
});
const formZh = wordOf({ fold: '用密钥折叠成的一个字节保护密码（fold）', repeat: '用循环的密钥保护密码（repeat）' });

interface Device {
  /** Empty: it did not say. */
  readonly device: string;
}
const deviceEn = ({ device }: Device): string => device || 'the device';
const deviceZh = ({ device }: Device): string => device || '设备';

/** Steps of a run, for the person who waits. */
export const siteDeviceSteps = sentences({
  looking_around: {
    en: ({ seconds }: { seconds: number }) => `looking around for ${seconds} s`,
    zh: ({ seconds }) => `正在搜索附近的设备（${seconds} 秒）`,
  },
  looking_for_hotspots: { en: 'looking for hotspots', zh: '正在搜索热点' },
  looking_for: {
    en: ({ target }: { target: string }) => `looking for ${target}`,
    zh: ({ target }) => `正在查找 ${target}`,
  },
  looking_for_hotspot: {
    en: ({ target }: { target: string }) => `looking for the hotspot of ${target}`,
    zh: ({ target }) => `正在查找 ${target} 的热点`,
  },
  connecting_to: {
    en: ({ name, address }: { name: string; address: string }) =>
      `connecting to ${name || 'a device without a name'} (${address})`,
    zh: ({ name, address }) => `正在连接${name === '' ? '没有名称的设备' : ` ${name}`}（${address}）`,
  },
  leaving_own_network: {
    en: 'leaving the network of this box: it is away until the hotspot is left again',
    zh: '本网关正在离开自己的网络：离开热点之前无法访问',
  },
  joining_hotspot: {
    en: ({ ssid }: { ssid: string }) => `joining the hotspot ${ssid}`,
    zh: ({ ssid }) => `正在加入热点 ${ssid}`,
  },
  left_hotspot: {
    en: ({ ssid }: { ssid: string }) => `left the hotspot ${ssid}`,
    zh: ({ ssid }) => `已离开热点 ${ssid}`,
  },
  asking_who: { en: 'connected; asking who it is', zh: '已连接，正在询问设备身份' },
  identified_as: {
    en: ({ device, model }: Device & { model: string }) =>
      `it is ${device || 'a device without an id'}, model ${model || 'not told'}`,
    zh: ({ device, model }) => `设备为 ${device || '（没有编号）'}，型号 ${model || '未知'}`,
  },
  asking_signature: { en: 'asking for its signature', zh: '正在请求设备签名' },
  asking_networks: { en: 'asking which networks it sees', zh: '正在询问设备搜索到的网络' },
  sending_settings: {
    en: ({ ssid, security }: { ssid: string; security: string }) => `sending the settings of "${ssid}" (${security})`,
    zh: ({ ssid, security }) => `正在发送“${ssid}”的设置（${security}）`,
  },
  sending_open: {
    en: ({ ssid }: { ssid: string }) => `sending the settings of "${ssid}", without a password`,
    zh: ({ ssid }) => `正在发送“${ssid}”的设置（没有密码）`,
  },
  sending_protected: {
    en: ({ ssid, form }: { ssid: string; form: string }) => `sending the settings of "${ssid}": ${formEn(form)}`,
    zh: ({ ssid, form }) => `正在发送“${ssid}”的设置：${formZh(form)}`,
  },
  silent_after_open: {
    en: 'nothing was heard for 10 s: the device is joining, or it does not take open networks; still waiting',
    zh: '10 秒没有回应：设备正在联网，或不支持开放网络；继续等待',
  },
  /** `form`: the other one. */
  silent_after_protected: {
    en: ({ form }: { form: string }) =>
      `nothing was heard for 10 s: the device is joining, or it ignored the message, because its product key is another one than here, or it reads ${formEn(form)}: then try again with --form ${form}; still waiting`,
    zh: ({ form }) =>
      `10 秒没有回应：设备正在联网，或忽略了消息：产品密钥与本网关的不一致，或设备要求${formZh(form)}，那就改用该方式（--form ${form}）重试；继续等待`,
  },
  settings_taken: {
    en: 'the device took them and leaves its hotspot; waiting for what it announces',
    zh: '设备已收到设置，正在关闭热点；等待设备报告结果',
  },
  says_connected: {
    en: 'the device says that it is connected; waiting to see it online here',
    zh: '设备报告已联网；等待设备在本网关上线',
  },
  device_is_another: {
    en: ({ name, other, wanted }: { name: string; other: string; wanted: string }) =>
      `${name} is ${other}, not ${wanted}`,
    zh: ({ name, other, wanted }) => `${name} 是 ${other}，不是 ${wanted}`,
  },
  device_does_not_see: {
    en: ({ ssid }: { ssid: string }) =>
      `the device does not see "${ssid}": it may be hidden, of 5 GHz, or out of its reach; the settings are sent all the same`,
    zh: ({ ssid }) => `设备没有搜索到“${ssid}”：该网络可能已隐藏、是 5 GHz 网络，或信号达不到；设置仍会发送`,
  },
  bluetooth_ended_after_settings: {
    en: 'the Bluetooth connection has ended, as with devices that join a network at once: waiting for what the device announces there',
    zh: '蓝牙连接已断开，收到设置后立即联网的设备会这样：正在等待设备从新网络报告结果',
  },
});

/** `form`: the other reading of SPEC 5.4, where it may be that; else empty. */
interface Unheard extends Device {
  readonly form: string;
}
const hintEn = ({ form }: Unheard): string =>
  form === '' ? '' : `; some devices read ${formEn(form)}: try --form ${form}`;
const hintZh = ({ form }: Unheard): string =>
  form === '' ? '' : `；有的设备要求${formZh(form)}，可改用该方式（--form ${form}）再试`;

const { en: resultEn, zh: resultZh } = setupResults.texts.setup_result;

/** Outcomes of settings that were sent. */
export const siteDeviceOutcomes = sentences({
  device_online: {
    en: (of: Device) => `${deviceEn(of)} is configured and online at this box`,
    zh: of => `${deviceZh(of)} 配网成功，已在本网关上线`,
  },
  device_not_here: {
    en: ({ device, seconds }: Device & { seconds: number }) =>
      `${deviceEn({ device })} says that it is configured and connected to the platform, and was not seen at this box within ${seconds} s: see to which platform address it connects`,
    zh: ({ device, seconds }) =>
      `${deviceZh({ device })} 报告配网成功并已连接平台，但 ${seconds} 秒内没有在本网关上线：请检查它连接的平台地址`,
  },
  device_result: {
    en: (of: Unheard & { status: number; error: number | ''; message: string }) =>
      `${deviceEn(of)}: ${written(resultEn, of)}${of.message === '' ? '' : ` ("${of.message}")`}${hintEn(of)}`,
    zh: of => `${deviceZh(of)}：${written(resultZh, of)}${of.message === '' ? '' : `（“${of.message}”）`}${hintZh(of)}`,
  },
  device_not_heard_of: {
    en: (of: Unheard & { seconds: number }) =>
      `nothing was heard of ${deviceEn(of)} within ${of.seconds} s: it is out of reach of the network, it has another product key than this box, or its announcement (UDP) does not get through${hintEn(of)}`,
    zh: of =>
      `${of.seconds} 秒内没有${deviceZh(of)}的消息：可能离 Wi-Fi 太远、产品密钥不一致，或其 UDP 通知无法送达${hintZh(of)}`,
  },
});

const keyZh = wordOf({ 'product key': '产品密钥', 'device key': '设备密钥' });

interface Key {
  readonly key: string;
}

/** Key with which a signature of SPEC 5.4 was made, or the likely mistake; never the key itself. */
export const signatureFindings = sentences({
  signed: {
    en: ({ key, form }: Key & { form: string }) => `signed with the ${key}, written as ${form}`,
    zh: ({ key, form }) => `签名使用${keyZh(key)}（${form}）`,
  },
  signed_other_letters: {
    en: ({ key, form, id }: Key & { form: string; id: string }) =>
      `signed with the ${key}, written as ${form}; it signed its id in other letters ("${id}") than it sent`,
    zh: ({ key, form, id }) => `签名使用${keyZh(key)}（${form}）；签名中编号的大小写（“${id}”）与发送的不同`,
  },
  signed_unknown_product: {
    en: ({ device }: Device) =>
      `${deviceEn({ device })}: its product is not known here, so that its signature cannot be checked: add the product to the site file and apply it`,
    zh: ({ device }) => `${deviceZh({ device })} 的产品未登记，无法验证签名：请先添加该产品`,
  },
  signed_other_product: {
    en: ({ product }: { product: string }) =>
      `signed with the key of product ${product}: the device has the key of another product, or another device ID`,
    zh: ({ product }) => `签名使用产品 ${product} 的密钥：设备中的密钥或编号有误`,
  },
  signed_other_environment: {
    en: ({ product }: { product: string }) =>
      `signed with the key that product ${product} has in the other environment: test and production keys differ`,
    zh: ({ product }) => `签名使用产品 ${product} 在另一个环境中的密钥：测试与正式的密钥不同`,
  },
  signed_key_with_blank: {
    en: ({ key }: Key) =>
      `signed with the ${key} and a line end or a blank too many or too few: write the key again on one side`,
    zh: ({ key }) => `签名使用${keyZh(key)}，但多了或少了换行或空格：请在其中一方重新填写密钥`,
  },
  signed_no_hyphens: {
    en: ({ key }: Key) => `signed with the ${key}, without the hyphens between id, random string and key`,
    zh: ({ key }) => `签名使用${keyZh(key)}，但编号、随机串和密钥之间缺少连字符`,
  },
  signed_other_order: {
    en: ({ key }: Key) => `signed with the ${key}, in another order than device ID, random string, key`,
    zh: ({ key }) => `签名使用${keyZh(key)}，但顺序不是编号、随机串、密钥`,
  },
  signed_no_key: { en: 'signed without a key', zh: '签名时没有使用密钥' },
  signed_zero_byte: {
    en: ({ key }: Key) => `signed with the ${key}, with a zero byte behind the random string`,
    zh: ({ key }) => `签名使用${keyZh(key)}，但随机串后多了一个零字节`,
  },
  signed_empty_key: {
    en: 'signed with an empty key: the key was never written to the device',
    zh: '签名使用空密钥：设备没有写入过密钥',
  },
  signed_unknown_key: {
    en: 'signed with a key that is not known here: compare the product_key of the device with the one in the site file (test and production keys differ)',
    zh: '签名使用未知的密钥：请核对设备与本站点的产品密钥（测试与正式的密钥不同）',
  },
});
