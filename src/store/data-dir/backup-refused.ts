/** A backup is refused whole, to be written or to be restored: nothing was touched. */
export class BackupRefused extends Error {
  /** A word for a page, which says it in its reader's language. */
  readonly code:
    | 'unreadable'
    | 'no_backup'
    | 'damaged'
    | 'newer'
    | 'environment'
    | 'foreign'
    | 'needs_key'
    | 'wrong_key'
    | 'unencrypted'
    | 'no_recovery_key'
    | 'weak_passphrase'
    | 'exists'
    | 'no_folder'
    | 'bad_place'
    | 'no_room';
  /** Without the name of the file. */
  readonly reason: string;

  constructor(file: string, code: BackupRefused['code'], reason: string) {
    super(`${file}: ${reason}`);
    this.name = 'BackupRefused';
    this.code = code;
    this.reason = reason;
  }
}
