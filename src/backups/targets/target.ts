/** A place at which backups are kept, while it is open. Names are single file names. */
export interface OpenTarget extends AsyncDisposable {
  /** Free bytes; null if the target does not tell. */
  freeBytes(): Promise<number | null>;
  /** Names of all files that are there. */
  names(): Promise<string[]>;
  /**
   * Writes a local file under a name: first as `name.part`, synced, and renamed only when it is
   * complete. Replaces what has the name.
   */
  put(file: string, name: string, signal: AbortSignal): Promise<void>;
  /**
   * Returns a path at which the file can be read: at the target itself, or a copy in `folder`.
   */
  fetched(name: string, folder: string, signal: AbortSignal): Promise<string>;
  /** Where a small file cannot be written for trial: asks whether the target can be used. */
  probe?(): Promise<void>;
  /** Removes a file; a file that is not there counts as removed. */
  remove(name: string): Promise<void>;
}

/** All of them throw TargetFailed. */
export interface Target {
  /** For people, such as a path; no secret. */
  readonly where: string;
  /** Media can be changed there: one without backups is another one, and none is missing. */
  readonly isMount?: boolean;
  /** Mount for people; null if nothing is mounted or the target is no mount. Touches no disk. */
  holds?(): Promise<string | null>;
  /** Whether the target deletes old backups by its own rules, so that copies may disappear. */
  readonly tidiesItself?: boolean;
  /** Opens the target, once for each step. */
  open(signal: AbortSignal): Promise<OpenTarget>;
}

/** The working name of a file that is not complete. */
export const partOf = (name: string): string => `${name}.part`;
