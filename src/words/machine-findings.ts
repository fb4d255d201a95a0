import { split } from './audit-names.ts';
import { targetFailures } from './backup-targets.ts';
import { finding, setClock } from './findings.ts';
import { inChinese, type Sentence, type WithWhy } from './sentences.ts';
import { storeFaults } from './store.ts';

interface Service {
  readonly service: string;
  /** Key under `provisioning` in the config. */
  readonly radio: string;
}

const packageOf = (service: string): string => (service === 'BlueZ' ? 'bluez' : 'network-manager');

const renew: Sentence<unknown> = {
  en: 'renew it and restart the box; a certificate that the box made renews itself: then check the clock',
  zh: '请更新证书并重启网关。网关自己生成的证书会自动更新：这种情况下请检查时钟。',
};
const newCard: Sentence<unknown> = {
  en: 'make a backup, put in a new card and restore the backup there',
  zh: '请先备份，换上新的存储卡，再恢复备份。',
};
const repair = (then: readonly [en: string, zh: string]): Sentence<unknown> => ({
  en: `start the machine again, which repairs the file system; if it ${then[0]}, ${newCard.en}`,
  zh: `请重启机器，这会修复文件系统。如果${then[1]}，${newCard.zh}`,
});
const makeRoom: Sentence<unknown> = {
  en: 'free some space, or move the box to a larger disk by backup and restore',
  zh: '请清理磁盘，或通过备份和恢复把网关换到更大的磁盘。',
};
/** A reason of a backup target ends with its remedy. */
const byReason: Sentence<WithWhy> = {
  en: ({ why }) => `${why}`,
  zh: ({ why, why_code: code, ...params }) => `原因：${inChinese({ reason: why, code, params }, targetFailures)}。`,
};

/** How a target of backups was found; moments are empty where there is none. */
interface Backups {
  readonly where: string;
  readonly good: string;
  readonly tried: string;
  /** Reason why the last restore failed; empty: it did not. */
  readonly failed: string;
}
const knownEn = ({ good, tried, failed }: Backups): string =>
  `${good === '' ? 'no good one yet' : `the last good one was made ${good}`}, ${tried === '' ? 'no restore was tried' : `a restore ${failed === '' ? 'was tried' : 'failed'} ${tried}`}`;
const knownZh = ({ good, tried, failed }: Backups): string =>
  `${good === '' ? '还没有完好的备份' : `最近一次完好的备份完成于 ${good}`}，${tried === '' ? '尚未试恢复' : `试恢复${failed === '' ? '完成' : '失败'}于 ${tried}`}`;

const freeZh = ({ megabytes }: { megabytes: number }): string => `剩余 ${megabytes} MB`;
const freeEn = ({ megabytes }: { megabytes: number }): string => `${megabytes} MB are free`;
const accepted = {
  en: ({ why }: WithWhy) => `nothing is accepted: ${why}`,
  zh: ({ why, why_code: code, ...params }: WithWhy) =>
    `不接收任何数据：${inChinese({ reason: why, code, params }, storeFaults)}`,
};

/** Two devices with one id. */
export interface UsedTwice {
  readonly device: string;
  /** With commas. */
  readonly addresses: string;
}

export const legacySuites = finding(
  'TLS suites without forward secrecy or authenticated encryption are allowed (tls.legacy_suites)',
  '允许使用没有前向保密或认证加密的 TLS 套件（tls.legacy_suites）',
  {
    en: 'update the terminals that need them, then set tls.legacy_suites to off and restart the box',
    zh: '请升级需要它们的终端，再将 tls.legacy_suites 设为 off 并重启网关',
  },
);

