import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file atomically: after a power cut it has the old text or the new one. */
export async function writeSafely(file: string, text: string): Promise<void> {
  const beside = `${file}.new`;
  {
    await using handle = await open(beside, 'w', 0o600);
    await handle.writeFile(text);
    await handle.sync();
  }
  await rename(beside, file);
  await using folder = await open(dirname(file), 'r');
  await folder.sync();
}
