import { once } from 'node:events';
import { startThread } from '../start-thread.ts';
import { BackupRefused } from './backup-refused.ts';
import type { DatabaseFacts, ExaminerData, ExaminerReply } from './examination.ts';

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
