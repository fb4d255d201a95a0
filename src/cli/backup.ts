import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { BackupFacts } from '../admin/index.ts';
import { type BoxClient, connectAdmin } from '../admin-client/index.ts';
import { becomeOwner } from '../runtime/become-owner.ts';
import { factsIn } from '../runtime/file-facts.ts';
import { realClock } from '../runtime/real-world.ts';
import { checkBackup, type NewerData, restoreBackup } from '../store/index.ts';
import { agreed } from './agreed.ts';
import { askHidden, readSecret } from './ask-hidden.ts';
import { type Call, CommandFailed, flag, type Run, textOption, WrongUsage } from './command.ts';
import { dataDirOf, zoneInForce } from './config-of.ts';
import { findBox } from './find-box.ts';
import { needNew, writeNewFile } from './new-file.ts';
import { bytes, counted, moment } from './wording.ts';

/** One line of a file or of standard input; undefined where none is named. */
export function passphraseOf(call: Call): string | undefined {
  const file = textOption(call, 'passphrase-file');
  return file === undefined ? undefined : readSecret(call, file, 'passphrase').split(/\r?\n/)[0]!;
}

/** `backup FILE`, `backup --to TARGET`: everything in one encrypted file, while the box runs. */
export const backup: Run = async call => {
  const to = textOption(call, 'to');
  const [named] = call.arguments;
  if (to !== undefined && named !== undefined) throw new WrongUsage('write FILE or --to, not both');
  if (to !== undefined && isTarget(to)) {
    const { backUpTo } = await import('./backup-to.ts');
    return backUpTo(call, to);
  }
  const place = to === undefined ? named : await fileIn(resolve(call.cwd, to));
  if (place === undefined) throw new WrongUsage('FILE is missing');
  return backUpToFile(call, resolve(call.cwd, place));
};

/** A word names a target; `./sftp` is a file of that name. */
const isTarget = (text: string): boolean => /^[a-z]+$/.test(text);

/** In a folder a file of its own, named by the time. */
async function fileIn(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
  const at = new Date(realClock.now()).toISOString().slice(0, 19).replaceAll(':', '');
  return isFolder ? join(path, `gatehouse-${at}Z.gh`) : path;
}

/** A backup that this command has written into a new file, outside of `dataDir`, and read back. */
export async function takenInto(
  file: string,
  dataDir: string,
  box: Pick<BoxClient, 'file'>,
  asked: { readonly passphrase?: string | undefined; readonly with_files: boolean },
): Promise<BackupFacts & { readonly file: string; readonly bytes: number }> {
  if (!relative(dataDir, file).startsWith('..'))
    throw new CommandFailed(
      `${file}: lies in the data directory ${dataDir}, which is the box's own: name a file elsewhere`,
    );
  needNew(file);
  const taken = await box.file('post', '/backup/file', asked);
  const bytes = await writeNewFile(file, taken.pieces());
  return { file, bytes, ...factsIn<BackupFacts>(taken.headers) };
}

async function backUpToFile(call: Call, file: string): Promise<void> {
  const passphrase = passphraseOf(call);
  await using box = await findBox(call);
  const written = await takenInto(file, dataDirOf(call), box, { passphrase, with_files: flag(call, 'with-files') });
  if (flag(call, 'json')) return call.print(`${JSON.stringify(written)}\n`);
  const to = passphrase === undefined ? 'to the recovery key' : 'with the passphrase';
  await call.print(
    `${file}: ${bytes(written.bytes)}, ${counted(written.records, 'record')}, encrypted ${to}, without which nobody opens it\n${leftOut(written)}`,
  );
}

function leftOut({ left_out: { files, speech, packages, unknown } }: BackupFacts): string {
  const parts = [
    ...(files > 0 ? [`files of the public services (${bytes(files)}; --with-files takes them)`] : []),
    ...(speech > 0 ? [`spoken texts (${bytes(speech)}; made again)`] : []),
    ...(packages > 0 ? [`upgrade packages (${bytes(packages)}; fetched again)`] : []),
    ...unknown.map(name => `${name} (not the box's own)`),
  ];
  return parts.length === 0 ? '' : `not in it: ${parts.join(', ')}\n`;
}

/** `restore FILE`: refused whole when it is damaged or foreign; never on a running box. */
export const restore: Run = async call => {
  const [named] = call.arguments;
  if (flag(call, 'from-above')) {
    const { fetchedFromAbove } = await import('./restore-from-above.ts');
    await using fetched = await fetchedFromAbove(call, named);
    // Awaited here: what was fetched is removed at the end of this block.
    await restoreFile(call, fetched.file);
    return;
  }
  if (named === undefined) throw new WrongUsage('FILE is missing');
  return restoreFile(call, resolve(call.cwd, named));
};

async function restoreFile(call: Call, file: string): Promise<void> {
  const dataDir = dataDirOf(call);
  if (flag(call, 'check')) return checkOnly(call, file, dataDir);
  if (await connectAdmin(dataDir)) throw new CommandFailed(`${dataDir}: the box is running: stop it first`);
  const timeZone = zoneInForce(call);
  const restored = await withKey(call, async source => {
    using _owner = becomeOwner(dataDir);
    return await restoreBackup({
      file,
      dataDir,
      ...source,
      mayReplace: newer => agreed(call, newerInWords(dataDir, newer, timeZone)),
    });
  });
  if (restored === null) throw new CommandFailed(`${dataDir}: nothing was changed`);
  if (flag(call, 'json'))
    return call.print(
      `${JSON.stringify({ data_dir: dataDir, created_at: restored.createdAt, environment: restored.environment, kept_in: restored.keptIn })}\n`,
    );
  await call.print(
    `${dataDir}: restored as of ${moment(restored.createdAt, timeZone)}, environment ${restored.environment}\n`,
  );
  if (restored.keptIn !== null)
    await call.print(`${restored.keptIn}: what was there before, until the next restore or reset\n`);
}

const newerInWords = (dataDir: string, { records, changes, newestAt }: NewerData, timeZone: string): string =>
  `${dataDir} has newer data than the backup, until ${moment(newestAt, timeZone)}: ${counted(records, 'record')} of devices, ${counted(changes, 'change')} by staff. The box will serve them no more; they are kept in ${dataDir}/before-restore.`;

/** `restore --check FILE`: whether it could be restored. Touches no box. */
async function checkOnly(call: Call, file: string, dataDir: string): Promise<void> {
  const { createdAt, environment } = await withKey(call, source =>
    checkBackup({ file, folder: dirname(file), dataDir, ...source }),
  );
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ ok: true, created_at: createdAt, environment })}\n`);
  await call.print(`${file}: whole, made ${moment(createdAt, zoneInForce(call))} in environment ${environment}\n`);
}

/** With the key or passphrase that was given; on a terminal it is asked for where one is needed. */
async function withKey<T>(call: Call, act: (source: { key?: string }) => Promise<T>): Promise<T> {
  const keyFile = textOption(call, 'recovery-key-file');
  const passphrase = passphraseOf(call);
  if (keyFile !== undefined && passphrase !== undefined)
    throw new WrongUsage('a backup has a recovery key or a passphrase: give one of them');
  const key = passphrase ?? (keyFile === undefined ? undefined : readSecret(call, keyFile, 'recovery key'));
  try {
    return await act(key === undefined ? {} : { key });
  } catch (error) {
    const asks = (error as { code?: string }).code === 'needs_key' && call.stdin.isTTY;
    if (!asks) throw error;
    return act({ key: await askHidden(call, 'recovery key or passphrase of the backup: ') });
  }
}
