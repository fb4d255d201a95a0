import { readFileSync } from 'node:fs';
import { mkdtemp, rmdir, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sh } from './sh.ts';

const ofImages = (file: string) => readFileSync(new URL(`../../firmware-images/${file}`, import.meta.url), 'utf8');

/** The options with which the images mount their data partition. */
export const imageMountOptions = / \/data ext4 (\S+) /.exec(ofImages('common/etc/fstab.in'))![1]!;
/** The block size of the images' data partition, in bytes. */
export const imageBlockBytes = Number(/^data_block_bytes=(\d+)$/m.exec(ofImages('build.sh'))![1]);

/** Makes a file with an ext4 as the images' data partition has it. Throws CommandFailed. */
export async function makeExt4(file: string, megabytes: number, blockBytes = imageBlockBytes): Promise<void> {
  await writeFile(file, '');
  await truncate(file, megabytes << 20);
  // Otherwise it goes on writing in the background for minutes.
  const atOnce = 'lazy_itable_init=0,lazy_journal_init=0,nodiscard';
  await sh('mke2fs', '-q', '-F', '-t', 'ext4', '-b', String(blockBytes), '-m', '1', '-L', 'data', '-E', atOnce, file);
}

export interface Mounted extends AsyncDisposable {
  readonly folder: string;
}

/** Mounts a file with an ext4 through a loop device, as the images mount their data partition. */
export const mountExt4 = (file: string, options = imageMountOptions): Promise<Mounted> =>
  mountFile(file, 'ext4', `loop,${options}`);

/**
 * Mounts a file. The end of the mount waits until nothing is open in it any more; after two seconds
 * it is detached as it is.
 */
export async function mountFile(file: string, type: string, options: string): Promise<Mounted> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-mounted-'));
  await sh('mount', '-t', type, '-o', options, file, folder);
  return {
    folder,
    async [Symbol.asyncDispose]() {
      for (let tries = 0; ; tries++)
        try {
          await sh('umount', ...(tries < 20 ? [] : ['-l']), folder);
          break;
        } catch (error) {
          if (tries >= 20) throw error;
          await new Promise(resolve => setTimeout(resolve, 100));
        }
      await rmdir(folder);
    },
  };
}

/** A block device over a file, for a tool that needs one: it writes whole sectors. */
export async function loopDevice(file: string): Promise<AsyncDisposable & { readonly device: string }> {
  const device = (await sh('losetup', '-f', '--show', file)).trim();
  return { device, [Symbol.asyncDispose]: () => sh('losetup', '-d', device).then(() => {}) };
}