export const usedTwice = finding(
  ({ device, addresses }: UsedTwice) => {
    const [only, ...others] = split(addresses, ', ');
    const from = others.length === 0 ? `${only} alone` : [only, ...others].join(' and ');
    return `two devices use the id ${device}, from ${from}: each login ends the connection of the other`;
  },
  ({ device, addresses }) =>
    `两台设备使用编号 ${device}，来自 ${split(addresses, ', ').join('、')}：每次登录都会断开另一台的连接`,
  {
    en: 'switch one of them off, and give it an id of its own: a memory that was cloned has the serial number of the other; of a single device, its firmware opens a second connection before it closes the first',
    zh: '请关闭其中一台，并为它设置自己的编号：复制的存储带有另一台的序列号；如果只有一台设备，则是其固件在关闭前一个连接之前又打开了一个',
  },
);

export const flushTooFast = finding(
  ({ ms }: { ms: string }) =>
    `a small write is said to be on disk after ${ms} ms, which is faster than any disk: something answers before it is written, and a power cut may lose acknowledged records`,
  ({ ms }) => `一次小写入 ${ms} 毫秒后就报告已落盘，快于任何磁盘：有程序在写入之前就应答，断电可能丢失已确认的记录`,
  {
    en: 'switch off what answers for the disk (eatmydata, a cache of a virtual machine or a controller without a battery), or keep data_dir on another disk, and remove flush.json there to measure again',
    zh: '请关闭代替磁盘应答的程序或缓存（eatmydata、虚拟机或无电池控制器的写缓存），或把 data_dir 放到其他磁盘；删除其中的 flush.json 可重新测量。',
  },
);

