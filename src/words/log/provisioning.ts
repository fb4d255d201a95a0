import { innerWhyInChinese } from '../reasons.ts';
import { inChinese, sentences, type WithWhy } from '../sentences.ts';
import { siteDeviceFailures } from '../site-devices.ts';
import { wifiKeyProblems } from '../wifi-keys.ts';

/** Log lines of set-up of this box and of devices. */
export const provisioningLog = sentences({
  phone_may_set_up: { en: 'a phone may set the box up', zh: '手机现在可以设置网关' },
  no_set_up_by_wifi: {
    en: ({ why, seconds }: WithWhy & { seconds: number }) =>
      `the box cannot be set up by wifi: ${why}; it is tried again every ${seconds} s`,
    zh: of => `无法通过 Wi-Fi 设置网关：${innerWhyInChinese(of)}；每 ${of.seconds} 秒重试`,
  },
  set_up_closed: {
    en: 'the box has a network: it can no longer be set up by a phone; `gatehouse reset --network` opens it again',
    zh: '网关已有网络，手机不能再设置；用 `gatehouse reset --network` 可以重新开放',
  },
  set_up_attempted: {
    en: ({ ssid, why }: WithWhy & { ssid: string }) => `set-up for "${ssid}": ${why}`,
    zh: of => `配网“${of.ssid}”：${innerWhyInChinese(of)}`,
  },
  host_name_not_set: {
    en: ({ name, why }: { name: string; why: string }) => `the host name ${name} could not be set: ${why}`,
    zh: ({ name, why }) => `无法设置主机名 ${name}：${why}`,
  },
  time_servers_not_set: {
    en: ({ why }: { why: string }) =>
      `box.time_servers is not used (${why}): the service of the package alone tells chrony`,
    zh: ({ why }) => `box.time_servers 未生效（${why}）：只有软件包安装的服务会通知 chrony`,
  },
  address_kept: {
    en: ({ address }: { address: string }) => `an admin has used the new address ${address}: it is kept`,
    zh: ({ address }) => `管理员已使用新地址 ${address}，予以保留`,
  },
  address_refused: {
    en: ({ why }: { why: string }) => `the new address could not be set, the former one stays: ${why}`,
    zh: ({ why }) => `无法设置新地址，保留原地址：${why}`,
  },
  address_returned: {
    en: ({ address }: { address: string }) =>
      `no admin has used the new address (${address}) in time: the former one is back`,
    zh: ({ address }) => `没有管理员按时使用新地址（${address}），已恢复原地址`,
  },
  network_reset: { en: 'the network is reset: the box waits to be set up', zh: '网络已重置，网关等待设置' },
  no_hotspot_to_close: { en: 'no hotspot to close', zh: '没有需要关闭的热点' },
  no_wifi_scan: { en: 'NetworkManager did not scan', zh: 'NetworkManager 没有扫描 Wi-Fi' },
  bluetooth_offered: { en: 'the box can be found by Bluetooth', zh: '可以通过蓝牙找到网关' },
  bluetooth_not_offered: {
    en: ({ why, seconds }: WithWhy & { seconds: number }) =>
      `the box cannot be found by Bluetooth: ${why}; it is tried again every ${seconds} s`,
    zh: of => `无法通过蓝牙找到网关：${innerWhyInChinese(of)}；每 ${of.seconds} 秒重试`,
  },
  bluetooth_settings_sent: { en: 'a phone sent wifi settings over Bluetooth', zh: '手机通过蓝牙发来了 Wi-Fi 设置' },
  bluetooth_settings_not_usable: {
    en: ({ why }: WithWhy) => `wifi settings over Bluetooth cannot be used: ${why}`,
    zh: ({ why, why_code: code, ...params }) =>
      `蓝牙发来的 Wi-Fi 设置无法使用：${inChinese({ reason: why, code, params }, siteDeviceFailures, wifiKeyProblems)}`,
  },
  bluetooth_settings_ignored: {
    en: ({ marker }: { marker: string }) =>
      `wifi settings over Bluetooth were ignored: no key of the box opens the password, or it does not begin with ${marker} (box.vendor)`,
    zh: ({ marker }) => `忽略了蓝牙发来的 Wi-Fi 设置：网关的密钥无法解开密码，或设置不以 ${marker} 开头（box.vendor）`,
  },
  no_key_for_signature: {
    en: 'a phone asked for a signature, and the box has no key: set box.product_key',
    zh: '手机要求签名，但网关没有密钥：请设置 box.product_key',
  },
  phone_message_failed: { en: 'a message of a phone could not be processed', zh: '手机的一条消息无法处理' },
  bluetooth_business_data: {
    en: 'business data over Bluetooth, which means nothing to the box',
    zh: '蓝牙发来业务数据，网关不使用',
  },
  set_up_result_not_broadcast: { en: 'a result could not be broadcast', zh: '配网结果未能广播' },
  button_not_readable: {
    en: ({ file, why }: { file: string; why: string }) => `provisioning.button ${file}: cannot be read: ${why}`,
    zh: ({ file, why }) => `provisioning.button ${file}：无法读取：${why}`,
  },
  button_stuck: {
    en: ({ file }: { file: string }) =>
      `provisioning.button ${file}: was held for too long, it may be stuck: nothing is reset`,
    zh: ({ file }) => `provisioning.button ${file}：按住时间过长，按键可能卡住，没有重置`,
  },
  model_reach_not_stored: {
    en: 'how devices of this model are reached could not be stored',
    zh: '此型号设备的通信方式未能保存',
  },
  device_hotspot_not_left: { en: 'the hotspot of a device could not be left', zh: '未能退出设备的热点' },
  device_result_received: {
    en: 'a device announced the result of its network configuration',
    zh: '一台设备报告了配网结果',
  },
  device_result_not_stored: { en: 'the result of a device could not be stored', zh: '设备的结果未能保存' },
  device_results_received_again: { en: 'results of site devices are received again', zh: '重新开始接收设备的配网结果' },
  device_results_not_received: {
    en: 'results of site devices cannot be received; it is tried again every minute: end the program that uses this port, or change provisioning.result_listen',
    zh: '无法接收设备的配网结果，每分钟重试：请结束占用该端口的程序，或更改 provisioning.result_listen',
  },
  result_listener_error: { en: 'an error of the result listener', zh: '接收配网结果的端口出错' },
  datagram_no_result: { en: 'a datagram that is no result of a device', zh: '收到一个数据报，内容不是设备的配网结果' },
});
