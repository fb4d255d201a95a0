import type { UnixMs } from '../../runtime/clock.ts';
import type { StorePart } from './part.ts';

/** An archive that the box wrote to a target. */
export interface BackupCopy {
  readonly target: string;
  /** The name of its file there. */
  readonly name: string;
  readonly madeAt: UnixMs;
  readonly bytes: number;
  /** In hex, of the whole file. */
  readonly sha256: string;
  /** Time of verification; null if it was not read back yet, or was not whole. */
  readonly verifiedAt: UnixMs | null;
  /** When a restore of it was last tried; null: never. */
  readonly restoreTriedAt: UnixMs | null;
}

export interface BackupWrites {
  /** Adds it, or replaces what is known of it. */
  putBackupCopy(input: BackupCopy): void;
  removeBackupCopy(input: { target: string; name: string }): void;
  /** Stored sealed. */
  putBackupSetting(input: { key: string; value: string }): void;
}

export interface BackupReads {
  /** Newest first. Retention keeps them few. */
  backupCopies(): Promise<BackupCopy[]>;
  backupSetting(key: string): Promise<string | null>;
}

/** Notes that the box keeps about its backups. */
export type BackupNotesStore = StorePart<BackupReads, BackupWrites>;
