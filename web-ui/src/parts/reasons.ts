import { area } from '../words/index.ts';

const chinese: Readonly<Record<string, string>> = {
  // Why a device left
  'the device closed the connection': '设备主动断开',
  'the connection broke off (reset by the device or on the way)': '连接中断（被设备或中间网络重置）',
  'the network no longer reaches the device': '网络已无法到达该设备',
  'connected again': '设备重新连接',
  'went offline on purpose': '设备主动下线',
  'silent for several keepAliveTime periods': '长时间没有心跳',
  'keep alive timeout': '心跳超时',
  'published with QoS 2; SPEC 4.1 has 0 and 1': '以 QoS 2 发布；平台只有 QoS 0 和 1',
  'blocked by an administrator': '已被管理员停用',
  'the device is no longer known here': '本网关已没有这台设备',
  'its product is no longer known here': '本网关已没有它的产品',
  'its product no longer uses this way in': '它的产品已不使用这种接入方式',
  'its key was replaced by another': '它的密钥已被更换',
  'the key of its product was changed': '它的产品密钥已更改',
  'it has a key of its own now': '它已启用自己的密钥',
  'the cloud has taken another key of it': '云平台已接受它的另一个密钥',
  // Why there is no connection to the cloud
  'no device has needed the cloud yet': '还没有设备需要连接云平台',
  'not tried yet': '尚未尝试',
  'the cloud closed the connection': '云平台断开了连接',
  'the cloud closed the connection, or did not answer in time': '云平台断开了连接，或没有及时响应',
  'nobody listens at the cloud address (connection refused)': '云平台地址没有服务（连接被拒绝）',
  'the name of the cloud cannot be resolved (DNS)': '无法解析云平台域名（DNS）',
  'the network does not reach the cloud': '网络无法到达云平台',
  'the connection was reset': '连接被重置',
  "the cloud's certificate is not valid now: check the clock of this box": '云平台证书当前无效：请检查本网关的时间',
  "the cloud's certificate is signed by nobody this box trusts: set upstream.ca":
    '云平台证书不受本网关信任：请设置 upstream.ca',
  'the cloud does not speak MQTT 3.1.1': '云平台不支持 MQTT 3.1.1',
  'the cloud refused the device id': '云平台拒绝了设备编号',
  'the cloud refused the key (bad user name or password)': '云平台拒绝了密钥（用户名或密码错误）',
  'the cloud refused the key (authentication failed)': '云平台拒绝了密钥',
  'the cloud does not authorize this device': '云平台未授权这台设备',
  'no key of this device is known here': '本网关没有这台设备的密钥',
  'box.access_key is not set': '没有设置 box.access_key',
  'box.access_key or upstream.device_http is not set': '没有设置 box.access_key 或 upstream.device_http',
  // Why nothing is accepted
  'the disk is full and nothing more may be dropped: make room on the page "Today", free some space, or connect the cloud so that waiting records can go':
    '磁盘已满，且没有可以删除的数据：请在“今天”页面腾出空间、清理磁盘，或连接云平台以上传积压的数据',
  'the data directory cannot be written: check its owner and whether the disk was mounted read-only after an error':
    '数据目录无法写入：请检查它的所有者，以及磁盘是否因出错而变为只读',
  // Why a record was not sent
  'the cloud closed the connection behind it three times in a row': '云平台连续三次收到它后断开连接',
  'no JSON message': '不是 JSON 消息',
  'answered here, the line was down': '云平台断开期间由本网关应答',
};

const patterns: readonly (readonly [RegExp, string])[] = [
  [
    /^the box above does not take batches of this box: (\S+) is not listed here: .*$/,
    '上级网关尚未登记本网关（$1）：请在上级网关的“设备”页面批准，或在其站点文件的 boxes 中登记；记录保留在本网关，登记后自动上传',
  ],
  [/^the box above does not take batches of this box: (.*)$/, '上级网关不接收本网关的批量数据：$1'],
  [
    /^(\S+) belongs to the box above itself: move it to (\S+) on its page there, .*$/,
    '$1 属于上级网关：请在上级网关的设备页面把它移到 $2，再重新发送',
  ],
  [
    /^(\S+) belongs to the box (\S+): move it to (\S+) on its page there, .*$/,
    '$1 属于网关 $2：请在上级网关的设备页面把它移到 $3，再重新发送',
  ],
  [/^belongs to the box (\S+)$/, '属于网关 $1'],
  [/^(MQTT|HTTP) from (.*)$/, '通过 $1，来自 $2'],
  [/^sent a packet of (\d+) bytes; at most (\d+) are taken$/, '发送了 $1 字节的数据包，最多允许 $2 字节'],
  [/^published to (.*), which is not its own$/, '发布到了不属于它的主题 $1'],
  [/^(\d+) s; SPEC 5\.1 says 30 to 60$/, '$1 秒，应为 30 至 60 秒'],
];

const inChinese = (text: string): string => {
  const known = chinese[text];
  if (known !== undefined) return known;
  for (const [pattern, words] of patterns) if (pattern.test(text)) return text.replace(pattern, words);
  return text;
};

/** Translates what the box logs in English; what has no translation is shown as it is. */
export const reasons = area({ of: (text: string) => text }, { of: inChinese });

/** A reason of the box by a page's own patterns; what none of them knows stays as it is. */
export function reasonBy(patterns: readonly (readonly [pattern: string, words: string])[], reason: string): string {
  const found = patterns.find(([pattern]) => new RegExp(pattern).test(reason));
  return found ? reason.replace(new RegExp(found[0]), found[1]) : reason;
}
