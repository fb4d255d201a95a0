import { sentences } from './sentences.ts';

/** Why a connection of a device ended. */
export const deviceEnds = sentences({
  device_closed: { en: 'the device closed the connection', zh: '设备主动断开' },
  broke_off: {
    en: 'the connection broke off (reset by the device or on the way)',
    zh: '连接中断（被设备或中间网络重置）',
  },
  device_not_reached: { en: 'the network no longer reaches the device', zh: '网络已无法到达该设备' },
  connected_again: { en: 'connected again', zh: '设备重新连接' },
  place_taken: { en: 'another connection of the device took its place', zh: '被该设备的另一个连接取代' },
  connected_elsewhere: { en: 'it has connected to another process', zh: '已连接到另一个进程' },
  went_offline: { en: 'went offline on purpose', zh: '设备主动下线' },
  no_heartbeat: { en: 'silent for several keepAliveTime periods', zh: '长时间没有心跳' },
  keep_alive_timeout: { en: 'keep alive timeout', zh: '心跳超时' },
  no_connect: { en: 'connect did not arrive in time', zh: '没有及时发送 CONNECT' },
  held_elsewhere: {
    en: 'another process has the device, and does not give it away',
    zh: '设备由另一个进程持有，未移交',
  },
  box_stopping: { en: 'the box is stopping', zh: '网关正在停止' },
  device_blocked: { en: 'blocked by an administrator', zh: '已被管理员停用' },
  device_unknown: { en: 'the device is no longer known here', zh: '本网关已没有这台设备' },
  product_unknown: { en: 'its product is no longer known here', zh: '本网关已没有它的产品' },
  product_not_here: { en: 'its product no longer uses this way in', zh: '它的产品已不使用这种接入方式' },
  key_replaced: { en: 'its key was replaced by another', zh: '它的密钥已被更换' },
  product_key_changed: { en: 'the key of its product was changed', zh: '它的产品密钥已更改' },
  has_own_key: { en: 'it has a key of its own now', zh: '它已启用自己的密钥' },
  cloud_took_key: { en: 'the cloud has taken another key of it', zh: '云平台已接受它的另一个密钥' },
  sent_qos_2: { en: 'published with QoS 2; SPEC 4.1 has 0 and 1', zh: '以 QoS 2 发布；平台只有 QoS 0 和 1' },
  packet_too_large: {
    en: ({ bytes, max }: { bytes: number; max: number }) => `sent a packet of ${bytes} bytes; at most ${max} are taken`,
    zh: ({ bytes, max }) => `发送了 ${bytes} 字节的数据包，最多允许 ${max} 字节`,
  },
  foreign_topic: {
    en: ({ topic }: { topic: string }) => `published to ${topic}, a topic other than its own`,
    zh: ({ topic }) => `发布到了不属于它的主题 ${topic}`,
  },
  foreign_filter: {
    en: ({ filter, own }: { filter: string; own: string }) =>
      `subscribed to ${filter}, a topic other than its own ${own}`,
    zh: ({ filter, own }) => `订阅了 ${filter}，而它只能订阅自己的主题 ${own}`,
  },
  server_packet: { en: 'sent a packet that only a server may send', zh: '发送了只有服务器才能发送的数据包' },
  protocol_error: {
    en: ({ error }: { error: string }) => String(error),
    zh: ({ error }) => `违反 MQTT 协议：${error}`,
  },
});

/** Other events of a device whose detail is a sentence. */
export const deviceDetails = sentences({
  connected_over: {
    en: ({ gateway, address }: { gateway: string; address: string }) => `${gateway} from ${address}`,
    zh: ({ gateway, address }) => `通过 ${gateway}，来自 ${address}`,
  },
  belongs_to_box: { en: ({ box }: { box: string }) => `belongs to the box ${box}`, zh: ({ box }) => `属于网关 ${box}` },
  keep_alive_seconds: {
    en: ({ seconds }: { seconds: number }) => `${seconds} s; SPEC 5.1 says 30 to 60`,
    zh: ({ seconds }) => `${seconds} 秒，应为 30 至 60 秒`,
  },
});
