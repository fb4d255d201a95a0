import { copyFile, mkdir } from 'node:fs/promises';
import { bothCores } from '../machine.ts';
import { type Server, startBox } from '../servers.ts';

/** A process of a region, with the key that the first one makes. */
export async function startProcess(
  url: string,
  folder: string,
  number: number,
  { listen, site }: { readonly listen: Readonly<Record<string, string>>; readonly site: object },
): Promise<Server> {
  const dataDir = `${folder}/${number}`;
  await mkdir(`${dataDir}/keys`, { recursive: true, mode: 0o700 });
  if (number > 0) await copyFile(`${folder}/0/keys/seal.key`, `${dataDir}/keys/seal.key`);
  return startBox({ dataDir, site, core: bothCores, config: { store: { engine: 'postgres', url }, listen } });
}
