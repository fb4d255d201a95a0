import { radioFaults } from './own-network.ts';
import { inChinese, sentences, type WithWhy } from './sentences.ts';

interface File {
  readonly file: string;
}
/** `said`: by RAUC. */
interface SaidOf extends File {
  readonly said: string;
}

const inner = ({ why, why_code: code, ...params }: WithWhy): string =>
  inChinese({ reason: why, code, params }, radioFaults);

/** Why an update is not begun, and what to do. */
export const updateRefusals = sentences({
  /** `why`: RAUC does not answer; empty: it is not there. */
  update_impossible: {
    en: ({ why }: WithWhy) =>
      `this box is not updated by bundles: RAUC does not run on it${why === '' ? '' : ` (${why})`}; update the package \`gatehouse\`, or see docs/updates.md`,
    zh: of =>
      `本网关不用升级文件升级：本机没有运行 RAUC${of.why === '' ? '' : `（${inner(of)}）`}；请升级 gatehouse 软件包，或参阅 docs/updates.md`,
  },
  update_by_image: {
    en: 'a container is updated by its image, not by bundles: load the newer image and start it on the same volume, as docs/container.md says',
    zh: '容器通过镜像升级，不使用升级文件：请载入新镜像，并在同一个卷上启动，参阅 docs/container.md',
  },
  update_rauc_refuses: {
    en: ({ error }: { error: string }) => `RAUC did not install the update: ${error}`,
    zh: ({ error }) => `用于安装升级的 RAUC 未能执行：${error}`,
  },
  update_busy: {
    en: 'another update is under way: wait until it is done',
    zh: '另一个升级正在进行：请等待完成',
  },
  update_on_trial: {
    en: 'the update before is still on trial: wait until it has proven itself, at most 5 minutes',
    zh: '上一次升级仍在试运行：请等待确认，最多 5 分钟',
  },
  update_unreadable: {
    en: ({ file, said }: SaidOf) => `${file} is not a readable bundle: get it again from its maker (${said})`,
    zh: ({ file, said }) => `${file} 不是可读取的升级文件：请向厂商重新获取（${said}）`,
  },
  update_untrusted: {
    en: ({ file, said }: SaidOf) =>
      `${file} is not signed by a key that this box trusts, or is damaged: get it again from its maker (${said})`,
    zh: ({ file, said }) => `${file} 没有受信任的签名，或已损坏：请向厂商重新获取（${said}）`,
  },
  update_wrong_machine: {
    en: ({ compatible, machine }: { compatible: string; machine: string }) =>
      `it is for ${compatible || 'an unknown machine'}, and this is ${machine}: take the bundle for this machine`,
    zh: ({ compatible, machine }) =>
      `该升级文件用于 ${compatible || '未知机型'}，而本机为 ${machine}：请使用适用于本机的升级文件`,
  },
  update_older: {
    en: ({ version, runs }: { version: string; runs: string }) =>
      `${version} is older than the running ${runs}: take a newer bundle, or say --allow-older as root (on the page: the box to tick, with allow-older.txt on the card)`,
    zh: ({ version, runs }) =>
      `${version} 比正在运行的 ${runs} 旧：请使用更新的升级文件，或由 root 以 --allow-older 允许（在页面上：勾选，并在存储卡上放入 allow-older.txt）`,
  },
  update_without_version: {
    en: 'the bundle does not say which version it is: get it again from its maker',
    zh: '升级文件没有写明版本：请向厂商重新获取',
  },
  update_program_not_run: {
    en: ({ machine }: { machine: string }) =>
      `the program of this bundle does not run here (${machine}): take the bundle for this machine`,
    zh: ({ machine }) => `升级文件中的程序无法在本机（${machine}）运行：请使用适用于本机的升级文件`,
  },
  update_program_no_room: {
    en: 'the program did not fit on the disk: make room and try again',
    zh: '磁盘放不下新程序：请清理空间后重试',
  },
  update_no_other_program: {
    en: 'there is no other program to go back to',
    zh: '没有可退回的其他程序',
  },
  update_no_room: {
    en: ({ needed }: { needed: number }) =>
      `this needs ${needed} MB of free disk: update from a USB stick, or make room`,
    zh: ({ needed }) => `需要 ${needed} MB 的可用磁盘空间：请用 U 盘升级，或清理空间`,
  },
  update_no_room_for_backup: {
    en: ({ needed, free, folder }: { needed: number; free: number; folder: string }) =>
      `the backup before the update needs ${needed} MB of free disk and there are ${free} MB: move backups away from ${folder}, or shorten the retention`,
    zh: ({ needed, free, folder }) =>
      `升级前的备份需要 ${needed} MB 的可用磁盘空间，现有 ${free} MB：请移走 ${folder} 中的备份，或缩短保留时间`,
  },
  update_incomplete: {
    en: 'the bundle arrived incomplete: send it again',
    zh: '升级文件没有收全：请重新发送',
  },
  update_too_many_bytes: {
    en: 'more bytes arrived than were announced: send it again',
    zh: '收到的字节多于声明的长度：请重新发送',
  },
  update_nothing_before: {
    en: 'there is nothing to go back to: no update was installed here',
    zh: '没有可退回的版本：没有安装过升级',
  },
  update_no_rollback: {
    en: 'this box was not started by its service: run `/usr/lib/gatehouse/program rollback` as root, then start it again',
    zh: '本网关不是由其服务启动的：请以 root 运行 `/usr/lib/gatehouse/program rollback`，然后重新启动',
  },
  update_unknown_file: {
    en: ({ file }: File) =>
      `${file} is none of the bundles that GET /update lists: send it with PUT /update/bundle, or by USB stick`,
    zh: ({ file }) => `${file} 不在 GET /update 列出的升级文件中：请用 PUT /update/bundle 发送，或使用 U 盘`,
  },
});

