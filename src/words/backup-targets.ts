import { type Sentence, sentences } from './sentences.ts';

/** Where a backup was to go, or the file that was read back from there. */
interface At {
  readonly at: string;
  /** Words of the system, of a server or of a program, with which they say why; empty: none. */
  readonly detail: string;
}

interface Halves {
  readonly found: string;
  readonly remedy: string;
}

const failure = (en: Halves, zh: Halves): Sentence<At> => ({
  en: ({ at, detail }) => `${at} ${en.found}${detail && ` (${detail})`}: ${en.remedy}`,
  zh: ({ at, detail }) => `${at} ${zh.found}${detail && `（${detail}）`}，${zh.remedy}`,
});

/** Why a backup did not get to a target, or is not good there, and what to do. */
export const targetFailures = sentences({
  no_folder: failure(
    { found: 'is not there', remedy: 'make the folder there, or name another' },
    { found: '不存在', remedy: '请先创建该文件夹，或另选一个' },
  ),
  not_a_folder: failure(
    { found: 'is no folder', remedy: 'make a folder there, or name another' },
    { found: '不是文件夹', remedy: '请在该处创建文件夹，或另选一个' },
  ),
  not_allowed: failure(
    { found: 'may not be written', remedy: 'let the user of the box write to the folder, or name another' },
    { found: '不允许写入', remedy: '请授权给网关的用户，或另选一个' },
  ),
  in_own_data: failure(
    { found: 'lies in the data directory of the box', remedy: 'name a folder elsewhere' },
    { found: '位于网关的数据目录中', remedy: '请另选一个文件夹' },
  ),
  read_only: failure(
    { found: 'can only be read', remedy: 'switch off its write protection, or mount it for writing' },
    { found: '只读', remedy: '请关闭写保护，或以可写方式挂载' },
  ),
  full: failure(
    { found: 'is full', remedy: 'make room there, keep fewer backups, or use a larger one' },
    { found: '空间已满', remedy: '请清理，减少保留的备份，或换更大的存储' },
  ),
  full_for: {
    en: ({ at, needs, free }: { at: string; needs: number; free: number }) =>
      `${at} has ${free} MB free, and the backup takes ${needs} MB: make room there, keep fewer backups, or use a larger one`,
    zh: ({ at, needs, free }) => `${at} 剩余 ${free} MB，备份需要 ${needs} MB，请清理，减少保留的备份，或换更大的存储`,
  },
  target_file_too_large: failure(
    {
      found: 'takes no file as large as this',
      remedy: 'format it as ext4 or exFAT: FAT32 holds no file of 4 GiB or more',
    },
    { found: '无法存放这么大的文件', remedy: '请格式化为 ext4 或 exFAT：FAT32 不支持 4 GiB 及以上的文件' },
  ),
  gone: failure(
    {
      found: 'does not answer any more',
      remedy: 'plug it in or mount it again; after that a backup is made by itself',
    },
    { found: '不再响应', remedy: '请重新插入或挂载，之后会自动备份' },
  ),
  emptied: failure(
    {
      found: 'holds none of the backups that were written there',
      remedy:
        'mount the disk there again; if its backups were removed on purpose, name another folder, such as a new one beside it',
    },
    {
      found: '中以前的备份一个也不在了',
      remedy: '请重新挂载那里的磁盘；如果是有意删除的，请改用另一个文件夹，例如旁边新建一个',
    },
  ),
  not_mounted: failure(
    {
      found: 'has nothing mounted, and nothing was written to the disk of the box',
      remedy:
        'plug the stick in, or see whether the share can be reached; the system mounts them (docs/operating/backup-targets.md)',
    },
    {
      found: '没有挂载任何设备，没有向网关自己的磁盘写入任何内容',
      remedy: '请插入 U 盘，或检查共享是否可达；挂载由系统完成（docs/operating/backup-targets.md）',
    },
  ),
  timed_out: failure(
    { found: 'did not answer in time', remedy: 'see whether it is switched on and can be reached' },
    { found: '未及时响应', remedy: '请检查是否已开机、网络是否可达' },
  ),
  differs: failure(
    { found: 'was not read back as it was written', remedy: 'replace the stick or the disk' },
    { found: '读回的内容与写入的不一致', remedy: '请更换 U 盘或磁盘' },
  ),
  damaged: failure(
    { found: 'is damaged', remedy: 'make another backup; if that is damaged too, replace the stick or the disk' },
    { found: '已损坏', remedy: '请重新备份；若仍损坏，请更换 U 盘或磁盘' },
  ),
  unknown_host: failure(
    {
      found: 'has a name that is not known',
      remedy: 'write it as your network knows it, or the IP address; `gatehouse doctor` tests the name server',
    },
    {
      found: '的名称无法解析',
      remedy: '请按本地网络中的名称填写，或填写 IP 地址；`gatehouse doctor` 可检查域名服务器',
    },
  ),
  unreachable: failure(
    {
      found: 'is answered by no SSH server',
      remedy: 'see whether it is switched on, and whether the port is right and open',
    },
    { found: '没有 SSH 服务器应答', remedy: '请检查是否已开机、端口是否正确并已开放' },
  ),
  sftp_login_refused: failure(
    {
      found: 'does not let the box in',
      remedy: 'add the public key of the box, which the page System, Backup shows, to `authorized_keys` of that user',
    },
    { found: '拒绝网关登录', remedy: '请把网关的公钥（见“系统”的“备份”页面）加入该用户的 authorized_keys' },
  ),
  host_key_unknown: failure(
    {
      found: 'has a host key that nobody confirmed',
      remedy: 'confirm it on the page System, Backup, or write `host_key` in the config',
    },
    { found: '的主机密钥尚未确认', remedy: '请在“系统”的“备份”页面确认，或在配置中写 `host_key`' },
  ),
  host_key_changed: failure(
    {
      found: 'shows another host key than the one that was confirmed; nothing was sent',
      remedy:
        'find out why before you confirm the new key on the page System, Backup: another machine may answer in its place',
    },
    {
      found: '出示的主机密钥与已确认的不同，没有发送任何内容',
      remedy: '请先查明原因（可能是另一台机器在应答），再在“系统”的“备份”页面确认新密钥',
    },
  ),
  no_sftp: failure(
    {
      found: 'lets the box in, and offers no SFTP',
      remedy: 'switch it on there; in sshd_config: `Subsystem sftp internal-sftp`',
    },
    {
      found: '允许登录，但没有提供 SFTP',
      remedy: '请在服务器上启用；在 sshd_config 中：`Subsystem sftp internal-sftp`',
    },
  ),
  no_ssh: failure(
    {
      found: 'is not installed on the box',
      remedy: 'install it: apt-get install openssh-client; in a container, back up to a folder or to a box above',
    },
    { found: '没有安装在网关上', remedy: '请安装：apt-get install openssh-client；在容器中请备份到目录或上级网关' },
  ),
  no_box_above: {
    en: 'this box sends its records to no Gatehouse: set upstream.mode: batch and the address of the box above, or remove this target',
    zh: '本网关没有上级网关，请在配置中设置 upstream.mode: batch 和上级网关的地址，或移除此目标',
  },
  above_unreachable: failure(
    {
      found: 'cannot be reached',
      remedy: 'nothing is to be done: it is sent again by itself; `gatehouse status` says why the line is down',
    },
    { found: '无法连接', remedy: '无需处理，恢复后会自动重新传送；`gatehouse status` 会说明线路不通的原因' },
  ),
  not_kept_above: failure(
    { found: 'keeps no backups', remedy: 'see whether a Gatehouse of this version or a newer one stands above' },
    { found: '不保存备份', remedy: '请检查上级是否为本版本或更新版本的 Gatehouse' },
  ),
  above_full: failure(
    {
      found: 'has no room for it',
      remedy: 'ask whoever runs the box above: its limits.box_backup_copies and box_backup_bytes say how much it keeps',
    },
    {
      found: '空间不足',
      remedy: '请联系上级网关的管理员：limits.box_backup_copies 和 box_backup_bytes 决定它保存多少',
    },
  ),
  above_refused: failure(
    { found: 'did not take it', remedy: 'ask whoever runs the box above: its page Devices lists this box' },
    { found: '没有接收', remedy: '请联系上级网关的管理员：它的“设备”页面列出本网关' },
  ),
  refused: failure(
    {
      found: 'let nothing be written, and does not say why',
      remedy: 'look at the server: a quota may be used up, or its disk be read-only',
    },
    { found: '不允许写入，也未说明原因', remedy: '请检查服务器：可能配额已用完，或磁盘只读' },
  ),
  no_recovery_key: {
    en: 'backups are encrypted, and there is no recovery key yet: make it on the page System, Backup, or with `gatehouse recovery-key new`',
    zh: '备份总是加密的，还没有恢复密钥，请在“系统”的“备份”页面生成，或运行 `gatehouse recovery-key new`',
  },
  no_room: {
    en: ({ detail }: { detail: string }) =>
      `the disk of the box has no room to make a backup (${detail}): shorten the retention, or move backups away from its data directory`,
    zh: ({ detail }) => `网关磁盘空间不足，无法生成备份（${detail}），请缩短保留时间，或把备份移出数据目录`,
  },
  no_room_for: {
    en: ({ needs, free }: { needs: number; free: number }) =>
      `a backup needs ${needs} MB of free disk on the box, and there are ${free} MB: shorten the retention, or move backups away from its data directory`,
    zh: ({ needs, free }) =>
      `生成备份需要网关磁盘剩余 ${needs} MB，现有 ${free} MB，请缩短保留时间，或把备份移出数据目录`,
  },
  interrupted: failure(
    { found: 'broke off', remedy: 'nothing is to be done: it is made again by itself' },
    { found: '中断', remedy: '无需处理，将自动重做' },
  ),
  failed: failure(
    { found: 'failed', remedy: 'see the reason; `gatehouse logs --system` has more' },
    { found: '失败', remedy: '详情见网关日志（`gatehouse logs --system`）' },
  ),
});

export type TargetFailure = keyof typeof targetFailures.texts;
