import { readFileSync } from 'node:fs';
import { become } from '../../runtime/become-owner.ts';
import type { FileOwner } from './put-file.ts';

/**
 * The user of that name and its group, by /etc/passwd, where sysusers puts the box's; null: there
 * is none.
 */
export function systemUser(name: string): FileOwner | null {
  let text: string;
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return null;
  }
  for (const line of text.split('\n')) {
    const [user, , uid, gid] = line.split(':');
    if (user === name && /^\d+$/.test(uid ?? '') && /^\d+$/.test(gid ?? ''))
      return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

export const isRoot = (): boolean => process.geteuid?.() === 0;

/**
 * Runs something as that user, so that the files it makes belong to the user. All threads of the
 * process change user meanwhile. Only root can; `user` null, or not running as root: as the current
 * user.
 */
export async function asUser<T>(user: FileOwner | null, act: () => Promise<T>): Promise<T> {
  using _as = user && become(user);
  return await act();
}
