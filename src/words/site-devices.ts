import { joinOutcomes } from './own-network.ts';
import { inChinese, sentences, type WithWhy } from './sentences.ts';
import { wifiKeyProblems } from './wifi-keys.ts';

/** Runs that a person asks for, as other sentences name them. */
export const siteDeviceRuns = sentences({
  run_scan: { en: 'a scan', zh: '扫描设备' },
  run_info: {
    en: ({ target }: { target: string }) => `info of ${target || 'a device'}`,
    zh: ({ target }) => `读取${target === '' ? '设备' : ` ${target} `}的信息`,
  },
  run_verification: {
    en: ({ target }: { target: string }) => `verification of ${target || 'a device'}`,
    zh: ({ target }) => `验证${target === '' ? '设备' : ` ${target}`}`,
  },
  run_wifi: {
    en: ({ target }: { target: string }) => `wifi for ${target || 'a device'}`,
    zh: ({ target }) => `为${target === '' ? '设备' : ` ${target} `}配网`,
  },
});

/** Steps of Bluetooth, as the sentence of their failure names them. */
export const bluetoothActs = sentences({
  reach_system_bus: { en: 'reach the system bus', zh: '连接系统总线' },
  ask_bluetooth_service: { en: 'ask the Bluetooth service', zh: '查询蓝牙服务' },
  use_adapter: { en: 'use the adapter', zh: '使用蓝牙适配器' },
  look_for_devices: { en: 'look for devices', zh: '搜索设备' },
  stop_looking: { en: 'stop looking', zh: '停止搜索' },
  connect_to: {
    en: ({ address }: { address: string }) => `connect to ${address}`,
    zh: ({ address }) => `连接 ${address}`,
  },
  disconnect: { en: 'disconnect', zh: '断开连接' },
  read_services_of: {
    en: ({ address }: { address: string }) => `read the services of ${address}`,
    zh: ({ address }) => `读取 ${address} 的蓝牙服务`,
  },
  read_services: { en: 'read its services', zh: '读取设备的蓝牙服务' },
  listen_to: {
    en: ({ address }: { address: string }) => `listen to ${address}`,
    zh: ({ address }) => `订阅 ${address} 的通知`,
  },
  stop_listening: { en: 'stop listening', zh: '取消订阅通知' },
  write_to_device: { en: 'write to the device', zh: '向设备写入数据' },
});

/** Errors that a device replies (SPEC 7.5). */
export const deviceFrameErrors = sentences({
  frame_not_parsed: { en: 'it could not parse the frame', zh: '设备无法解析该帧' },
  frame_checksum_wrong: { en: 'it found the checksum wrong', zh: '设备认为校验和错误' },
  frame_command_unknown: { en: 'it does not know the command', zh: '设备不支持该命令' },
  frame_error: {
    en: ({ error }: { error: number }) => `error ${error}`,
    zh: ({ error }) => `错误码 ${error}`,
  },
});

/** Why a frame of a device or a phone cannot be used. */
export const frameFaults = sentences({
  frame_unfinished: {
    en: ({ seconds }: { seconds: number }) => `the frame was not finished within ${seconds} s`,
    zh: ({ seconds }) => `帧在 ${seconds} 秒内没有收完`,
  },
  frame_payload_too_large: {
    en: ({ bytes, max }: { bytes: number; max: number }) => `a payload of ${bytes} bytes: at most ${max} are taken`,
    zh: ({ bytes, max }) => `数据长度为 ${bytes} 字节，最多允许 ${max} 字节`,
  },
  frame_checksum: { en: 'the checksum is wrong', zh: '校验和错误' },
  frame_no_answer: {
    en: ({ command }: { command: string }) => `a frame of command ${command} that is no answer`,
    zh: ({ command }) => `命令 ${command} 的帧不是对请求的应答`,
  },
});

/** Why an endpoint in the hotspot of a device does not answer. */
export const hotspotFaults = sentences({
  hotspot_http_status: {
    en: ({ status }: { status: number }) => `HTTP ${status}`,
    zh: ({ status }) => `返回 HTTP ${status}`,
  },
  hotspot_no_answer: {
    en: ({ seconds }: { seconds: number }) => `no answer within ${seconds} s`,
    zh: ({ seconds }) => `${seconds} 秒内没有响应`,
  },
  hotspot_answer_too_large: {
    en: ({ bytes }: { bytes: number }) => `the answer is larger than ${bytes} bytes`,
    zh: ({ bytes }) => `响应超过 ${bytes} 字节`,
  },
});

