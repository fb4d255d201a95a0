import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from '@hono/zod-openapi';
import type { Clock } from '../runtime/clock.ts';
import { areInodesLow } from '../runtime/inodes.ts';
import {
  goesFirst,
  keptDaysMax,
  type RetentionWrites,
  type RoomReads,
  type RoomReport,
  type RoomStore,
  type RoomWrites,
  type StorePart,
} from '../store/index.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { byCommand, operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';

/**
 * Data that can be removed to make room. `records`, `logs`: shortens how long they are kept, and
 * deletes older ones.
 */
const freeable = ['records', 'logs', 'backups', 'files', 'packages', 'speech'] as const;
type Freeable = (typeof freeable)[number];

/** How much room there is: in the report of the disk, and in the status. */
export const roomShape = {
  size_bytes: z.number().openapi({ description: described('Of the whole file system', '整个文件系统的') }),
  room_bytes: z.number().openapi({
    description: described(
      'Free there, and inside the database: what the store can still take',
      '剩余空间加上数据库内部的空余：存储还能写入多少',
    ),
  }),
  bytes_per_day: z
    .number()
    .nullable()
    .openapi({
      description: described(
        'By how much that shrinks; null: measured for less than a day',
        '其减少的速度；null：测量不足一天',
      ),
    }),
  days_left: z
    .number()
    .nullable()
    .openapi({
      description: described(
        'Until something has to be dropped; null: not known, or it does not grow',
        '到必须删除内容为止；null：不明，或没有增长',
      ),
    }),
  inodes: z
    .object({
      size: z.number().openapi({ description: described('Of the whole file system', '整个文件系统的') }),
      free: z.number(),
      is_low: z.boolean().openapi({ description: described('A tenth or less is left', '剩余不超过十分之一') }),
    })
    .nullable()
    .openapi({
      description: described(
        'Files that the file system can hold; null: it does not count them',
        '文件系统可容纳的文件数；null：文件系统不计数',
      ),
    }),
  is_low: z.boolean().openapi({
    description: described(
      'A tenth of the disk, of its inodes, or three days are left, or less',
      '磁盘空间或 inode 只剩十分之一，或空间三天内用完',
    ),
  }),
} as const;

const diskStep = z.object({
  what: z.enum(freeable),
  days: z
    .number()
    .nullable()
    .openapi({
      description: described(
        'What is older goes: of records and logs, of files what was stored before. Null: all but the newest backup; all packages and spoken texts, which are made again',
        '更早的将被删除：记录和日志按其时间，文件按存入的时间。null：除最新一份外的全部备份；全部安装包和语音文件（会重新生成）',
      ),
    }),
  items: z.number(),
  bytes: z.number(),
  at_least: z
    .boolean()
    .openapi({ description: described('Not all of it was counted, to spare the disk', '为减少读写，没有全部统计') }),
});
const diskReport = z.object({
  ...roomShape,
  goes_first: z.array(z.enum(goesFirst)),
  kept_days: z.object({ records: z.number(), logs: z.number() }),
  steps: z.array(diskStep),
});
type DiskReport = Report<typeof diskReport>;
export type DiskStep = Report<typeof diskStep>;

const diskOperations = {
  report: operation({
    method: 'get',
    path: '/disk',
    role: 'viewer',
    summary: described(
      'How full the disk is, when it will be, what would go first, and what can be removed',
      '磁盘用量、预计何时会满、最先删除什么、可以清理什么',
    ),
    returns: described('The disk', '磁盘'),
    answer: diskReport,
  }),
  free: operation({
    method: 'post',
    path: '/disk/free',
    role: 'admin',
    audited: described('made room on the disk', '腾出磁盘空间'),
    summary: described(
      'Makes room: keeps records or logs for fewer days from now on, or removes old files, backups, packages, spoken texts',
      '腾出空间：缩短记录或日志的保存天数，或删除旧文件、备份、安装包和语音文件',
    ),
    body: z.object({
      what: z.enum(freeable),
      days: z.number().int().min(1).max(3650).nullable().default(null),
    }),
    returns: described('How many bytes there are more', '还有多少字节'),
    answer: z.object({ freed_bytes: z.number() }),
    failures: {
      422: described(
        'For how many days records or logs are kept is missing or too long',
        '缺少记录或日志的保存天数，或天数太长',
      ),
    },
  }),
};
type DiskAdmin = Running<typeof diskOperations>;

