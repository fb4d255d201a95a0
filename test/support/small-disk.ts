import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A file system of its own, which can be full or read-only without affecting anything else. Needs
 * root. `inodes`: how many files it can hold; 0: it does not count them.
 */
export class SmallDisk implements Disposable {
  readonly folder: string;

  constructor(megabytes: number, inodes = 0) {
    this.folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,nr_inodes=${inodes}`, 'tmpfs', this.folder]);
  }

  readOnly(on: boolean): void {
    execFileSync('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, this.folder]);
  }

  resize(megabytes: number): void {
    execFileSync('mount', ['-o', `remount,size=${megabytes}m`, this.folder]);
  }

  get usedBytes(): number {
    const { blocks, bfree, bsize } = statfsSync(this.folder);
    return (blocks - bfree) * bsize;
  }

  [Symbol.dispose](): void {
    execFileSync('umount', ['-l', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  static readonly possible: boolean = (() => {
    try {
      new SmallDisk(1)[Symbol.dispose]();
      return true;
    } catch {
      return false;
    }
  })();
}
