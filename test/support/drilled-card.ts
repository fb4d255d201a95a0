import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CardDrill, type CardDrillParts } from '../../src/operations/drill/card-drill.ts';
import type { CardResult, DiskDevice } from '../../src/platform/drill.ts';
import type { Log } from '../../src/runtime/log.ts';
import { HandClock } from './clock.ts';

export const disk: DiskDevice = { device: 'mmcblk0', name: 'SD64G', serial: '0x1a2b', cid: '0353', bytes: 64e9 };
export const drillId = '0123456789abcdef';

/** A data directory with a drill of the card on it, and what was kept of it. */
export class DrilledCard implements AsyncDisposable {
  readonly clock = new HandClock();
  readonly results: CardResult[] = [];
  pulls = false;
  readonly dataDir: string;
  readonly #opened: CardDrill[] = [];
  readonly #folders: string[];

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
    this.#folders = [dataDir];
  }

  static async make(): Promise<DrilledCard> {
    return new DrilledCard(await mkdtemp(join(tmpdir(), 'gatehouse-drill-')));
  }

  /** Opens the drill, as a box does at its start, on a machine that has been on since `bootId`. */
  async open(bootId: string, dataDir = this.dataDir, more: Partial<CardDrillParts> = {}): Promise<CardDrill> {
    const drill = await CardDrill.open({
      ...{ dataDir, clock: this.clock, random: () => 0.5, disk: () => disk, bootId: () => bootId },
      log: { warn() {}, error() {} } as unknown as Log,
      wear: () => ({ bytesPerDay: null, enduranceTb: 30 }),
      keep: async result => void this.results.unshift(result),
      isKept: async id => this.results.some(one => one.id === id),
      showPull: on => {
        this.pulls = on;
      },
      ...more,
    });
    this.#opened.push(drill);
    return drill;
  }

  /** Lets time pass until so many numbers are written. */
  async counted(drill: CardDrill, count: number): Promise<number> {
    for (;;) {
      const report = await drill.report();
      if (report === null) throw new Error('the drill has ended');
      if (report.step === 'counting' && report.written >= count) return report.written;
      await this.clock.advance(25);
      await new Promise(resolve => setImmediate(resolve));
    }
  }

  /** What the disk holds now, as a power cut leaves it: the data directory of the next boot. */
  async cutPower(dataDir = this.dataDir): Promise<string> {
    const left = await mkdtemp(join(tmpdir(), 'gatehouse-drill-'));
    this.#folders.push(left);
    await cp(dataDir, left, { recursive: true });
    return left;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const drill of this.#opened) await drill[Symbol.asyncDispose]();
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }
}
