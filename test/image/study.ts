import { dirname, join } from 'node:path';
import { FileDisk } from '../power/cut-disk.ts';
import { type Lies, PowerCut } from '../power/power-cut.ts';
import type { LogEntry } from '../power/write-log.ts';
import { WriteLogFile } from '../power/write-log-file.ts';
import { bootFaults } from './after-cut.ts';
import { type ImageBox, settings } from './box.ts';
import type { Recorded } from './card.ts';
import { lostSettings, missingRecords, withData } from './data-after-cut.ts';
import { momentsOf } from './moments.ts';
import { type Places, placesOn } from './places.ts';
import { run } from './run.ts';

export interface Studied {
  readonly recorded: Recorded;
  /** Which start of the box that is. */
  readonly start: number;
  /** The files that the systems in the slots were made of. */
  readonly roots: readonly string[];
  /** Of the moments at what decides what is started, and of all others; see `momentsOf`. */
  readonly count: number;
  readonly seed: number;
  /** The data partition is looked at after one of so many cuts: that takes seconds. */
  readonly opensEach: number;
  /** A control, which must find something. */
  readonly lies?: Lies;
}

export interface Study {
  /** One sentence for each thing that is not as it must be after one of the cuts. */
  readonly wrong: readonly string[];
  /** For people: what was looked at. */
  readonly says: string;
}

/**
 * Cuts a recording of a box that is off at many moments, and looks without a boot at what each cut
 * leaves: which slot GRUB starts, whether that system is whole, and whether the data partition has
 * what was acknowledged by then and the card or the box the settings of the installer.
 */
export async function study(box: ImageBox, studied: Studied): Promise<Study> {
  const { recorded, start, roots, count, seed, opensEach, lies = {} } = studied;
  const folder = dirname(recorded.log);
  const image = join(folder, 'cut.img');
  await run('cp', ['--sparse=always', recorded.before, image]);
  using log = new WriteLogFile(recorded.log);
  using disk = new FileDisk(image);
  const power = new PowerCut(disk, log.entries, lies);
  const acknowledged = box.acknowledged
    .filter(one => one.start === start)
    .map(({ position }) => log.entriesWithin(position));
  const moments = momentsOf(log.entries, { places: await placesOn(image), acknowledged, count, seed });
  const wrong: string[] = [];
  let opened = 0;
  for (const [no, moment] of moments.entries()) {
    using _ = power.leave(moment);
    const faults = await bootFaults(image, roots);
    if (no % opensEach === 0) {
      opened++;
      const texts = box.acknowledgedAt(log.bytesOf(moment.entries), start).map(({ text }) => text);
      const found = withData(image, folder, async data => {
        const missing = await missingRecords(data, texts);
        if (missing.length > 0) faults.push(`${missing.length} records are missing: ${missing[0]}`);
        faults.push(...(await lostSettings(image, data, settings)));
      });
      await found.catch(error => faults.push(String(error)));
    }
    for (const fault of faults) wrong.push(`after request ${moment.entries}, ${moment.kind}: ${fault}`);
  }
  const requests = `${log.entries.length} requests, ${log.entries.filter(({ isFlush }) => isFlush).length} flushes`;
  return { wrong, says: `${moments.length} cuts of ${requests}, ${opened} with the data partition` };
}

/** The positions of some moments of a recording, for `CardCut.at`. */
export async function positionsIn(
  recorded: Recorded,
  choose: (entries: readonly LogEntry[], places: Places) => readonly number[],
): Promise<number[]> {
  using log = new WriteLogFile(recorded.log);
  return choose(log.entries, await placesOn(recorded.before)).map(count => log.bytesOf(count));
}
