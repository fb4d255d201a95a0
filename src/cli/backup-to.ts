import { realClock } from '../runtime/real-world.ts';
import { type Call, CommandFailed, flag, textOption, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { zoneOf } from './site-zone.ts';
import { bytes, moment } from './wording.ts';

const lookMs = 500;

/** `backup --to TARGET`: to a target of the running box, read back and verified there. */
export async function backUpTo(call: Call, target: string): Promise<void> {
  if (textOption(call, 'passphrase-file') !== undefined || flag(call, 'with-files'))
    throw new WrongUsage(
      '--to a target is encrypted to the recovery key, and backups.with_files says whether files are in it',
    );
  await using box = await findBox(call);
  await box.post('/backup/now', { target });
  const forever = new AbortController().signal;
  for (;;) {
    const { schedule } = await box.get('/backup');
    if (schedule?.running) {
      await realClock.sleep(lookMs, forever);
      continue;
    }
    const found = schedule?.targets.find(({ name }) => name === target);
    const [copy] = found?.copies ?? [];
    if (!found || found.failure || !copy)
      throw new CommandFailed(found?.failure?.why ?? `${target}: no backup is there`);
    if (flag(call, 'json')) return call.print(`${JSON.stringify({ target, where: found.where, ...copy })}\n`);
    const tried =
      found.restore_tried === null
        ? 'no restore was tried yet'
        : `restore tried ${moment(found.restore_tried.at, await zoneOf(box))}`;
    return call.print(
      `${target}, ${found.where}: ${copy.name}, ${bytes(copy.bytes)}, encrypted to the recovery key, read back and verified; ${tried}\n`,
    );
  }
}
