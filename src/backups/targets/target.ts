/** A place at which backups are kept, while it is open. Names are single file names. */
export interface OpenTarget extends AsyncDisposable {
  /** Null: it does not say. */
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
  /** What is not there is removed. */
  remove(name: string): Promise<void>;
}

/** All of them throw TargetFailed. */
export interface Target {
  /** For people, such as a path; no secret. */
  readonly where: string;
  /** Media can be changed there: one without backups is another one, and none is missing. */
  readonly isMount?: boolean;
  /** What is mounted there, for people; null: nothing, or it is no mount. Touches no disk. */
  holds?(): Promise<string | null>;
  /** It deletes old backups by rules of its own, and what this box has there may become less. */
  readonly tidiesItself?: boolean;
  /** It is opened for each step. */
  open(signal: AbortSignal): Promise<OpenTarget>;
}

/** The working name of a file that is not complete. */
export const partOf = (name: string): string => `${name}.part`;
