import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { found } from '../../words/checks.ts';
import type { Finding } from './check.ts';

/**
 * The directory of `store.files`, written to as this process may: its unit can keep it from what
 * root sees. That it is the one of the other processes is made sure of at each start.
 */
export async function filesCheck(folder: string): Promise<Finding> {
  const file = join(folder, `.doctor-${randomUUID()}`);
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile('written');
      await handle.sync();
    } finally {
      await handle.close();
    }
    return { state: 'ok', ...found('files', { folder }) };
  } catch (error) {
    return { state: 'failed', ...found('files_refused', { folder, error: (error as Error).message }) };
  } finally {
    await rm(file, { force: true }).catch(() => {});
  }
}
