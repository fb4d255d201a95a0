import { statSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileDisk } from '../power/cut-disk.ts';
import type { Kind } from '../power/moments.ts';
import { PowerCut } from '../power/power-cut.ts';
import { WriteLogFile } from '../power/write-log-file.ts';
import { run } from './run.ts';

/** When the power fails, and what the card then has. */
export interface CardCut {
  /** The position, see `LoggedCard.position`; the end of the log where it is left out. */
  readonly at?: number;
  /** What is kept of the writes that no flush had confirmed; none where it is left out. */
  readonly kind?: Kind;
  /** From this position on the card answered flushes without doing them. */
  readonly liesFrom?: number;
}

/** What a disk says of itself. */
export interface DiskLabel {
  /** At most 16 characters. */
  readonly name?: string;
  /** At most 20 characters. */
  readonly serial: string;
}

/** What was on a card when a machine was switched on, and the log of what it wrote since. */
export interface Recorded {
  readonly before: string;
  readonly log: string;
}

/**
 * The card of a machine, in a file. QEMU logs each write and each flush of the machine in order, in
 * the format of `test/power/write-log.ts`, so that what a cut of the power leaves can be put
 * together: a killed emulator alone would leave all that was written in the host's cache.
 */
export class LoggedCard implements Recorded {
  readonly image: string;
  readonly before: string;
  readonly log: string;
  readonly #label: DiskLabel;

  private constructor(folder: string, label: DiskLabel) {
    this.image = join(folder, 'card.img');
    this.before = join(folder, 'before.img');
    this.log = join(folder, 'log');
    this.#label = label;
  }

  /** A card of 4 GB with this image. */
  static async flashed(folder: string, image: string, label: DiskLabel): Promise<LoggedCard> {
    const card = new LoggedCard(folder, label);
    await run('cp', ['--sparse=always', image, card.image]);
    await run('truncate', ['-s', '4G', card.image]);
    return card;
  }

  /** Begins a new log, and keeps what the card has now. Returns the disk for QEMU. */
  async inserted(): Promise<string[]> {
    await run('cp', ['--sparse=always', this.image, this.before]);
    await writeFile(this.log, '');
    // The flushes of the machine are in the log; the host need not do them.
    const file = (name: string, path: string) => `driver=file,node-name=${name},filename=${path},cache.no-flush=on`;
    return [
      ...['-blockdev', file('file', this.image), '-blockdev', file('log', this.log)],
      ...['-blockdev', 'driver=blklogwrites,node-name=card,file=file,log=log,log-sector-size=512'],
      ...this.#device(),
    ];
  }

  /** One of virtio has no name; one with a name speaks SCSI. */
  #device(): string[] {
    const { name, serial } = this.#label;
    const disk = `drive=card,serial=${serial},write-cache=on,bootindex=0`;
    return name === undefined
      ? ['-device', `virtio-blk-pci,${disk}`]
      : ['-device', 'virtio-scsi-pci', '-device', `scsi-hd,vendor=QEMU,product=${name},${disk}`];
  }

  /** How long the log is, in bytes. Read it when an acknowledgement arrives. */
  get position(): number {
    return statSync(this.log).size;
  }

  /**
   * The card as the cut leaves it, when the machine is off. `of`: another recording than the last.
   * Throws when the log cannot be read.
   */
  async cut(
    { at = Number.POSITIVE_INFINITY, kind = 'none', liesFrom }: CardCut = {},
    of: Recorded = this,
  ): Promise<void> {
    await run('cp', ['--sparse=always', of.before, this.image]);
    using log = new WriteLogFile(of.log);
    using disk = new FileDisk(this.image);
    const lies = liesFrom === undefined ? {} : { dropFlushes: 1, from: log.entriesWithin(liesFrom) };
    new PowerCut(disk, log.entries, lies).leave({ entries: log.entriesWithin(at), kind, seed: 1 });
  }

  /** Keeps the last recording under a name beyond the next start, which would overwrite it. */
  async kept(name: string): Promise<Recorded> {
    const kept = { before: `${this.before}.${name}`, log: `${this.log}.${name}` };
    await rename(this.before, kept.before);
    await rename(this.log, kept.log);
    return kept;
  }

  /** Puts a file on the partition that an installer sees. */
  async drop(name: string, text: string): Promise<void> {
    const file = `${this.image}.drop`;
    await writeFile(file, text);
    await run('mcopy', ['-o', '-i', this.#bootPartition, file, `::/${name}`]);
    await rm(file);
  }

  /** What lies on the partition that an installer sees. */
  async names(): Promise<string[]> {
    return (await run('mdir', ['-b', '-i', this.#bootPartition, '::/'])).split('\n').filter(Boolean);
  }

  get #bootPartition(): string {
    return `${this.image}@@1M`;
  }

  /** Where the last partition ends, in bytes: the fourth entry of its GPT. */
  async endOfLastPartition(): Promise<number> {
    const card = await open(this.image);
    try {
      const entry = Buffer.alloc(128);
      await card.read(entry, 0, 128, 2 * 512 + 3 * 128);
      return (Number(entry.readBigUInt64LE(40)) + 1) * 512;
    } finally {
      await card.close();
    }
  }
}
