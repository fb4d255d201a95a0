import { createWriteStream } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { updateRefusals } from '../words/updates.ts';
import type { UpdateReport } from './port.ts';
import { UpdateRefused } from './port.ts';

const { say } = updateRefusals;

/** More than any compressed image, and far less than a whole card. */
export const bundleBytesMax = 2_000_000_000;
const leaveBytes = 96 << 20;
const sticksMax = 16;
const bundlesMax = 20;

const folderOf = (dataDir: string): string => join(dataDir, 'updates');
const uploadedFile = (dataDir: string): string => join(folderOf(dataDir), 'bundle.raucb');
const partOf = (dataDir: string): string => `${uploadedFile(dataDir)}.part`;

/** The bundle that was sent here, and those at the root of each stick. */
export async function findBundles(dataDir: string, sticksDir: string): Promise<UpdateReport['found']> {
  const sticks = (await readdir(sticksDir).catch(() => [])).slice(0, sticksMax);
  const files = [{ file: uploadedFile(dataDir), name: '' }];
  for (const stick of sticks)
    for (const name of await readdir(join(sticksDir, stick)).catch(() => []))
      if (name.endsWith('.raucb') && !name.startsWith('.')) files.push({ file: join(sticksDir, stick, name), name });
  const found: { file: string; name: string; bytes: number }[] = [];
  for (const one of files.slice(0, bundlesMax)) {
    // A link on a stick may point anywhere.
    const about = await lstat(one.file).catch(() => null);
    if (about?.isFile()) found.push({ ...one, bytes: about.size });
  }
  return found;
}

/**
 * Replaces the bundle that was sent before. `bytes`: the announced length. Throws UpdateRefused
 * where there is no room.
 */
export async function receiveBundle(dataDir: string, bytes: number, body: AsyncIterable<Uint8Array>): Promise<string> {
  await forgetUpload(dataDir);
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(dataDir);
  if (bytes + leaveBytes > bavail * bsize)
    throw new UpdateRefused('no_room', say('update_no_room', { needed: Math.ceil((bytes + leaveBytes) / 1_000_000) }));
  const part = partOf(dataDir);
  try {
    await pipeline(body, atMost(bytes), createWriteStream(part, { mode: 0o600, flush: true }));
    if ((await stat(part)).size !== bytes) throw new UpdateRefused('unreadable', say('update_incomplete'));
    const file = uploadedFile(dataDir);
    await rename(part, file);
    await using folder = await open(folderOf(dataDir), 'r');
    await folder.sync();
    return file;
  } finally {
    await rm(part, { force: true });
  }
}

/** An installed bundle only takes room; one that a power cut left incomplete goes too. */
export async function forgetUpload(dataDir: string): Promise<void> {
  await rm(uploadedFile(dataDir), { force: true });
  await rm(partOf(dataDir), { force: true });
}

function atMost(bytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > bytes) done(new UpdateRefused('unreadable', say('update_too_many_bytes')));
      else done(null, chunk);
    },
  });
}
