import { statfsSync } from 'node:fs';

/**
 * Why acknowledged records are not safe on a file system. `network`: SQLite's write-ahead log needs
 * memory that its readers share, and locks that hold. `fuse`: a program of its own answers a flush.
 * `memory`: nothing outlives the power.
 */
type Unfit = 'network' | 'fuse' | 'memory';

/** By the magic number of statfs(2). */
const unfit: ReadonlyMap<number, readonly [name: string, why: Unfit]> = new Map([
  [0x6969, ['NFS', 'network']],
  [0xff534d42, ['SMB', 'network']],
  [0xfe534d42, ['SMB', 'network']],
  [0x517b, ['SMB', 'network']],
  [0x01021997, ['9p', 'network']],
  [0x5346414f, ['AFS', 'network']],
  [0x786f4256, ['a shared folder of VirtualBox', 'network']],
  [0x65735546, ['FUSE', 'fuse']],
  [0x01021994, ['tmpfs', 'memory']],
  [0x858458f6, ['ramfs', 'memory']],
]);

/** File system of a folder, where records are not safe on it; null: nothing is known against it. */
export function unfitFileSystem(folder: string, typeOf = magicOf): { name: string; why: Unfit } | null {
  const [name, why] = unfit.get(typeOf(folder)) ?? [];
  return name === undefined || why === undefined ? null : { name, why };
}

/** Signed in Node where the number has its highest bit set. */
const magicOf = (folder: string): number => Number(statfsSync(folder).type) >>> 0;
