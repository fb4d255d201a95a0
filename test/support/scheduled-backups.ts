import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statementsHold } from '../../src/attendance/index.ts';
import { type BackupSettings, type Backups, openBackups } from '../../src/backups/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { recovery } from './backups.ts';
import { HandClock } from './clock.ts';
import { aProduct, applied, aStore, type TemporaryStore } from './store.ts';
import { until } from './until.ts';

/** Backups by schedule of a real store, with a clock that a test turns. */
export class ScheduledBackups implements AsyncDisposable {
  /** Monday, ten in the morning in Shanghai. */
  readonly clock = new HandClock(Date.UTC(2026, 10, 23, 2, 0));
  readonly opened: TemporaryStore;
  readonly folder: string;
  readonly good: number[] = [];
  backups!: Backups;
  recipient: string | null = recovery.recipient;
  above: Parameters<typeof openBackups>[0]['above'] = null;

  private constructor(opened: TemporaryStore, folder: string) {
    this.opened = opened;
    this.folder = folder;
  }

  static async open(
    fixed: (folder: string) => BackupSettings,
    above: ScheduledBackups['above'] = null,
  ): Promise<ScheduledBackups> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-target-'));
    const opened = await aStore();
    await applied(opened.store, { products: [aProduct()] });
    const scheduled = new ScheduledBackups(opened, folder);
    scheduled.above = above;
    await scheduled.start(fixed(folder));
    return scheduled;
  }

  async start(fixed: BackupSettings): Promise<void> {
    const { clock, opened } = this;
    this.backups = await openBackups({
      ...{ store: opened.store, dataDir: opened.dataDir, clock, log: silentLog, fixed },
      ...{ site: () => 'Plant 4', version: '1.2.3', timeZone: () => 'Asia/Shanghai' },
      above: this.above,
      recipient: async () => this.recipient,
      verifyStatements: statementsHold,
      onGood: async bytes => void this.good.push(bytes),
    });
  }

  /** Runs one backup now, and returns the report after it. */
  async runNow() {
    if (!this.backups.backUpNow()) throw new Error('no backup was begun');
    return this.ended();
  }

  async ended() {
    await until('the backup has ended', async () => (await this.backups.report()).running === null);
    return this.backups.report();
  }

  /** The clock turns to the next night, and the backup that is due then runs. */
  async nextNight() {
    const before = (await this.backups.report()).nextAt!;
    await this.clock.advance(Math.max(0, before - this.clock.now()) + 31_000);
    await until('the backup has begun', async () => (await this.backups.report()).nextAt !== before);
    return this.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.backups[Symbol.asyncDispose]();
    await this.opened[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}
