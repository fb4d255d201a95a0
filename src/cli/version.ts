import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isSea } from 'node:sea';
import { compressedAsset } from '../runtime/asset.ts';
import { programAt, programCommit, programVersion } from '../runtime/version.ts';
import { CommandFailed, flag, type Run } from './command.ts';

const licencesFile = 'THIRD-PARTY-LICENCES.txt';

/** Beside the program when it is built, in `dist/` when it runs from its sources. */
const folder = join(import.meta.dirname, basename(import.meta.dirname) === 'cli' ? '../../dist' : '.');

/**
 * The first line comes first and alone holds the version: `systemd/lib/program` reads it before it
 * activates a new program. The checksum takes as long as reading the file.
 */
export const version: Run = async call => {
  const node = process.versions.node;
  const target = `${process.platform}-${process.arch}`;
  const committedAt = programCommit === null ? null : programAt;
  if (flag(call, 'json')) {
    const [commit, sha256] = [programCommit, isSea() ? await executableSha256() : null];
    const said = { version: programVersion, commit, committed_at: committedAt, node, target, sha256 };
    return call.print(`${JSON.stringify(said)}\n`);
  }
  await call.print(`gatehouse ${programVersion} (node ${node}, ${target})\n`);
  if (committedAt === null) await call.print('commit  unknown: not built in a git checkout\n');
  else await call.print(`commit  ${programCommit}, ${new Date(committedAt).toISOString().slice(0, 10)}\n`);
  if (isSea()) await call.print(`sha256  ${await executableSha256()}  ${process.execPath}\n`);
  else await call.print(`sha256  none: runs from the files in ${folder}, not from one executable\n`);
  if (flag(call, 'licences')) await call.print(Buffer.from(`\n${await licenceTexts()}`));
};

async function executableSha256(): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(process.execPath, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}

/** The list that is made with the program from its contents (`scripts/third-party.ts`). */
async function licenceTexts(): Promise<string> {
  if (isSea()) return compressedAsset(licencesFile).toString('utf8');
  return readFile(join(folder, licencesFile), 'utf8').catch(() => {
    throw new CommandFailed(`${join(folder, licencesFile)} is missing: run npm run build`);
  });
}
