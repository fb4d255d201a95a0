import { sentences } from './sentences.ts';

/** Notes among the steps of a run. */
export const siteDeviceNotes = sentences({
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
