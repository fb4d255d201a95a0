import { once } from 'node:events';
import { startThread } from '../start-thread.ts';
import { BackupRefused } from './backup-archive.ts';
import type { GivenNumbers } from './replaced-store.ts';

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
   * Checks what was unpacked into `work` (examiner-thread.ts), then reads the facts. `replaced`:
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

/**
 * Runs in a thread of its own: to count the rows of a large database and to check each of its pages
 * takes seconds, in which the box must serve. Throws BackupRefused.
 */
export async function examined(data: ExaminerData): Promise<DatabaseFacts> {
  const worker = startThread('examiner', data);
  try {
    const [reply] = (await Promise.race([
      once(worker, 'message'),
      once(worker, 'exit').then(() => {
        throw new Error('the thread that examines a backup ended early');
      }),
    ])) as [ExaminerReply];
    if (reply.kind === 'refused')
      throw new BackupRefused(data.kind === 'contents' ? data.file : data.database, reply.code, reply.reason);
    if (reply.kind === 'failed') throw new Error(reply.message);
    return reply.facts;
  } finally {
    await worker.terminate();
  }
}
