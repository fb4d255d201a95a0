import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreOpenError } from '../prepare.ts';
import type { Connection } from '../schema/database.ts';

/** In the directory. A copy of the directory has it too, so that it can be moved. */
const markerFile = 'gatehouse-region.json';

interface Marker {
  /** The id of the database (`meta.epoch`). */
  readonly region: string;
  /** Of this directory alone: a mount that is missing leaves an empty one. */
  readonly directory: string;
}

/**
 * Sees that `folder` is the directory in which the other processes keep files as well, which the
 * database knows from the first of them. Throws StoreOpenError.
 */
export async function meetFiles({ sql }: Connection, folder: string, region: string): Promise<void> {
  const known = () => (sql("SELECT value FROM meta WHERE key = 'files'").get() as { value: string } | undefined)?.value;
  const before = known();
  const marker = await explained(folder, async () => {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return (await readMarker(folder)) ?? (before === undefined ? makeMarker(folder, region) : null);
  });
  if (marker === null)
    throw new StoreOpenError(
      `store.files: ${folder} has no ${markerFile}, which the directory of the other processes has: see that it is mounted here, or copy the file into the directory that replaces it`,
    );
  // A database that was restored has another epoch, and knows the directory.
  if (marker.directory === before) return;
  if (marker.region !== region)
    throw new StoreOpenError(
      `store.files: ${folder} is in use by another region, as its ${markerFile} says: name a directory of this region's own, or remove the file if that region is gone`,
    );
  sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING').run('files', marker.directory);
  if (known() !== marker.directory)
    throw new StoreOpenError(
      `store.files: ${folder} is not the directory of the other processes: its ${markerFile} differs from theirs; see what is mounted here`,
    );
}

async function readMarker(folder: string): Promise<Marker | null> {
  const file = join(folder, markerFile);
  const text = await readFile(file, 'utf8').catch(onlyMissing);
  if (text === null) return null;
  try {
    const { region, directory } = JSON.parse(text) as Partial<Marker>;
    if (typeof region === 'string' && typeof directory === 'string') return { region, directory };
  } catch {
    // As if something were missing in it.
  }
  throw new StoreOpenError(
    `store.files: ${file} cannot be read: if no process has ever kept files there, remove it and start again`,
  );
}

/** The first process makes it. Another one that starts at the same moment reads it. */
async function makeMarker(folder: string, region: string): Promise<Marker | null> {
  const handle = await open(join(folder, markerFile), 'wx', 0o600).catch(onlyThere);
  if (handle === null) return readMarker(folder);
  const marker = { region, directory: randomBytes(16).toString('hex') };
  try {
    await handle.writeFile(`${JSON.stringify(marker)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return marker;
}

/** `code`: of the system's error. */
export const whyUnusable = (folder: string, code: string): string =>
  code === 'EROFS'
    ? `store.files: ${folder} is read-only for this service: its unit gatehouse.service has to allow it: \`systemctl edit gatehouse\`, write the lines [Service] and ReadWritePaths=${folder}, then start again; if it stays so, the directory is mounted read-only`
    : `store.files: ${folder} cannot be used (${code}): see that it is mounted here, and that the user of the service may write to it`;

async function explained<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new StoreOpenError(whyUnusable(folder, code));
  }
}

const onlyMissing = (error: NodeJS.ErrnoException): null => onlyThe('ENOENT', error);
const onlyThere = (error: NodeJS.ErrnoException): null => onlyThe('EEXIST', error);

function onlyThe(code: string, error: NodeJS.ErrnoException): null {
  if (error.code === code) return null;
  throw error;
}
