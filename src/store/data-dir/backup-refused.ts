/** A backup could not be written or restored; nothing was changed. */
export class BackupRefused extends Error {
  /** A code for a page, which translates it. */
  readonly code:
    | 'unreadable'
    | 'store_unreadable'
    | 'no_backup'
    | 'damaged'
    | 'newer'
    | 'environment'
    | 'foreign'
    | 'needs_key'
    | 'wrong_key'
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
