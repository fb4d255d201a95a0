import { join } from 'node:path';
import { makeExt4, mountExt4 } from '../test/power/ext4.ts';
import { FuseDisk } from '../test/power/fuse-disk.ts';
import { temporaryFolder } from './machine.ts';
import type { Row } from './report.ts';
import type { Pace } from './rounds.ts';
import { type Server, startBox } from './servers.ts';
import { worseOff } from './worse.ts';

/** Small writes of a worn card, and its sync. */
const delayMs = { write: 1, flush: 5 };
const megabytes = 2000;

/**
 * The box on a disk whose writes and flushes take longer: an ext4, mounted as the images mount it,
 * on a disk of our own that answers late.
 */
export const slowWrites = (pace: Pace): Promise<Row[]> =>
  worseOff(pace, {
    name: 'a disk whose writes are slow',
    usual: () => onDisk({}),
    worse: () => onDisk({ delayMs }),
    how: `each write to the disk takes ${delayMs.write} ms longer and each flush ${delayMs.flush} ms, one after the other`,
  });

async function onDisk(faults: { readonly delayMs?: typeof delayMs }): Promise<Server> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const image = join(folder.path, 'disk.img');
  await makeExt4(image, megabytes);
  const disk = stack.use(await FuseDisk.make({ image }));
  const mounted = stack.use(await mountExt4(disk.file));
  // Set back first: the end of the file system would take its time too.
  stack.defer(() => disk.setFaults({}));
  const server = stack.use(await startBox({ dataDir: join(mounted.folder, 'data') }));
  disk.setFaults(faults);
  const all = stack.move();
  return { ...server, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
