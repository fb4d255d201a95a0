import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `SHA256SUMS`, in the form that `sha256sum --check` reads, of all that lies in the folder. */
export async function writeChecksums(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter(name => name !== 'SHA256SUMS' && !name.startsWith('.')).sort();
  let lines = '';
  for (const name of names) lines += `${await sha256Of(join(folder, name))}  ${name}\n`;
  await writeFile(join(folder, 'SHA256SUMS'), lines);
}

/** In hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}
