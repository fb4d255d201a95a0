import { readFileSync } from 'node:fs';
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
 * Does something as that user, so that the files which it makes are the user's: all threads of the
 * process are for as long. Root alone can; `user` null, or another than root running this: as
 * whoever runs it.
 */
export async function asUser<T>(user: FileOwner | null, act: () => Promise<T>): Promise<T> {
  if (!user || !isRoot()) return act();
  const groups = process.getgroups?.() ?? [];
  const gid = process.getegid!();
  process.setgroups!([user.gid]);
  process.setegid!(user.gid);
  process.seteuid!(user.uid);
  try {
    return await act();
  } finally {
    process.seteuid!(0);
    process.setegid!(gid);
    process.setgroups!(groups);
  }
}