/** How an update ended, where it did not go well. After a restart `systemd/lib` notes the code. */
export const updateEnds = sentences({
  update_asked_for: { en: 'requested by a person', zh: '人工操作' },
  update_unhealthy_starts: {
    en: ({ starts }: { starts: string }) => `it was not healthy after ${starts} starts`,
    zh: ({ starts }) => `启动 ${starts} 次后仍不正常`,
  },
  update_unhealthy: {
    en: ({ needed, longest, state, result }: { needed: string; longest: string; state: string; result: string }) =>
      `gatehouse.service was not healthy for ${needed} s within ${longest} s: it is ${state || 'not there'}, last result ${result}`,
    zh: ({ needed, longest, state, result }) =>
      `gatehouse.service 在 ${longest} 秒内未能连续正常运行 ${needed} 秒：状态 ${state || '不存在'}，最近结果 ${result}`,
  },
  update_system_not_up: { en: 'the new system did not come up', zh: '新系统未能启动' },
  update_not_in_force: {
    en: 'the power was cut, or the packaged program changed, before the new program came into force',
    zh: '新程序生效之前断电，或软件包自带的程序已更改',
  },
  update_cut: {
    en: 'the power was cut, or the box ended, before it was installed',
    zh: '安装完成之前断电或网关退出',
  },
  update_restart_box: {
    en: 'nothing restarts this box by itself: restart it',
    zh: '本网关不会自动重新启动：请重新启动',
  },
  update_restart_machine: {
    en: ({ why }: WithWhy) => `the machine did not restart (${why}): restart it by hand`,
    zh: of => `本机没有重新启动（${inner(of)}）：请人工重新启动`,
  },
  update_no_reason: { en: 'RAUC says no reason', zh: 'RAUC 没有说明原因' },
});

/** All that the reason of a last update may be of. */
export const updateReasons = [updateEnds, updateRefusals, radioFaults] as const;
