import { statSync } from 'node:fs';

/** Identity of root before it became another user; null if it is still root, or never was. */
let left: { readonly gid: number; readonly groups: number[]; readonly uid: number } | null = null;

/** All threads of the process change user until the end. No effect for others than root. */
export function become({ uid, gid }: { readonly uid: number; readonly gid: number }): Disposable {
  if (process.geteuid?.() !== 0 || uid === 0) return { [Symbol.dispose]() {} };
  const before = { gid: process.getegid!(), groups: process.getgroups?.() ?? [], uid };
  process.setgroups!([gid]);
  process.setegid!(gid);
  process.seteuid!(uid);
  left = before;
  return {
    [Symbol.dispose]() {
      left = null;
      process.seteuid!(0);
      process.setegid!(before.gid);
      process.setgroups!(before.groups);
    },
  };
}

/**
 * Becomes the owner of a data directory until the end, where root runs a command on it: what is in
 * it is the owner's to replace, and a link there must lead root nowhere. No effect for others, and
 * where there is no such directory.
 */
export function becomeOwner(dataDir: string): Disposable {
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  return become(owner ?? { uid: 0, gid: 0 });
}

/**
 * Runs something short as who ran the command, while the process is the owner of a data directory:
 * for the files that the command line names. It must not wait, and must not touch that directory.
 */
export function asCaller<T>(act: () => T): T {
  if (left === null) return act();
  process.seteuid!(0);
  try {
    return act();
  } finally {
    process.seteuid!(left.uid);
  }
}
