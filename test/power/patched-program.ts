import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the program says of commits: also where it turns waiting off for one and on again. */
const synchronous = /(?<=PRAGMA )synchronous = (FULL|\$\{[^}]*\})/g;

/**
 * A copy of the built program whose commits do not wait for the disk (`synchronous = NORMAL`): a
 * control, which loses what it acknowledged. Returns what to run. Throws where the build has no
 * such place.
 */
export async function forgetfulProgram(folder: string): Promise<string> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await cp(join(root, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: source => !/\/dist\/(images|deb|\.test-binary|[^/]*\.map$)/.test(source),
  });
  // It belongs to the code that is changed here.
  await rm(join(folder, 'dist', 'program.cache'), { force: true });
  await cp(join(root, 'bin', 'gatehouse'), join(folder, 'bin', 'gatehouse'));
  await symlink(join(root, 'bin', 'node'), join(folder, 'bin', 'node'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await symlink(join(root, 'package.json'), join(folder, 'package.json'));
  let places = 0;
  for (const name of (await readdir(join(folder, 'dist'))).filter(name => /\.c?js$/.test(name))) {
    const file = join(folder, 'dist', name);
    const text = await readFile(file, 'utf8');
    const changed = text.replace(synchronous, 'synchronous = NORMAL');
    if (changed === text) continue;
    places++;
    await writeFile(file, changed);
  }
  if (places === 0) throw new Error('the built program has no "synchronous = FULL": npm run build');
  return join(folder, 'bin', 'gatehouse');
}
