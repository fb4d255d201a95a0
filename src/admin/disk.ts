import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import { goesFirst, keptDaysMax, type RoomReport, type Store } from '../store/index.ts';

/**
 * What can be removed to make room. `records`, `logs`: how long they are kept is shortened, and
 * what is older goes.
 */
export const freeable = ['records', 'logs', 'backups', 'files', 'packages', 'speech'] as const;
export type Freeable = (typeof freeable)[number];

export interface DiskReport {
  readonly size_bytes: number;
  readonly room_bytes: number;
  /** Null: not known before there is a day of measuring. */
  readonly bytes_per_day: number | null;
  /** Until something has to be dropped; null: not known, or it does not grow. */
  readonly days_left: number | null;
  readonly is_low: boolean;
  readonly goes_first: readonly (typeof goesFirst)[number][];
  readonly kept_days: { readonly records: number; readonly logs: number };
  readonly steps: readonly DiskStep[];
}

export interface DiskStep {
  readonly what: Freeable;
  /**
   * Of records and logs: what is older goes. Of files: what was stored before. Null: all but the
   * newest backup; all packages and spoken texts, which are made again.
   */
  readonly days: number | null;
  readonly items: number;
  readonly bytes: number;
  /** Not all of it was counted, to spare the disk. */
  readonly at_least: boolean;
}

const dayMs = 24 * 3600_000;
/** What the page offers. */
const offered = { records: [3, 1], logs: [30, 7], files: 90 } as const;
const retireStepsMax = 500;

/** Where backups and copies lie, in the data directory. */
const backupFolders = ['before-update', 'backups'];

export interface DiskParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly dataDir: string;
  /** Removes uploaded files that were stored before a moment and that no cloud waits for. */
  removeFiles(before: number): Promise<void>;
}

/** What fills the disk, and what can be done about it. */
export class Disk {
  readonly #parts: DiskParts;

  constructor(parts: DiskParts) {
    this.#parts = parts;
  }

  async report(): Promise<DiskReport> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    const kept = await store.read.keptDays();
    const shorter = (what: 'records' | 'logs') =>
      Promise.all(
        offered[what]
          .filter(days => days < kept[what])
          .map(async days => ({ what, days, ...(await store.read.olderThan(what, now - days * dayMs)) })),
      );
    const steps: DiskStep[] = [
      ...(await shorter('logs')),
      ...(await shorter('records')),
      { what: 'files', days: offered.files, ...(await store.read.olderThan('files', now - offered.files * dayMs)) },
      ...(await Promise.all(
        (['backups', 'packages', 'speech'] as const).map(async what => {
          const files = await this.#filesOf(what);
          const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
          return { what, days: null, items: files.length, bytes, at_least: false };
        }),
      )),
    ];
    return {
      ...roomFields(store.room()),
      goes_first: goesFirst,
      kept_days: kept,
      steps: steps.filter(({ items }) => items > 0),
    };
  }

  /** Answers by how many bytes the room has grown. */
  async free(what: Freeable, days: number | null): Promise<number> {
    const { store, clock, removeFiles } = this.#parts;
    const before = store.room().roomBytes;
    const now = clock.now();
    if (what === 'records' || what === 'logs') {
      const kept = await store.read.keptDays();
      await store.write.keepDays({ ...kept, [what]: days ?? kept[what] });
      for (let step = 0; step < retireStepsMax; step++) {
        const { segments, logs } = await store.write.retire({ now });
        if (segments === 0 && logs === 0) break;
      }
    } else if (what === 'files') await removeFiles(now - (days ?? offered.files) * dayMs);
    else for (const { path } of await this.#filesOf(what)) await rm(path, { force: true });
    return Math.max(0, store.room().roomBytes - before);
  }

  /**
   * Of backups all but the newest one. What is being fetched or made has another name (`.part`) or
   * begins with a dot.
   */
  async #filesOf(what: 'backups' | 'packages' | 'speech'): Promise<{ path: string; bytes: number; at: number }[]> {
    const folders = what === 'backups' ? backupFolders : [what];
    const found: { path: string; bytes: number; at: number }[] = [];
    for (const folder of folders.map(name => join(this.#parts.dataDir, name)))
      for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
        if (!entry.isFile() || entry.name.startsWith('.') || entry.name.endsWith('.part')) continue;
        const path = join(folder, entry.name);
        const facts = await stat(path).catch(() => null);
        if (facts) found.push({ path, bytes: facts.blocks * 512, at: facts.mtimeMs });
      }
    if (what !== 'backups') return found;
    return found.sort((one, other) => other.at - one.at).slice(1);
  }
}

export const roomFields = ({ sizeBytes, roomBytes, bytesPerDay, daysLeft, isLow }: RoomReport) => ({
  size_bytes: sizeBytes,
  room_bytes: roomBytes,
  bytes_per_day: bytesPerDay,
  days_left: daysLeft,
  is_low: isLow,
});

export const keptDaysBounds = keptDaysMax;
