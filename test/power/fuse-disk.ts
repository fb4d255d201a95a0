import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { hasTool } from '../support/tools.ts';
import type { Faults } from './disk-faults.ts';
import { type DiskThreadData, shared, sharedBytes } from './disk-thread-data.ts';
import { sh } from './sh.ts';

/**
 * A disk of our own: one file, `disk`, in a FUSE file system that a thread of this process serves
 * from an image. A loop device over it is a disk with a write-back cache (`mountExt4` puts an ext4
 * on it): each write and each flush arrives here in order, is logged if `log` names a file, and
 * does wrong what `setFaults` says.
 *
 *     await using disk = await FuseDisk.make({ image: 'disk.img', log: 'log' });
 *     await using mounted = await mountExt4(disk.file);   // a program works in mounted.folder
 *     disk.setFaults({ delayMs: { flush: 30_000 } });     // { holdFlushes: true }, { dropFlushes: 1 / 3 }
 *     disk.setFaults({ errors: [{ on: 'write', fromSector: 2048, toSector: 4096 }] });
 *     disk.setFaults({});                                 // a good disk again; ends each wait
 *
 * Needs root, `/dev/fuse` and loop devices (`FuseDisk.possible`), and no package. What a cut of the
 * power would leave of it: `Cutter`, over the log.
 */
export class FuseDisk implements AsyncDisposable {
  /** For `losetup` or `mount -o loop`. */
  readonly file: string;
  readonly #folder: string;
  readonly #words: Int32Array;
  readonly #faults: MessagePort;
  readonly #worker: Worker;
  readonly #ended: Promise<unknown>;

  private constructor(folder: string, words: Int32Array, faults: MessagePort, worker: Worker) {
    this.#folder = folder;
    this.file = join(folder, 'disk');
    this.#words = words;
    this.#faults = faults;
    this.#worker = worker;
    this.#ended = once(worker, 'exit');
  }

  /** Serves this image, whose size is a multiple of 512, and changes it. Makes the log's file. */
  static async make({ image, log = null }: { image: string; log?: string | null }): Promise<FuseDisk> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-fuse-'));
    const memory = new SharedArrayBuffer(sharedBytes);
    const { port1, port2 } = new MessageChannel();
    const workerData: DiskThreadData = { image, log, folder, shared: memory, faults: port2 };
    const worker = new Worker(new URL('./fuse-disk-thread.ts', import.meta.url), {
      workerData,
      transferList: [port2],
      name: 'disk',
    });
    await once(worker, 'message');
    port1.unref();
    return new FuseDisk(folder, new Int32Array(memory), port1, worker);
  }

  /**
   * How many requests are in the log. Read when an acknowledgement arrives: what it promises must
   * be on a disk that was cut off after that many requests. Read late, it only demands less.
   */
  get position(): number {
    return Atomics.load(this.#words, shared.position);
  }

  /** Requests that arrived since the start, those that failed included. */
  get seen(): { readonly reads: number; readonly writes: number; readonly flushes: number } {
    const of = (word: number) => Atomics.load(this.#words, word);
    return { reads: of(shared.reads), writes: of(shared.writes), flushes: of(shared.flushes) };
  }

  /** A request waits, as `delayMs` or `holdFlushes` said. */
  get isWaiting(): boolean {
    return Atomics.load(this.#words, shared.waiting) === 1;
  }

  /**
   * Replaces all faults: counts for each request that arrives from now on. A request that waits is
   * looked at again under the new faults, from when it arrived.
   */
  setFaults(faults: Faults): void {
    this.#faults.postMessage(faults);
    Atomics.add(this.#words, shared.changes, 1);
    Atomics.notify(this.#words, shared.changes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.setFaults({});
    await sh('umount', this.#folder).catch(() => sh('umount', '-l', this.#folder));
    // A lazy unmount ends it when the last user goes: its loop device may take a moment.
    const late = setTimeout(() => this.#worker.terminate(), 10_000);
    await this.#ended;
    clearTimeout(late);
    this.#faults.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  static readonly possible: boolean =
    process.getuid?.() === 0 &&
    existsSync('/dev/fuse') &&
    existsSync('/dev/loop-control') &&
    ['losetup', 'mount', 'umount', 'mke2fs', 'e2fsck', 'debugfs'].every(hasTool);

  /** For `suiteWhere`. */
  static readonly needs =
    'needs root, /dev/fuse, loop devices and e2fsprogs: apt-get install e2fsprogs util-linux, then sudo npm run test:long -- power';
}