/** Of the box itself. */
export const machineFindings = {
  certificate: finding(
    ({ until }: { until: string }) => `valid until ${until}`,
    ({ until }) => `有效期至 ${until}`,
  ),
  certificate_early: finding("the box's certificate is not valid yet", '网关的证书尚未生效', setClock),
  certificate_ended: finding(
    ({ until }: { until: string }) => `the box's certificate expired ${until}`,
    ({ until }) => `网关的证书已于 ${until} 到期`,
    renew,
  ),
  certificate_ends: finding(
    ({ until }: { until: string }) => `the box's certificate expires ${until}`,
    ({ until }) => `网关的证书将于 ${until} 到期`,
    renew,
  ),
  suites_legacy: legacySuites,
  devices_used_twice: usedTwice,

  disk: finding(freeEn, freeZh),
  disk_none: finding(
    ({ folder }: { folder: string }) => `${folder} is not there`,
    ({ folder }) => `没有 ${folder}`,
    {
      en: 'name the --data-dir or --config of the box, or start it once',
      zh: '请指定网关的 --data-dir 或 --config，或先启动一次。',
    },
  ),
  disk_no_room: finding(accepted.en, accepted.zh, makeRoom),
  disk_fails: finding(accepted.en, accepted.zh, repair(['stays so', '仍然如此'])),
  disk_write_protected: finding(
    ({ folder }: { folder: string }) =>
      `${folder} is on a disk that takes no writes: the system makes it read-only after an error`,
    ({ folder }) => `${folder} 所在的磁盘无法写入：出错后系统会将其设为只读`,
    repair(['happens twice', '再次发生']),
  ),
  disk_unreadable: finding(
    ({ records }: { records: number }) =>
      `the disk cannot be read in places (at most ${records} records of the journal; gatehouse status says which); the rest works`,
    ({ records }) => `磁盘部分位置无法读取（最多涉及流水中的 ${records} 条记录，gatehouse status 会列出），其余正常`,
    newCard,
  ),
  disk_unwritable: finding(
    'the disk cannot be written in places: what is acknowledged is kept in the log of the database, which grows',
    '磁盘部分位置无法写入：已确认的数据保存在数据库的日志中，日志会不断增大',
    newCard,
  ),
  disk_on_network: finding(
    ({ folder, name }: { folder: string; name: string }) =>
      `${folder} is on a network file system (${name}), where a database cannot be kept: its processes share memory and locks that no share has`,
    ({ folder, name }) =>
      `${folder} 位于网络文件系统（${name === 'a shared folder of VirtualBox' ? 'VirtualBox 共享文件夹' : name}）上，无法存放数据库：数据库需要共享内存和锁，网络共享不具备`,
    {
      en: 'keep data_dir on a disk of this machine, and use the share for backups (docs/container.md)',
      zh: '请把 data_dir 放在本机磁盘上，网络共享只用于备份（docs/container.md）。',
    },
  ),
  disk_on_fuse: finding(
    ({ folder }: { folder: string }) =>
      `a program stands behind the file system of ${folder} (FUSE) and may answer a flush before the disk has it: a power cut would lose acknowledged records`,
    ({ folder }) => `${folder} 位于 FUSE 文件系统上，可能在数据真正写入磁盘之前就应答：断电会丢失已确认的记录`,
    {
      en: 'name a folder of the disk itself, such as /mnt/disk1 in place of /mnt/user, or a volume of the container engine (docs/container.md)',
      zh: '请改用磁盘本身的目录（例如用 /mnt/disk1 代替 /mnt/user），或容器引擎的卷（docs/container.md）。',
    },
  ),
  disk_in_memory: finding(
    ({ folder, name }: { folder: string; name: string }) =>
      `${folder} is in memory (${name}): a power cut would lose all records`,
    ({ folder, name }) => `${folder} 在内存中（${name}）：断电会丢失全部记录`,
    {
      en: 'keep data_dir on a disk; environment: test allows it for a trial',
      zh: '请把 data_dir 放在磁盘上；试用时可设 environment: test。',
    },
  ),
  disk_of_container: finding(
    ({ folder }: { folder: string }) =>
      `${folder} belongs to the container: the next update of the image would delete all records with it`,
    ({ folder }) => `${folder} 属于容器本身：下次升级镜像时，全部记录会随容器一起删除`,
    {
      en: 'start it with a volume there: --volume gatehouse:/data (docs/container.md)',
      zh: '请在启动时挂载卷：--volume gatehouse:/data（docs/container.md）。',
    },
  ),
  disk_flush: finding(
    ({ ms }: { ms: string }) => `a small write is on disk after ${ms} ms`,
    ({ ms }) => `一次小写入 ${ms} 毫秒后落盘`,
  ),
  disk_flush_too_fast: flushTooFast,
  disk_low: finding(freeEn, freeZh, makeRoom),
  disk_inodes: finding(
    ({ free, size, megabytes }: { free: number; size: number; megabytes: number }) =>
      `${free} of ${size} inodes are free: the disk can hold few more files, though it has ${megabytes} MB`,
    ({ free, size, megabytes }) => `${size} 个 inode 中剩余 ${free} 个：磁盘虽有 ${megabytes} MB，但能再存放的文件很少`,
    {
      en: 'find out with `du --inodes` where many files lie and remove them, or move the box to a larger disk',
      zh: '请用 `du --inodes` 找出文件很多的位置并清理，或把网关换到更大的磁盘。',
    },
  ),

  radio: finding(
    ({ service }: Service) => `${service} is there, with an adapter`,
    ({ service }) => `${service} 正常，有适配器`,
  ),
  radio_off: finding('switched off in the config', '配置中已关闭'),
  radio_simulated: finding('simulated', '模拟'),
  radio_no_bus: finding("the system's D-Bus cannot be reached", '无法连接系统的 D-Bus', {
    en: ({ radio }: Service) => `start D-Bus on this machine, or set provisioning.${radio} to off`,
    zh: ({ radio }) => `请在本机启动 D-Bus，或将 provisioning.${radio} 设为 off。`,
  }),
  radio_no_service: finding(
    ({ service }: Service) => `${service} does not run`,
    ({ service }) => `${service} 没有运行`,
    {
      en: ({ service, radio }) =>
        `install and start it (package ${packageOf(service)}), or set provisioning.${radio} to off`,
      zh: ({ service, radio }) =>
        `请安装并启动它（软件包 ${packageOf(service)}），或将 provisioning.${radio} 设为 off。`,
    },
  ),
  radio_no_adapter: finding(
    ({ service }: Service) => `${service} has no adapter`,
    ({ service }) => `${service} 没有适配器`,
    {
      en: ({ radio }) => `plug one in, see that rfkill does not block it, or set provisioning.${radio} to off`,
      zh: ({ radio }) => `请插入一个并确认没有被 rfkill 关闭，或将 provisioning.${radio} 设为 off。`,
    },
  ),

  backup: finding(
    (of: Backups) => `${of.where} answers; ${knownEn(of)}`,
    of => `${of.where} 可用；${knownZh(of)}`,
  ),
  backup_none: finding(
    ({ last }: { last: string }) =>
      `no target is set: no backup is made by schedule; ${last === '' ? 'none was made by hand' : `the last by hand was made ${last}`}`,
    ({ last }) =>
      `没有设置备份目标，不会定时备份；${last === '' ? '也没有手动备份过' : `最近一次手动备份完成于 ${last}`}`,
    {
      en: 'name a target on the page System, Backup, or under backups in the config',
      zh: '请在“系统”的“备份”页面或配置的 backups 中设置目标。',
    },
  ),
  backup_target: finding(
    (of: Backups & WithWhy) => `cannot be used now; ${knownEn(of)}`,
    of => `现在无法使用；${knownZh(of)}`,
    byReason,
  ),
  backup_failed: finding(
    (of: Backups & WithWhy) => `the last run failed; ${knownEn(of)}`,
    of => `最近一次备份失败；${knownZh(of)}`,
    byReason,
  ),
  backup_restore: finding(
    (of: Backups & WithWhy) => `${of.where}: ${knownEn(of)}`,
    of => `${of.where}：${knownZh(of)}`,
    byReason,
  ),
  backup_old: finding(
    (of: Backups) => `${of.where} answers; ${knownEn(of)}`,
    of => `${of.where} 可用；${knownZh(of)}`,
    {
      en: '`Back up now` on the page System, Backup makes one, and says what is wrong',
      zh: '请在“系统”的“备份”页面点“立即备份”，如有问题会在那里说明。',
    },
  ),

  container: finding(
    'the box runs in a container, which has no Bluetooth, hotspot, hardware watchdog, LED, update bundles, speech or SFTP: docs/container.md names what to use in place of each',
    '网关运行在容器中，没有蓝牙、热点、硬件看门狗、指示灯、升级文件、语音合成和 SFTP：替代方法见 docs/container.md',
  ),
  watchdog: finding('the hardware starts a box that hangs', '网关死机时由硬件重新启动'),
  watchdog_none: finding('this machine has no hardware watchdog', '本机没有硬件看门狗', {
    en: 'nothing restarts it if it hangs as a whole: choose a board with one where that matters',
    zh: '整机死机时不会自动重启：如有需要，请选用带看门狗的主板。',
  }),
  watchdog_idle: finding('the hardware watchdog is not in use', '硬件看门狗没有启用', {
    en: 'set RuntimeWatchdogSec= in the configuration of systemd, and restart the box',
    zh: '请在 systemd 的配置中设置 RuntimeWatchdogSec=，然后重启网关。',
  }),
  system: finding('read-only, as it should be', '只读，正常'),
  system_writable: finding(
    'the system partition can be written: a power cut may harm it, and an update replaces what was changed',
    '系统分区可写：断电可能损坏它，升级会覆盖其中的更改',
    { en: 'restart the box; if it stays so, flash the card again', zh: '请重启网关。如果仍然如此，请重新烧录存储卡。' },
  ),
  card: finding(
    ({ percent }: { percent: number }) => `up to ${percent} % of its life is used`,
    ({ percent }) => `寿命最多已用 ${percent}%`,
  ),
  card_worn: finding(
    ({ percent }: { percent: number }) => `up to ${percent} % of its life is used`,
    ({ percent }) => `寿命最多已用 ${percent}%`,
    {
      en: 'make a backup, flash a new card or board, and restore it there',
      zh: '请先备份，烧录新的存储卡或主板，再恢复备份。',
    },
  ),
};
