import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isSea } from 'node:sea';
import { compressedAsset } from '../runtime/asset.ts';
import { programVersion } from '../runtime/version.ts';
import { CommandFailed, flag, type Run } from './command.ts';

const licencesFile = 'THIRD-PARTY-LICENCES.txt';

/** Beside the program when it is built, in `dist/` when it runs from its sources. */
const folder = join(import.meta.dirname, basename(import.meta.dirname) === 'cli' ? '../../dist' : '.');

export const version: Run = async call => {
  const node = process.versions.node;
  const target = `${process.platform}-${process.arch}`;
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ version: programVersion, node, target })}\n`);
  await call.print(`gatehouse ${programVersion} (node ${node}, ${target})\n`);
  if (flag(call, 'licences')) await call.print(Buffer.from(`\n${await licenceTexts()}`));
};

/** The list that is made with the program from its contents (`scripts/third-party.ts`). */
async function licenceTexts(): Promise<string> {
  if (isSea()) return compressedAsset(licencesFile).toString('utf8');
  return readFile(join(folder, licencesFile), 'utf8').catch(() => {
    throw new CommandFailed(`${join(folder, licencesFile)} is missing: run npm run build`);
  });
}
