import { inChinese, sentences, type WithWhy } from './sentences.ts';

/** Why the box did not join a network, or how far it got (SPEC 7.6). */
export const joinOutcomes = sentences({
  join_no_address: {
    en: 'the router gave no address: check its DHCP settings',
    zh: '路由器没有分配地址：请检查路由器的 DHCP 设置',
  },
  join_address_lost: { en: 'the router took the address back', zh: '路由器收回了地址' },
  join_password_refused: { en: 'the router does not accept the password', zh: '路由器不接受此密码' },
  join_ended: {
    en: 'the router ended the connection: the password may be wrong',
    zh: '路由器断开了连接：密码可能有误',
  },
  join_card_lacks: {
    en: 'the wifi card does not support what the network asks for',
    zh: '无线网卡不支持该网络的要求',
  },
  join_not_let_in: {
    en: 'the router does not let the box in: the password may be wrong',
    zh: '路由器不允许接入：密码可能有误',
  },
  join_no_answer: {
    en: 'the router did not answer in time: the password may be wrong, or it is too far away',
    zh: '路由器没有及时响应：密码可能有误，或距离太远',
  },
  join_dhcp_not_started: { en: 'the DHCP client could not be started', zh: 'DHCP 客户端无法启动' },
  join_dhcp_failed: { en: 'the DHCP client failed', zh: 'DHCP 客户端出错' },
  join_dhcp_no_address: {
    en: 'the router gave no address by DHCP: check its settings',
    zh: '路由器没有通过 DHCP 分配地址：请检查路由器设置',
  },
  join_firmware_missing: { en: 'the firmware of the wifi card is missing', zh: '缺少无线网卡的固件' },
  join_card_removed: { en: 'the wifi card was removed', zh: '无线网卡已被拔出' },
  join_not_in_reach: { en: 'there is no network of this name in reach', zh: '附近没有此名称的网络' },
  join_failed: {
    en: ({ reason }: { reason: number }) => `the network could not be joined (NetworkManager's reason ${reason})`,
    zh: ({ reason }) => `无法加入网络（NetworkManager 原因 ${reason}）`,
  },
  join_no_5ghz: {
    en: 'the wifi card of the box does not do 5 GHz: choose the 2.4 GHz network of the router',
    zh: '网关的无线网卡不支持 5 GHz：请选择路由器的 2.4 GHz 网络',
  },
  join_too_long: {
    en: 'it took too long: move the box nearer to the router',
    zh: '用时过长：请将网关靠近路由器',
  },
  platform_without_address: { en: 'the platform has no address in the config', zh: '配置中没有平台地址' },
  no_internet: {
    en: 'there is no way to the internet through this router: check its settings',
    zh: '通过此路由器无法访问互联网：请检查路由器设置',
  },
  host_not_resolved: {
    en: ({ host, error }: { host: string; error: string }) => `the name ${host} cannot be resolved: ${error}`,
    zh: ({ host, error }) => `无法解析名称 ${host}：${error}`,
  },
  no_route_to: {
    en: ({ host, error }: { host: string; error: string }) =>
      `there is no way to ${host} through this router: ${error}`,
    zh: ({ host, error }) => `通过此路由器无法到达 ${host}：${error}`,
  },
  platform_unreachable: {
    en: ({ address, error }: { address: string; error: string }) => `${address} cannot be reached: ${error}`,
    zh: ({ address, error }) => `无法连接 ${address}：${error}`,
  },
  platform_refused_box: {
    en: 'the platform refused the box: its key is not known there',
    zh: '平台拒绝了网关：平台上没有它的密钥',
  },
  platform_silent: {
    en: 'the platform takes the connection but does not answer',
    zh: '平台接受了连接，但没有响应',
  },
  set_up_connected: { en: 'configured, and connected to the platform', zh: '配网成功，已连接平台' },
  set_up_joined: { en: 'configured', zh: '配网成功' },
});

const joinInChinese = ({ why, why_code: code, ...params }: WithWhy): string =>
  inChinese({ reason: why, code, params }, joinOutcomes);

/**
 * Why the wifi, the Bluetooth or the address of the box cannot be used or set, or what its set-up
 * waits for.
 */