const diskAdmin = (disk: Disk): DiskAdmin => ({
  report: () => disk.report(),
  async free({ what, days }, call = byCommand) {
    if (what === 'records' || what === 'logs') {
      const max = keptDaysMax[what];
      if (days === null || days > max)
        throw refused(422, 'days', `days: say for how many ${what} are kept, at most ${max}`);
    }
    const freed = await disk.free(what, days);
    const room = { what, kilobytes: Math.round(freed / 1000) };
    call.subject(
      days === null ? auditSubjects.say('freed', room) : auditSubjects.say('freed_of_days', { ...room, days }),
    );
    return { freed_bytes: freed };
  },
});

const dayMs = 24 * 3600_000;
/** Choices on the page. */
const offered = { records: [3, 1], logs: [30, 7], files: 90 } as const;
const retireStepsMax = 500;

/** Where backups and copies lie, in the data directory. */
const backupFolders = ['before-update', 'backups'];
/** The set that the last restore replaced: a data directory of its own. */
const replacedFolder = 'before-restore';

interface DiskParts {
  readonly store: StorePart<RoomReads, RoomWrites & RetentionWrites> & RoomStore;
  readonly clock: Clock;
  readonly dataDir: string;
  /** Where packages and speech lie: the data directory, or what the processes of a region share. */
  readonly files: string;
  /** Removes uploaded files that were stored before a moment and that no cloud waits for. */
  removeFiles(before: number): Promise<void>;
}

/** Use of the disk, and ways to make room. */
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

  /** Returns by how many bytes the room has grown. */
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
    else for (const { path } of await this.#filesOf(what)) await rm(path, { recursive: true, force: true });
    return Math.max(0, store.room().roomBytes - before);
  }

  /**
   * Of backups all but the newest one, and what a restore replaced. What is being fetched or made
   * has another name (`.part`) or begins with a dot.
   */
  async #filesOf(what: 'backups' | 'packages' | 'speech'): Promise<{ path: string; bytes: number; at: number }[]> {
    const { dataDir, files } = this.#parts;
    const folders = what === 'backups' ? backupFolders.map(name => join(dataDir, name)) : [join(files, what)];
    const found: { path: string; bytes: number; at: number }[] = [];
    for (const folder of folders)
      for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
        if (!entry.isFile() || entry.name.startsWith('.') || entry.name.endsWith('.part')) continue;
        const path = join(folder, entry.name);
        const facts = await stat(path).catch(() => null);
        if (facts) found.push({ path, bytes: facts.blocks * 512, at: facts.mtimeMs });
      }
    if (what !== 'backups') return found;
    const older = found.sort((one, other) => other.at - one.at).slice(1);
    const replaced = join(dataDir, replacedFolder);
    const bytes = await bytesWithin(replaced);
    return bytes === 0 ? older : [...older, { path: replaced, bytes, at: 0 }];
  }
}

async function bytesWithin(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const facts = await Promise.all(entries.map(one => stat(join(one.parentPath, one.name)).catch(() => null)));
  return facts.reduce((sum, one) => sum + (one?.isFile() ? one.blocks * 512 : 0), 0);
}

export const roomFields = ({ sizeBytes, roomBytes, bytesPerDay, daysLeft, inodes, isLow }: RoomReport) => ({
  size_bytes: sizeBytes,
  room_bytes: roomBytes,
  bytes_per_day: bytesPerDay,
  days_left: daysLeft,
  inodes: inodes && { ...inodes, is_low: areInodesLow(inodes) },
  is_low: isLow,
});

export const diskResource = resource(diskOperations, ({ disk }: { readonly disk: Disk }) => diskAdmin(disk));
