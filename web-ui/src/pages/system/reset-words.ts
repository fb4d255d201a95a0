import { area } from '../../words/index.ts';

export const words = area(
  {
    sentence: 'Reset the box before it goes to somebody else.',
    lead: 'Everything that this box holds is removed: records, people, accounts, keys, certificates, its wifi network and, on a flashed box, its settings. What is printed on its label stays, and so do the keys that it trusts for updates.',
    lost: 'What has not reached the cloud is lost. Terminals that trust this box have to be set up to trust it again.',
    noBackup: 'No backup is kept. Make one first if you need the data:',
    toBackup: 'go to the backups',
    adminOnly: 'An administrator resets the box.',
    go: 'Reset everything …',
    sure: 'Remove everything from this box?',
    type: (name: string) => `Type the name of the site, ${name}, to go on`,
    sureGo: 'Remove everything',
    done: 'Everything is being removed. The box restarts, and this page opens again by itself where its address stays the same. The browser then has to trust its new certificate.',
    atNextStart: 'Everything is removed at the next start of the box: stop it and start it again.',
  },
  {
    sentence: '网关转交他人前，请恢复到出厂状态。',
    lead: '本网关保存的全部内容都会被删除：记录、人员、账号、密钥、证书、无线网络，以及烧录卡上写入的设置。标签上的信息和对升级包签名的信任保持不变。',
    lost: '尚未上传到云平台的数据将会丢失。信任本网关的终端需要重新设置信任。',
    noBackup: '系统不会保留备份。如需保留数据，请先创建备份：',
    toBackup: '前往备份',
    adminOnly: '只有管理员可以恢复出厂状态。',
    go: '全部清除…',
    sure: '确定清除本网关的全部内容？',
    type: name => `请输入站点名称“${name}”以继续`,
    sureGo: '全部清除',
    done: '正在清除全部内容。网关会重新启动；如果地址不变，本页面会自动打开。届时浏览器需要重新信任新证书。',
    atNextStart: '网关下次启动时将清除全部内容：请先停止再启动。',
  },
);
