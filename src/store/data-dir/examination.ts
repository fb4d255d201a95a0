import type { BackupRefused } from './backup-refused.ts';
import type { GivenNumbers } from './numbers-given.ts';

/** Facts about a database without its contents. */
export interface DatabaseFacts {
  readonly schemaVersion: number;
  readonly oldestSchemaVersion: number;
  /** Rows of each table. */
  readonly counts: Readonly<Record<string, number>>;
  /** Both ends of the chain of daily statements, as the store keeps them; null: there is none. */
  readonly statements: string | null;
}

export type ExaminerData =
  /** Reads the facts alone. */
  | { readonly kind: 'facts'; readonly database: string }
  /**
   * Checks what was unpacked into `work` (backup-contents.ts), then reads the facts. `replaced`:
   * the numbers of the store that it is to replace; null: nobody knows them.
   */
  | {
      readonly kind: 'contents';
      readonly work: string;
      readonly file: string;
      readonly replaced: GivenNumbers | null;
    };

export type ExaminerReply =
  | { readonly kind: 'facts'; readonly facts: DatabaseFacts }
  | { readonly kind: 'refused'; readonly code: BackupRefused['code']; readonly reason: string }
  | { readonly kind: 'failed'; readonly message: string };