const inner = ({ why, why_code, ...params }: WithWhy): string =>
  inChinese(
    { reason: why, code: why_code, params },
    ...[siteDeviceRuns, bluetoothActs, deviceFrameErrors, frameFaults, wifiKeyProblems, hotspotFaults, joinOutcomes],
  );

const renameIt =
  'give the network a name of ASCII letters and digits in the router, or let the router send it in UTF-8';
const renameItZh = '请在路由器中把 Wi-Fi 名称改为英文字母和数字，或让路由器以 UTF-8 编码发送名称';

/**
 * Why a device could not be set up, and what to do. One code of `SiteDeviceFailure` may have
 * several.
 */
export const siteDeviceFailures = sentences({
  run_busy: {
    en: ({ why, seconds }: WithWhy & { readonly seconds: number }) =>
      `another run is on (${why}, for ${seconds} s): wait until it has ended, or end it`,
    zh: run => `另一项操作正在进行（${inner(run)}，已 ${run.seconds} 秒）：请等它结束，或先将它结束`,
  },
  run_too_long: {
    en: ({ why, limit }: WithWhy & { readonly limit: number }) => `${why} took longer than ${limit} s: try again`,
    zh: run => `${inner(run)}超过 ${run.limit} 秒仍未完成：请重试`,
  },
  run_box_stops: {
    en: 'the box is being stopped: try again when it runs',
    zh: '网关正在停止：请在它重新运行后再试',
  },
  run_caller_gone: { en: 'the caller has gone', zh: '请求方已断开' },
  bluetooth_off_here: {
    en: 'Bluetooth is off on this box: set provisioning.bluetooth to bluez, or use --via hotspot',
    zh: '本网关未启用蓝牙：请将 provisioning.bluetooth 设为 bluez，或改用热点（--via hotspot）',
  },
  system_bus_missing: {
    en: ({ error }: { error: string }) =>
      `the system bus (D-Bus), over which Bluetooth is used, is not there: ${error}: start dbus, or set up the device by its hotspot (--via hotspot)`,
    zh: ({ error }) => `蓝牙所需的系统总线（D-Bus）不可用：${error}。请启动 dbus，或通过设备热点配网（--via hotspot）`,
  },
  bluetooth_not_running: {
    en: 'no Bluetooth service (bluetoothd) runs: install bluez and start bluetooth.service, or set up the device by its hotspot (--via hotspot)',
    zh: '蓝牙服务（bluetoothd）没有运行：请安装 bluez 并启动 bluetooth.service，或通过设备热点配网（--via hotspot）',
  },
  bluetooth_ended: {
    en: 'the Bluetooth service (bluetoothd) has ended: install bluez and start bluetooth.service, or set up the device by its hotspot (--via hotspot)',
    zh: '蓝牙服务（bluetoothd）已停止：请安装 bluez 并启动 bluetooth.service，或通过设备热点配网（--via hotspot）',
  },
  bluetooth_not_permitted: {
    en: 'this user may not use Bluetooth: put it into the group bluetooth, or run the box as its service',
    zh: '当前用户没有使用蓝牙的权限：请将其加入 bluetooth 用户组，或以系统服务方式运行网关',
  },
  no_bluetooth_adapter: {
    en: 'this machine has no Bluetooth adapter: plug one in, or set up the device by its hotspot (--via hotspot)',
    zh: '本机没有蓝牙适配器：请插入一个，或通过设备热点配网（--via hotspot）',
  },
  bluetooth_adapter_missing: {
    en: ({ adapter }: { adapter: string }) =>
      `there is no Bluetooth adapter ${adapter}: plug it in, or correct provisioning.bluetooth_adapter`,
    zh: ({ adapter }) => `没有蓝牙适配器 ${adapter}：请插入该适配器，或更正 provisioning.bluetooth_adapter`,
  },
  bluetooth_adapter_off: {
    en: ({ adapter }: { adapter: string }) =>
      `${adapter || 'the adapter'} is switched off: \`rfkill unblock bluetooth\` and \`bluetoothctl power on\` switch it on`,
    zh: ({ adapter }) =>
      `蓝牙适配器${adapter === '' ? '' : ` ${adapter} `}已关闭：可用 \`rfkill unblock bluetooth\` 和 \`bluetoothctl power on\` 打开`,
  },
  bluetooth_adapter_removed: {
    en: 'the Bluetooth adapter was removed: plug it in again, then try again',
    zh: '蓝牙适配器已被拔出：请重新插入后再试',
  },
  device_not_heard: {
    en: ({ target, seconds, heard }: { target: string; seconds: number; heard: string }) =>
      `${target} was not heard within ${seconds} s${heard === '' ? '' : ` (heard: ${heard})`}: see that it is near, has power, and is in its set-up mode`,
    zh: ({ target, seconds, heard }) =>
      `${seconds} 秒内没有发现 ${target}${heard === '' ? '' : `（发现的设备：${heard}）`}：请确认设备在附近、已通电，并处于配网状态`,
  },
  device_other_of_name: {
    en: ({ target, other }: { target: string; other: string }) =>
      `${target} was not found: the device of that name is ${other}`,
    zh: ({ target, other }) => `没有找到 ${target}：该名称的设备是 ${other}`,
  },
  device_other_there: {
    en: ({ target, other }: { target: string; other: string }) =>
      `${target} was not found: the device there is ${other}`,
    zh: ({ target, other }) => `没有找到 ${target}：该处的设备是 ${other}`,
  },
  hotspot_not_heard: {
    en: ({ target, heard }: { target: string; heard: string }) =>
      `no hotspot of ${target} is heard${heard === '' ? '' : ` (heard: ${heard})`}: see that it is near and in its set-up mode`,
    zh: ({ target, heard }) =>
      `没有发现 ${target} 的热点${heard === '' ? '' : `（发现的热点：${heard}）`}：请确认设备在附近，并处于配网状态`,
  },
  bluetooth_refused: {
    en: ({ why, error }: WithWhy & { readonly error: string }) =>
      `cannot ${why}: ${error}: move closer, see that no phone is connected to it, and restart the device if it goes on`,
    zh: act => `无法${inner(act)}：${act.error}。请靠近设备，确认没有手机与它连接；如仍然失败，请重启设备`,
  },
  bluetooth_no_answer: {
    en: ({ why, seconds }: WithWhy & { readonly seconds: number }) =>
      `cannot ${why}: no answer within ${seconds} s: try again`,
    zh: act => `无法${inner(act)}：${act.seconds} 秒内没有响应，请重试`,
  },
  device_without_service: {
    en: ({ address, services }: { address: string; services: string }) =>
      `${address} has no service with something to write to and something that notifies (it has ${services || 'none'}): this is no device of SPEC 4.4, or it has to be bonded first`,
    zh: ({ address, services }) =>
      `${address} 没有同时支持写入和通知的蓝牙服务（现有服务：${services || '无'}）：它不是支持蓝牙配网的设备，或需要先配对`,
  },
  device_hung_up: {
    en: 'the device has ended the connection: see that it is near and still in its set-up mode',
    zh: '设备已断开连接：请确认它在附近，并仍处于配网状态',
  },
  device_silent: {
    en: ({ seconds }: { seconds: number }) =>
      `the device is connected and did not answer within ${seconds} s: restart it, and set it to its network-configuration mode`,
    zh: ({ seconds }) => `设备已连接，但 ${seconds} 秒内没有应答：请重启设备，并使其进入配网状态`,
  },
  device_error_reply: {
    en: ({ why, message }: WithWhy & { readonly message: string }) =>
      `the device refused: ${why}${message === '' ? '' : ` ("${message}")`}; its firmware may be older than SPEC 4.4`,
    zh: error =>
      `设备拒绝了请求：${inner(error)}${error.message === '' ? '' : `（“${error.message}”）`}；其固件版本可能过旧`,
  },
  device_refused_settings: {
    en: ({ answer, message }: { answer: string | number; message: string }) =>
      `the device did not take the settings: code ${answer}${message === '' ? '' : `, "${message}"`}: check the name and the security of the network`,
    zh: ({ answer, message }) =>
      `设备没有接受设置：返回码 ${answer}${message === '' ? '' : `，“${message}”`}。请检查 Wi-Fi 名称和加密方式`,
  },
  device_answer_garbled: {
    en: ({ why }: WithWhy) =>
      `the device answers, but not as SPEC 4.4 says (${why}): move closer, or look at its firmware`,
    zh: fault => `设备有应答，但格式不符合平台规范（${inner(fault)}）：请靠近设备，或检查其固件`,
  },
  hotspot_answer_not_json: {
    en: ({ url }: { url: string }) =>
      `${url} answered with something that is not JSON: something else is at this address, or its firmware is older than SPEC 4.3`,
    zh: ({ url }) => `${url} 的响应不是 JSON：该地址不是设备，或设备固件版本过旧`,
  },
  device_product_unknown: {
    en: ({ device }: { device: string }) =>
      `${device || 'the device'}: its product is not known here, and the wifi password is protected with the product key: add the product to the site file and apply it`,
    zh: ({ device }) =>
      `${device === '' ? '该设备' : `${device} `}所属的产品尚未登记，而 Wi-Fi 密码须用产品密钥加密：请在站点文件中添加该产品并应用`,
  },
  ssid_length: {
    en: ({ max, bytes }: { max: number; bytes: number }) =>
      `the name of a network has 1 to ${max} bytes, this has ${bytes} in UTF-8: correct the SSID`,
    zh: ({ max, bytes }) => `Wi-Fi 名称为 1 至 ${max} 字节，当前名称的 UTF-8 编码为 ${bytes} 字节：请更正 SSID`,
  },
  wifi_password_unfit: {
    en: ({ why }: WithWhy) => `the wifi password does not fit: ${why}`,
    zh: problem => `Wi-Fi 密码不符合要求：${inner(problem)}`,
  },
  ssid_not_utf8: {
    en: ({ ssid }: { ssid: string }) =>
      `the router sends the name "${ssid}" in an encoding other than UTF-8 (GBK, as it seems), and a device can be told a name in UTF-8 only (SPEC 4.3, 4.4), so it would not find this network: ${renameIt}`,
    zh: ({ ssid }) =>
      `路由器发送的名称“${ssid}”不是 UTF-8 编码（可能是 GBK），而设备只接受 UTF-8 名称，因此找不到该网络：${renameItZh}`,
  },
  ssid_characters_lost: {
    en: ({ ssid }: { ssid: string }) => `the SSID "${ssid}" has characters that were lost: ${renameIt}`,
    zh: ({ ssid }) => `SSID“${ssid}”中有无法识别的字符：${renameItZh}`,
  },
  verification_by_bluetooth_only: {
    en: 'a device can be verified over Bluetooth alone: its hotspot has no such question (SPEC 4.3, 5.4)',
    zh: '设备只能通过蓝牙验证：其热点不提供此功能',
  },
  only_network_needed: {
    en: 'wifi is the only network of this box: while it is in the hotspot of the device, nobody reaches it and its devices are offline for a minute or two: give --leave to do it all the same, or plug in a cable',
    zh: 'Wi-Fi 是本网关唯一的网络：连接设备热点期间，网关无法访问，其设备会离线一两分钟。如仍要继续，请勾选允许离开（--leave），或为网关接上网线',
  },
  wifi_off_here: {
    en: 'wifi is off on this box: set provisioning.wifi, or name the endpoints of the device with --host',
    zh: '本网关未启用 Wi-Fi：请设置 provisioning.wifi，或用 --host 指定设备的地址',
  },
  wifi_taken_by_set_up: {
    en: 'this box is being set up itself, which takes its wifi: set up the box first, or the device by Bluetooth (--via bluetooth)',
    zh: '本网关自身正在配网，Wi-Fi 被占用：请先完成网关配网，或通过蓝牙为设备配网（--via bluetooth）',
  },
  hotspot_not_joined: {
    en: ({ ssid, why }: WithWhy & { readonly ssid: string }) =>
      `the hotspot ${ssid} could not be joined: ${why}: give its password with --hotspot-key-file`,
    zh: fault => `无法连接热点 ${fault.ssid}：${inner(fault)}。请提供热点密码（--hotspot-key-file）`,
  },
  open_hotspot_not_joined: {
    en: ({ ssid, why }: WithWhy & { readonly ssid: string }) =>
      `the hotspot ${ssid} could not be joined: ${why}: move closer`,
    zh: fault => `无法连接热点 ${fault.ssid}：${inner(fault)}。请靠近设备`,
  },
  hotspot_not_reached: {
    en: ({ url, why }: WithWhy & { readonly url: string }) =>
      `${url} cannot be reached: ${why}: see that the device is in its set-up mode and this box in its hotspot`,
    zh: fault => `无法访问 ${fault.url}：${inner(fault)}。请确认设备处于配网状态，且本网关已连接设备热点`,
  },
});
