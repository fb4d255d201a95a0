/** Texts for Home Assistant, in the language of the site. */
export type HomeAssistantLanguage = 'en' | 'zh';

const en = {
  connected: 'Connection',
  line: 'Cloud connection',
  waiting: 'Records that wait for the cloud',
  disk_used: 'Disk used',
  disk_free: 'Disk free',
  checkins_today: 'Check-ins today',
  devices_online: 'Devices online',
  alerts: 'Open alerts',
  problem: 'Problem',
};

const zh: typeof en = {
  connected: '连接',
  line: '云平台连接',
  waiting: '待上传记录',
  disk_used: '磁盘已用',
  disk_free: '磁盘可用',
  checkins_today: '今日打卡',
  devices_online: '在线设备',
  alerts: '未解除的告警',
  problem: '故障',
};

export const homeAssistantWords: Readonly<Record<HomeAssistantLanguage, typeof en>> = { en, zh };
