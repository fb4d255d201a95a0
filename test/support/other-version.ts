import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrations } from '../../src/store/schema/migrations.generated.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A build of the program under another version. */
export interface OtherVersion extends AsyncDisposable {
  /** As `BoxProcess.make` takes it. */
  readonly program: string;
}

/** The build under test, but with another version and with one more migration. */
export async function aNewerVersion(version: string, statements: readonly string[]): Promise<OtherVersion> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-newer-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['bin', 'dist']) await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await makeNewer(join(folder, 'dist'), version, statements);
  const held = parts.move();
  return { program: join(folder, 'bin', 'gatehouse'), [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Gives the bundles of `dist` another version and one more migration. */
export async function makeNewer(dist: string, version: string, statements: readonly string[]): Promise<void> {
  let changed = 0;
  for (const name of await readdir(dist)) {
    const file = join(dist, name);
    if (name.endsWith('.cache')) await rm(file);
    if (!name.endsWith('.cjs')) continue;
    const text = await readFile(file, 'latin1');
    const other = withMigration(text, { name: '20991231000000_next', statements }).replace(
      /(name:"gatehouse",version:)"[^"]+"/,
      `$1${JSON.stringify(version)}`,
    );
    if (other !== text) changed++;
    await writeFile(file, other, 'latin1');
  }
  // The commands, the program, the threads of its store, and the thread for reports.
  if (changed !== 4) throw new Error(`${changed} bundles hold a version or the migrations, and 4 were expected`);
}

function withMigration(bundle: string, added: object): string {
  const last = bundle.indexOf(`"${migrations.at(-1)!.name}"`);
  if (last < 0) return bundle;
  const end = bundle.indexOf(']}]', last) + 2;
  return `${bundle.slice(0, end)},${JSON.stringify(added)}${bundle.slice(end)}`;
}
