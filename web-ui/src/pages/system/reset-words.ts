import { area } from '../../words/index.ts';

export const words = area(
  {
    sentence: 'Factory reset',
    lead: 'Deletes everything on this gateway: records, people, accounts, keys, certificates, the Wi-Fi network and, on a flashed gateway, its settings. Label data and trusted update keys stay.',
    lost: 'Queued records are lost. Terminals have to be set up to trust the gateway again.',
    noBackup: 'Backups are deleted too. Create one first if you need the data:',
    toBackup: 'Backup',
    adminOnly: 'Only an administrator can reset the gateway.',
    go: 'Reset gateway …',
    sure: 'Delete everything on this gateway?',
    type: (name: string) => `Type the site name ${name} to confirm`,
    sureGo: 'Delete everything',
    done: 'Deleting everything. The gateway restarts; if its address stays the same, this page reopens automatically. The browser has to trust the new certificate.',
    atNextStart: 'Everything is deleted at the next start. Restart the gateway.',
  },
  {
    sentence: '恢复出厂',
    lead: '将删除本网关的全部内容：记录、人员、账号、密钥、证书、Wi-Fi 网络，以及烧录卡上的设置。标签信息和升级包信任密钥保留。',
    lost: '待上传的记录会丢失，终端需要重新设置对网关的信任。',
    noBackup: '备份也会删除。如需保留数据，请先创建备份：',
    toBackup: '备份',
    adminOnly: '仅管理员可以恢复出厂。',
    go: '恢复出厂…',
    sure: '清除本网关的全部内容？',
    type: name => `请输入站点名称“${name}”确认`,
    sureGo: '全部清除',
    done: '正在清除全部内容。网关将重启，地址不变时本页自动打开，浏览器需要信任新证书。',
    atNextStart: '下次启动时清除全部内容，请重启网关。',
  },
);
