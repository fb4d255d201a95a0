import { accessSync, constants } from 'node:fs';
import { AdminRefused } from '../runtime/admin-refused.ts';
import { BoxEnded } from './box-ended.ts';
import { type Ask, adminCalls } from './calls.ts';
import { askSocket, knock } from './socket.ts';

/** Interface of a box, running (over its socket) or stopped (on its store). */
export type BoxClient = ReturnType<typeof adminCalls> & AsyncDisposable;

export const clientOver = (ask: Ask, end: () => Promise<void> = async () => {}): BoxClient => ({
  ...adminCalls(ask, () => new BoxEnded()),
  [Symbol.asyncDispose]: end,
});

/**
 * A running box over its Unix socket; null when no box listens there. Throws when one is there that
 * this user may not ask.
 */
export async function connectAdmin(dataDir: string): Promise<BoxClient | null> {
  try {
    await knock(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return null;
    if (code === 'EACCES')
      throw new AdminRefused({
        type: 'about:blank',
        title: 'Not allowed',
        status: 403,
        detail: `${dataDir}: this user may not ${mayLookInto(dataDir) ? 'ask the box that is running there' : 'look into it'}: run this with sudo, or as the user of the box`,
      });
    throw error;
  }
  return clientOver(request => askSocket(dataDir, request));
}

function mayLookInto(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
