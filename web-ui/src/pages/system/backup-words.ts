import { area } from '../../words/index.ts';

export const words = area(
  {
    none: 'There is no backup yet.',
    old: (span: string) => `The last backup is ${span} old.`,
    fresh: (span: string) => `The last backup was made ${span}.`,
    make: 'Make a backup',
    makeLead:
      'One file with everything: records, people, keys, certificates. The box works on meanwhile. The file holds every key of the box: keep it as safe as the box.',
    go: 'Make a backup and download it',
    adminOnly: 'An administrator makes backups and restores them.',
    restore: 'Restore a backup',
    restoreLead:
      'The file is checked as a whole first; a damaged one changes nothing. Then the box starts anew on it, which takes some seconds. Devices come back by themselves.',
    file: 'Backup file',
    check: 'Restore …',
    sure: 'Restore this backup?',
    sureLead: (name: string) =>
      `Everything that the box holds now is replaced by ${name}: records, people, accounts, keys. What came in since that backup and is not yet at the cloud is lost.`,
    sureGo: 'Replace everything',
    sending: 'The backup is being sent and checked …',
    restored: (moment: string) => `Restored as of ${moment}. The box starts anew; this page opens again by itself.`,
  },
  {
    none: '还没有备份。',
    old: span => `最近一次备份已是 ${span}前。`,
    fresh: span => `最近一次备份：${span}。`,
    make: '创建备份',
    makeLead:
      '一个文件包含全部内容：记录、人员、密钥、证书。备份期间网关正常工作。文件包含网关的所有密钥，请妥善保管。',
    go: '创建备份并下载',
    adminOnly: '只有管理员可以备份和恢复。',
    restore: '恢复备份',
    restoreLead:
      '系统会先检查整个文件，文件损坏时不做任何更改。检查通过后网关会用该备份重新启动，需要几秒钟，设备会自动重新连接。',
    file: '备份文件',
    check: '恢复……',
    sure: '确定恢复此备份？',
    sureLead: name =>
      `网关现有的全部内容（记录、人员、账号、密钥）将被 ${name} 替换。该备份之后收到且尚未上传到云平台的数据将会丢失。`,
    sureGo: '全部替换',
    sending: '正在上传并检查备份……',
    restored: moment => `已恢复到 ${moment} 的状态。网关正在重新启动，本页面会自动打开。`,
  },
);
