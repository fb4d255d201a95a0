import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signCms } from './cms.ts';
import type { SigningKeys } from './signing-keys.ts';

const blockBytes = 4096;

/** Sections of RAUC's manifest, with their lines. */
type Manifest = Readonly<Record<string, readonly string[]>>;

/**
 * Makes `bundle` of the files in a folder: squashfs, hash tree, manifest in a CMS signature, and the
 * length of that as u64 big-endian (RAUC, "verity" format). `rauc bundle` would put a random salt and
 * the moment into each; here the salt comes from the content. The folder gets the manifest too.
 * Throws what mksquashfs or RAUC says, which reads the bundle at the end.
 */
export function makeBundle(bundle: string, folder: string, manifest: Manifest, keys: SigningKeys, epoch: number): void {
  writeFileSync(join(folder, 'manifest.raucm'), textOf(manifest));
  // Nothing of the files is from this machine: no owners, no moments, no attributes.
  run('mksquashfs', [
    ...[folder, bundle, '-noappend', '-no-progress', '-quiet', '-comp', 'zstd', '-Xcompression-level', '15'],
    ...['-all-root', '-no-xattrs', '-all-time', String(epoch), '-mkfs-time', String(epoch)],
  ]);
  const content = readFileSync(bundle);
  const salt = createHash('sha256').update(content).digest();
  const { tree, root } = hashTree(content, salt);
  const verity = [`verity-hash=${root.toString('hex')}`, `verity-salt=${salt.toString('hex')}`];
  const complete = { ...manifest, bundle: [...manifest.bundle!, ...verity, `verity-size=${tree.length}`] };
  const signature = signCms(Buffer.from(textOf(complete)), keys, { detached: false });
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(signature.length));
  appendFileSync(bundle, Buffer.concat([tree, signature, length]));
  run('rauc', ['--keyring', keys.keyring, 'info', bundle]);
}

const textOf = (manifest: Manifest): string =>
  Object.entries(manifest)
    .map(([section, lines]) => [`[${section}]`, ...lines, ''].join('\n'))
    .join('\n');

/** Of dm-verity: version 1, SHA-256, without its superblock; the level of one block comes first. */
function hashTree(content: Buffer, salt: Buffer): { tree: Buffer; root: Buffer } {
  const hashOf = (block: Uint8Array) => createHash('sha256').update(salt).update(block).digest();
  const levels: Buffer[] = [];
  let level = content;
  while (level.length > blockBytes) {
    const hashes: Buffer[] = [];
    for (let at = 0; at < level.length; at += blockBytes) hashes.push(hashOf(level.subarray(at, at + blockBytes)));
    const packed = Buffer.concat(hashes);
    level = Buffer.concat([packed], Math.ceil(packed.length / blockBytes) * blockBytes);
    levels.unshift(level);
  }
  return { tree: Buffer.concat(levels), root: hashOf(level) };
}

function run(program: string, words: readonly string[]): void {
  // mksquashfs refuses moments from two sources.
  const env = { ...process.env, SOURCE_DATE_EPOCH: undefined };
  const { status, error, stderr } = spawnSync(program, words, { env, encoding: 'utf8' });
  if (error) throw new Error(`${program} cannot be run (${error.message}): apt-get install rauc squashfs-tools`);
  if (status !== 0) throw new Error(`${program}: ${stderr.trim()}`);
}
