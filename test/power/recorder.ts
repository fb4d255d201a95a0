import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileSystem, makeBtrfs, mountAny } from './btrfs.ts';
import { loopDevice, makeExt4 } from './ext4.ts';
import { FuseDisk } from './fuse-disk.ts';
import { Notebook } from './notebook.ts';
import type { Recording } from './recording.ts';
import { repair } from './recover.ts';
import type { Scenario } from './scenario.ts';
import { Stage } from './stage.ts';

export interface RecorderOptions {
  /** Where the files of the recording go. */
  readonly folder: string;
  /** In place of the program under test: for a control. */
  readonly program?: string | undefined;
  /** A disk that was cut off, in place of a new one: its recovery is recorded too. */
  readonly onto?: string | undefined;
  readonly blockBytes?: number | undefined;
  /** Absent: ext4. */
  readonly fileSystem?: FileSystem | undefined;
}

/** Plays a scenario on a logged disk, and keeps the disk's beginning, the log and the notes. */
export async function record(scenario: Scenario, options: RecorderOptions): Promise<Recording> {
  const base = join(options.folder, 'base.img');
  const log = join(options.folder, 'log');
  const image = join(options.folder, 'disk.img');
  if (options.onto) await copyFile(options.onto, base);
  else if (options.fileSystem === 'btrfs') await makeBtrfs(base, scenario.megabytes ?? 32);
  else await makeExt4(base, scenario.megabytes ?? 32, options.blockBytes);
  await copyFile(base, image);

  await using disk = await FuseDisk.make({ image, log });
  if (options.onto) {
    await using loop = await loopDevice(disk.file);
    await repair(loop.device);
  }
  await using mounted = await mountAny(disk.file);
  const notes = new Notebook(() => disk.position);
  await using stage = new Stage(mounted.folder, disk, notes, options.program);
  await scenario.play(stage);
  return {
    base,
    log,
    notes: {
      scenario: scenario.name,
      from: notes.from,
      to: disk.position,
      devices: notes.devices(),
      promises: notes.promises,
      config: stage.config,
    },
  };
}
