import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import { type HealthStore, stageRestore, workPrefix } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { asRefusal, backedUp, type NotedBackups, refusedInRegion } from '../backups.ts';
import { byCommand, fileOperation, operation, type Running } from '../operation.ts';
import { refused } from '../problem.ts';

/** Of the disk that a transfer leaves alone. */
const leaveBytes = 96 << 20;
/** The copy of the database, and the whole file made of it. */
const copies = 2;
/** No disk of a box is larger; whether there is room is asked before the first byte is read. */
const restoreBytesMax = 2 ** 40;
/** The answer is out before the box closes. */
const answerMs = 500;

/** Beside the body, which is the file alone and as large as it may be. */
const keyHeader = 'gatehouse-backup-key';

export const backupFileOperations = {
  download: fileOperation({
    method: 'get',
    path: '/backup/download',
    role: 'admin',
    audited: described('downloaded a backup', '下载备份'),
    summary: described(
      'A fresh backup as a file, encrypted to the recovery key; for the role admin',
      '下载新的备份，用恢复密钥加密；需要管理员权限',
    ),
    returns: described('The backup', '备份'),
    files: { 'application/octet-stream': z.string() },
    failures: {
      409: described('There is no recovery key', '没有恢复密钥'),
      507: described('There is no room for it', '空间不足'),
    },
  }),
  restore: operation({
    method: 'post',
    path: '/restore',
    role: 'admin',
    audited: described('restored a backup', '恢复备份'),
    summary: described(
      'Checks a backup as a whole, lays it ready, and restarts the box on it; a damaged one changes nothing',
      '完整检查备份后用它重新启动；备份损坏时不做任何更改',
    ),
    upload: {
      bytesMax: restoreBytesMax,
      type: 'application/octet-stream',
      headers: z.object({
        [keyHeader]: z
          .string()
          .optional()
          .openapi({
            description: described(
              'The recovery key or the passphrase of the backup, percent-encoded',
              '备份的恢复密钥或口令，百分号编码',
            ),
          }),
      }),
    },
    returns: described('As of when', '截至何时'),
    answer: z.object({ created_at: z.number() }),
    failures: {
      409: described(
        'Another backup is being restored, or the box cannot start itself again',
        '正在恢复另一个备份，或网关不能自行重新启动',
      ),
      422: described(
        'The backup is damaged, foreign, or needs another key',
        '备份已损坏、不属于本产品，或需要另一个密钥',
      ),
      507: described('There is no room for it', '空间不足'),
    },
  }),
};

export function backupFiles({
  store,
  config,
  clock,
  log,
  restarter,
}: {
  readonly store: NotedBackups & HealthStore;
  readonly config: Pick<Config, 'data_dir' | 'environment' | 'site' | 'store'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Closes the box and opens it again; null: whoever runs it cannot. */
  restarter(): ((how: 'same program') => void) | null;
}): Running<typeof backupFileOperations> {
  if (config.store.engine === 'postgres') return refusedInRegion(backupFileOperations);
  const dataDir = config.data_dir;
  let restoring = false;
  /** Throws a refusal where there is no room for that much. */
  const needRoom = async (bytes: number) => {
    const { bavail, bsize } = await statfs(dataDir);
    if (bytes + leaveBytes <= bavail * bsize) return;
    const needed = Math.ceil((bytes + leaveBytes) / 1_000_000);
    throw refused(507, 'no_room', `this needs ${needed} MB of free disk`);
  };

  return {
    async download(_ = {}, call = byCommand) {
      await needRoom(store.health().usedBytes * copies);
      const work = await mkdtemp(join(dataDir, workPrefix));
      const clear = () => void rm(work, { recursive: true, force: true }).catch(() => {});
      try {
        const file = join(work, 'backup');
        const { bytes } = await asRefusal(backedUp(store, { to: { file } }, clock));
        call.subject(auditSubjects.say('bytes', { bytes }));
        const body = createReadStream(file);
        body.once('close', clear);
        const { day } = dayOf(clock.now(), config.site.timezone);
        return {
          type: 'application/octet-stream',
          body,
          headers: {
            'content-length': String(bytes),
            'content-disposition': `attachment; filename="gatehouse-${day}.gh"`,
            'cache-control': 'no-store',
          },
        };
      } catch (error) {
        clear();
        throw error;
      }
    },

    async restore(_ = {}, call = byCommand) {
      const { upload } = call;
      if (restoring) throw refused(409, 'busy', 'another backup is being restored: wait until it is done');
      const restart = restarter();
      if (!restart)
        throw refused(409, 'no_restart', 'this box cannot restart itself: stop it, then run `gatehouse restore FILE`');
      const bytes = upload?.bytes ?? Number.NaN;
      if (!(bytes > 0)) throw refused(400, 'Bad request', 'send the backup with its length');
      await needRoom(bytes * copies);
      restoring = true;
      let staged = false;
      const work = await mkdtemp(join(dataDir, workPrefix));
      try {
        const file = join(work, 'backup');
        const body = upload?.stream;
        if (!body) throw refused(400, 'Bad request', 'send the backup as the body');
        await pipeline(body, atMost(bytes), createWriteStream(file, { mode: 0o600 }));
        if ((await stat(file)).size !== bytes)
          throw refused(400, 'Bad request', 'the backup arrived incomplete: send it again');
        const { actor, role, address } = call.caller;
        const note = { actor, role, address, action: 'POST /restore', subject: '', outcome: 'done' } as const;
        const { environment } = config;
        const { createdAt } = await asRefusal(
          stageRestore({
            ...{ file, dataDir, environment, key: keyOf(upload.header(keyHeader)) },
            note: { ...note, at: clock.now() },
          }),
        );
        staged = true;
        call.subject(new Date(createdAt).toISOString());
        log.warn({ by: actor }, 'backup_restored');
        void clock.sleep(answerMs).then(() => restart('same program'));
        return { created_at: createdAt };
      } finally {
        restoring = staged;
        await rm(work, { recursive: true, force: true });
      }
    },
  };
}

function keyOf(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}

function atMost(bytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > bytes) done(new Error('more bytes arrived than were announced'));
      else done(null, chunk);
    },
  });
}
