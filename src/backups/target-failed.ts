/** Why a backup did not get to a target, or is not good there. The pages have words for each. */
const targetFailures = {
  no_folder: 'make the folder there, or name another',
  not_allowed: 'let the user of the box write to the folder, or name another',
  read_only: 'switch off its write protection, or mount it for writing',
  full: 'make room there, keep fewer backups, or use a larger one',
  too_large: 'format it as ext4 or exFAT: FAT32 holds no file of 4 GiB or more',
  gone: 'plug it in or mount it again; after that a backup is made by itself',
  emptied:
    'mount the disk there again; if its backups were removed on purpose, name another folder, such as a new one beside it',
  not_mounted:
    'plug the stick in, or see whether the share can be reached; the system mounts them (docs/operating.md, Backups)',
  timed_out: 'see whether it is switched on and can be reached',
  differs: 'replace the stick or the disk: what was written is not what is read back',
  damaged: 'make another backup; if that is damaged too, replace the stick or the disk',
  unknown_host: 'write the name as your network knows it, or the IP address; `gatehouse doctor` tests the name server',
  unreachable: 'see whether it is switched on, and whether the port is right and open',
  login_refused:
    'add the public key of the box, which the page System, Backup shows, to `authorized_keys` of that user',
  host_key_unknown: 'confirm it on the page System, Backup, or write `host_key` in the config',
  host_key_changed:
    'find out why before you confirm the new key on the page System, Backup: another machine may answer in its place',
  no_sftp: 'switch on SFTP there; in sshd_config: `Subsystem sftp internal-sftp`',
  no_ssh: 'install it: apt-get install openssh-client',
  no_box_above: 'set upstream.mode: batch and the address of the box above, or remove this target',
  line_down: 'nothing is to be done: it is sent again by itself; `gatehouse status` says why the line is down',
  not_kept_above: 'see whether a Gatehouse of this version or a newer one stands above',
  above_full: 'ask whoever runs the box above: its limits.box_backup_copies and box_backup_bytes say how much it keeps',
  above_refused: 'ask whoever runs the box above: its page Devices lists this box',
  refused: 'look at the server: a quota may be used up, or its disk be read-only; SFTP does not say which',
  no_recovery_key: 'make the recovery key on the page System, Backup, or with `gatehouse recovery-key new`',
  no_room: 'make room on the disk of the box: shorten the retention, or move backups away from its data directory',
  interrupted: 'nothing is to be done: it is made again by itself',
  failed: 'see the reason; `gatehouse logs --system` has more',
} as const;

export type TargetFailure = keyof typeof targetFailures;

/** A target could not be used. What was good there before is still there. */
export class TargetFailed extends Error {
  readonly code: TargetFailure;
  /** Finding without the remedy; contains no secret. */
  readonly found: string;

  constructor(code: TargetFailure, found: string) {
    super(`${found}: ${targetFailures[code]}`);
    this.name = 'TargetFailed';
    this.code = code;
    this.found = found;
  }
}

const ofErrno: Readonly<Record<string, TargetFailure>> = {
  ENOENT: 'no_folder',
  ENOTDIR: 'no_folder',
  EACCES: 'not_allowed',
  EPERM: 'not_allowed',
  EROFS: 'read_only',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'too_large',
  EIO: 'gone',
  ENODEV: 'gone',
  ENXIO: 'gone',
  ESTALE: 'gone',
  ENOTCONN: 'gone',
  EHOSTDOWN: 'gone',
  ETIMEDOUT: 'timed_out',
};

/** Meaning of a failed system call on a path of a target. */
export function failureOf(error: unknown, path: string): TargetFailed {
  if (error instanceof TargetFailed) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const failure = code === undefined ? undefined : ofErrno[code];
  return new TargetFailed(failure ?? 'failed', failure ? `${path}: ${wordOf[failure] ?? code} (${code})` : message);
}

const wordOf: Partial<Record<TargetFailure, string>> = {
  no_folder: 'is not there',
  not_allowed: 'must not be written',
  read_only: 'can only be read',
  full: 'is full',
  too_large: 'takes no file as large as this',
  gone: 'does not answer any more',
  timed_out: 'did not answer in time',
};