export const radioFaults = sentences({
  no_connection: {
    en: 'NetworkManager has no active connection whose address can be set',
    zh: 'NetworkManager 没有可设置地址的活动连接',
  },
  bus_missing: {
    en: ({ socket }: { socket: string }) => `the system's D-Bus cannot be reached: there is no ${socket}`,
    zh: ({ socket }) => `无法连接系统的 D-Bus：没有 ${socket}`,
  },
  bus_unreachable: {
    en: ({ error }: { error: string }) => `the system's D-Bus cannot be reached: ${error}`,
    zh: ({ error }) => `无法连接系统的 D-Bus：${error}`,
  },
  bus_silent: {
    en: ({ seconds }: { seconds: number }) => `the system's D-Bus does not answer within ${seconds} s`,
    zh: ({ seconds }) => `系统的 D-Bus 在 ${seconds} 秒内没有响应`,
  },
  bus_lost: { en: "the connection to the system's D-Bus was lost", zh: '与系统 D-Bus 的连接已断开' },
  service_silent: {
    en: ({ service, member, seconds }: { service: string; member: string; seconds: number }) =>
      `${service} does not answer ${member} within ${seconds} s`,
    zh: ({ service, member, seconds }) => `${service} 在 ${seconds} 秒内没有响应 ${member}`,
  },
  service_absent: {
    en: ({ service }: { service: string }) => `${service} does not run`,
    zh: ({ service }) => `${service} 没有运行`,
  },
  service_refused: {
    en: ({ service, type, error }: { service: string; type: string; error: string }) =>
      `${service} refused with ${type}: ${error}`,
    zh: ({ service, type, error }) => `${service} 返回 ${type}：${error}`,
  },
  rauc_ended: { en: 'RAUC ended during the installation', zh: 'RAUC 在安装过程中退出' },

  bluez_stopped: { en: 'BlueZ has stopped', zh: 'BlueZ 已停止' },
  own_adapter_removed: {
    en: ({ adapter }: { adapter: string }) => `the Bluetooth adapter ${adapter} was removed`,
    zh: ({ adapter }) => `蓝牙适配器 ${adapter} 已被拔出`,
  },
  own_adapter_none: {
    en: 'there is no Bluetooth adapter: plug one in, or set provisioning.bluetooth to off',
    zh: '没有蓝牙适配器：请插入一个，或将 provisioning.bluetooth 设为 off',
  },
  own_adapter_missing: {
    en: ({ adapter, others }: { adapter: string; others: string }) =>
      `there is no Bluetooth adapter ${adapter} (provisioning.bluetooth_adapter): there is ${others}`,
    zh: ({ adapter, others }) => `没有蓝牙适配器 ${adapter}（provisioning.bluetooth_adapter）：现有 ${others}`,
  },
  own_adapter_too_old: {
    en: 'the Bluetooth adapter cannot offer a service: it is too old for Bluetooth Low Energy',
    zh: '蓝牙适配器不能提供服务：过旧，不支持低功耗蓝牙',
  },
  own_bluetooth_starting: { en: 'it is being started', zh: '正在启动' },
  own_bluetooth_not_needed: { en: 'nothing is to be set up', zh: '当前无需配网' },
  own_bluetooth_off: { en: 'it is off in the config', zh: '配置中已关闭' },

  wifi_off: { en: 'provisioning.wifi is off in the config', zh: '配置中 provisioning.wifi 为 off' },
  wifi_unmanaged: {
    en: ({ name }: { name: string }) => `NetworkManager leaves ${name} alone: remove it from its unmanaged devices`,
    zh: ({ name }) => `NetworkManager 不管理 ${name}：请将其从 unmanaged 设备中移除`,
  },
  wifi_unusable: {
    en: ({ name }: { name: string }) =>
      `${name} cannot be used: it is switched off (rfkill), or its firmware is missing`,
    zh: ({ name }) => `${name} 不可用：已被关闭（rfkill），或缺少固件`,
  },
  wifi_interface_missing: {
    en: ({ name, others }: { name: string; others: string }) =>
      `there is no wifi interface ${name}: there is ${others}`,
    zh: ({ name, others }) => `没有无线网卡 ${name}：现有 ${others}`,
  },
  wifi_interface_none: {
    en: 'there is no wifi interface: plug one in, or set provisioning.wifi to off',
    zh: '没有无线网卡：请插入一个，或将 provisioning.wifi 设为 off',
  },
  own_hotspot_not_opened: {
    en: ({ why }: WithWhy) => `the hotspot could not be opened: ${why}`,
    zh: of => `无法打开热点：${joinInChinese(of)}`,
  },
  own_hotspot_not_served: {
    en: ({ error }: { error: string }) => `the page of the hotspot cannot be served: ${error}`,
    zh: ({ error }) => `无法提供热点的网页：${error}`,
  },

  joining_network: {
    en: ({ ssid }: { ssid: string }) => `joining ${ssid}`,
    zh: ({ ssid }) => `正在加入 ${ssid}`,
  },
  never_set_up: { en: 'never set up by a phone', zh: '从未用手机设置' },
  set_up_for: { en: ({ ssid }: { ssid: string }) => `set up for ${ssid}`, zh: ({ ssid }) => `已设置为 ${ssid}` },
  set_up_again: { en: 'waits to be set up again', zh: '等待重新设置' },
});
