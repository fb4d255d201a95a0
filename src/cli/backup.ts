import { dirname, resolve } from 'node:path';
import { connectAdmin } from '../admin/index.ts';
import { checkBackup, restoreBackup } from '../store/index.ts';
import { type Call, CommandFailed, flag, type Run } from './command.ts';
import { dataDirOf, findBox } from './find-box.ts';
import { bytes, counted, moment } from './wording.ts';

/** `backup FILE`: everything in one file, while the box runs. */
export const backup: Run = async call => {
  const file = resolve(call.cwd, call.arguments[0]!);
  await using box = await findBox(call);
  const written = await box.backup(file);
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ file, ...written })}\n`);
  await call.print(
    `${file}: ${bytes(written.bytes)}, ${counted(written.records, 'record')}; it holds every key of the box: keep it safe\n`,
  );
};

/** `restore FILE`: refused whole when it is damaged; never on a running box. */
export const restore: Run = async call => {
  const file = resolve(call.cwd, call.arguments[0]!);
  if (flag(call, 'check')) return checkOnly(call, file);
  const dataDir = dataDirOf(call);
  if (await connectAdmin(dataDir)) throw new CommandFailed(`${dataDir}: the box is running: stop it first`);
  const restored = await restoreBackup({ file, dataDir });
  if (flag(call, 'json'))
    return call.print(
      `${JSON.stringify({ data_dir: dataDir, created_at: restored.createdAt, environment: restored.environment })}\n`,
    );
  await call.print(`${dataDir}: restored as of ${moment(restored.createdAt)}, environment ${restored.environment}\n`);
};

/** `restore --check FILE`: whether it could be restored. Touches no box. */
async function checkOnly(call: Call, file: string): Promise<void> {
  const { createdAt, environment } = await checkBackup({ file, folder: dirname(file) });
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ ok: true, created_at: createdAt, environment })}\n`);
  await call.print(`${file}: whole, made ${moment(createdAt)} in environment ${environment}\n`);
}
