import { once } from 'node:events';
import { startThread } from '../../runtime/start-thread.ts';
import { listErrors } from '../../words/lists.ts';
import type { ImportedList, ListKind } from './lists.ts';
import type { ImportChoices } from './read-list.ts';
import { notRead } from './table.ts';

/** Of the thread that reads a file. 100,000 people need a quarter of it. */
const heapMbMax = 384;

/**
 * Reads a list from a CSV or XLSX file, in a thread of its own: a file of 10 MB would hold the
 * event loop for a second. A file for which the thread's memory does not suffice is refused like a
 * wrong one.
 */
export async function readListInThread(
  kind: ListKind,
  bytes: Uint8Array,
  choices?: ImportChoices,
): Promise<ImportedList> {
  const thread = startThread('import-thread', () => new URL('./thread.ts', import.meta.url), {
    workerData: { kind, bytes, choices },
    name: 'import',
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
  });
  try {
    const [list] = (await once(thread, 'message')) as [ImportedList];
    return list;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    const problem = { line: 1, column: '', value: '', ...listErrors.say('needs_too_much') };
    return { items: [], problems: [problem], warnings: [], extIds: new Set(), file: notRead };
  } finally {
    await thread.terminate();
  }
}
