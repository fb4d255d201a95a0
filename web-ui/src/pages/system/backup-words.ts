import { area } from '../../words/index.ts';

export const words = area(
  {
    none: 'There is no backup yet.',
    old: (span: string) => `The last backup is ${span} old.`,
    fresh: (span: string) => `The last backup was made ${span}.`,
    make: 'Make a backup',
    makeLead:
      'One file with everything: records, people, keys, certificates. The box keeps working meanwhile. The file is encrypted: only the recovery key opens it.',
    keyFirst: 'Make the recovery key first.',
    recoveryKey: 'Recovery key',
    keyNone:
      'Backups are encrypted. This box has no recovery key yet: make it now, print it, and keep it away from the box.',
    keyMade: (moment: string) =>
      `Made ${moment}. The key itself is not on the box; without it no backup can be opened.`,
    makeKey: 'Make the recovery key',
    anotherKey: 'Make another key …',
    keyOf: (site: string, moment: string) => `Recovery key of the Gatehouse at ${site}, made ${moment}:`,
    keyOnce:
      'It is shown now and never again. Print it or write it down, and keep it away from the box: without it no backup can be opened.',
    print: 'Print this page',
    sureKey: 'Make another recovery key?',
    sureKeyLead:
      'Backups from now on are encrypted to the new key. Those made before still need the old one: keep it too.',
    sureKeyGo: 'Make another key',
    key: 'Recovery key or passphrase',
    keyHint: 'AGE-SECRET-KEY-1…; empty for a backup from before an update of this box',
    go: 'Make a backup and download it',
    adminOnly: 'An administrator makes backups and restores them.',
    restore: 'Restore a backup',
    restoreLead:
      'The whole file is checked first; a damaged one changes nothing. Then the box restarts with it, which takes some seconds. Devices reconnect by themselves.',
    file: 'Backup file',
    check: 'Restore …',
    sure: 'Restore this backup?',
    sureLead: (name: string) =>
      `Everything that the box holds now is replaced by ${name}: records, people, accounts, keys. What was received since that backup and has not reached the cloud is lost.`,
    sureGo: 'Replace everything',
    sending: 'The backup is being sent and checked …',
    restored: (moment: string) => `Restored as of ${moment}. The box restarts; this page opens again by itself.`,
  },
  {
    none: '还没有备份。',
    old: span => `最近一次备份已是 ${span}前。`,
    fresh: span => `最近一次备份：${span}。`,
    make: '创建备份',
    makeLead: '一个文件包含全部内容：记录、人员、密钥、证书。备份期间网关正常工作。文件已加密，只有恢复密钥才能打开。',
    keyFirst: '请先生成恢复密钥。',
    recoveryKey: '恢复密钥',
    keyNone: '备份会加密保存。本网关还没有恢复密钥：请现在生成并打印，与网关分开保管。',
    keyMade: moment => `生成于 ${moment}。密钥不保存在网关中，没有密钥就无法打开备份。`,
    makeKey: '生成恢复密钥',
    anotherKey: '重新生成密钥……',
    keyOf: (site, moment) => `${site} 的 Gatehouse 恢复密钥，生成于 ${moment}：`,
    keyOnce: '密钥只在此显示一次。请打印或抄写，并与网关分开保管；没有密钥就无法打开备份。',
    print: '打印本页',
    sureKey: '确定重新生成恢复密钥？',
    sureKeyLead: '此后的备份将用新密钥加密。已有的备份仍需要旧密钥，请一并保管。',
    sureKeyGo: '重新生成',
    key: '恢复密钥或口令',
    keyHint: 'AGE-SECRET-KEY-1…；本网关升级前的备份可留空',
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
