import { PassThrough } from 'node:stream';
import { z } from '@hono/zod-openapi';
import type { Backups } from '../backups/index.ts';
import type { Site } from '../platform/site.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import { factsHeaders } from '../runtime/file-facts.ts';
import {
  type BackupLock,
  BackupRefused,
  type BackupRequest,
  type BackupStore,
  type BackupWritten,
  isBackupName,
  type JournalStore,
  type ReadPart,
  type RememberedReads,
  type RememberedStore,
  type RememberedWrites,
  type WritePart,
} from '../store/index.ts';
import { described } from '../words/described.ts';
import { backupScheduleAdmin, backupScheduleOperations, scheduleReportOf } from './backup-schedule.ts';
import { backupChoices, backupFacts, backupReport } from './backup-shapes.ts';
import {
  type AnyOperation,
  byCommand,
  fileOperation,
  operation,
  type Report,
  type Running,
  resource,
} from './operation.ts';
import { refused } from './problem.ts';
import { recoveryKeyAdmin, recoveryKeyOf, recoveryKeyOperations, recoveryRecipientOf } from './recovery-key.ts';

/** Where the box notes what it knows of its backups. */
const service = 'box';
const lastBackup = 'last backup';
const passphraseCharactersMin = 12;

interface BackupCall {
  /** Of files, absolute paths on this machine, or names in the backup folder of the box. */
  readonly to: BackupRequest['to'];
  /** Absent: encrypted to the recovery key. At least 12 characters. */
  readonly passphrase?: string | undefined;
  readonly withFiles?: boolean | undefined;
  /** Whether it stays beside the box's keys, so that the box may open it without a person. */
  readonly beforeUpdate?: boolean;
}

export type BackupReport = Report<typeof backupReport>;

/** Facts about a backup that `take` returns beside its bytes. */
export type BackupFacts = Report<typeof backupFacts>;

const backupOperations = {
  report: operation({
    method: 'get',
    path: '/backup',
    role: 'viewer',
    summary: described(
      'When the last backup was made, to which recovery key the next one is encrypted, and how the schedule goes',
      '最近一次备份的时间、下一次备份所用的恢复密钥、定时备份的情况',
    ),
    returns: described('The report', '报告'),
    answer: backupReport,
  }),
  make: operation({
    method: 'post',
    path: '/backup',
    role: 'admin',
    audited: described('made a backup', '备份'),
    summary: described(
      'Writes an encrypted backup to a file on the box; never over one that is there',
      '在网关上写入一个加密的备份文件，不覆盖已有文件',
    ),
    body: z.object({
      file: z
        .string()
        .min(1)
        .max(4000)
        .openapi({ description: described('A name in the backup folder of the box', '网关备份文件夹中的文件名') }),
      ...backupChoices,
    }),
    returns: described('Its size, and how large what it leaves out is', '备份的大小，以及未包含内容的大小'),
    answer: z.object({ file: z.string(), bytes: z.number(), ...backupFacts.shape }),
    failures: {
      409: described('There is no recovery key, or the file is there', '没有恢复密钥，或文件已存在'),
      422: described('The passphrase is weak, or the folder cannot be written', '口令太弱，或文件夹无法写入'),
      507: described('There is no room for it', '空间不足'),
    },
  }),
  take: fileOperation({
    method: 'post',
    path: '/backup/file',
    role: 'admin',
    audited: described('took a backup with a command', '用命令取走备份'),
    summary: described(
      'An encrypted backup as the answer, for whoever writes it away; the header gatehouse-facts says what is in it',
      '以应答返回一个加密的备份，由调用方保存；应答头 gatehouse-facts 说明其内容',
    ),
    body: z.object(backupChoices),
    returns: described('The backup', '备份'),
    files: { 'application/octet-stream': z.string() },
    failures: {
      409: described('There is no recovery key', '没有恢复密钥'),
      422: described('The passphrase is weak', '口令太弱'),
      507: described('There is no room for it', '空间不足'),
    },
  }),
  ...recoveryKeyOperations,
  ...backupScheduleOperations,
};
type BackupAdmin = Running<typeof backupOperations>;

/** A store that is backed up, and remembers what is known of its backups. */
export type NotedBackups = BackupStore & RememberedStore & Pick<JournalStore, 'journal'>;

/**
 * `writing` has the store of a running box, or takes over that of a stopped one. `scheduled` is
 * null on a stopped box.
 */
const backupAdmin = (
  read: RememberedReads,
  writing: Owning,
  clock: Clock,
  scheduled: Pick<Backups, 'report'> | null,
): Omit<BackupAdmin, keyof typeof backupScheduleOperations> => ({
  report: async () => ({
    last_at: await lastBackupAt(read),
    recovery_key: await recoveryKeyOf(read),
    schedule: scheduled && scheduleReportOf(await scheduled.report()),
  }),
  async make({ file, passphrase, with_files: withFiles }, call = byCommand) {
    call.subject(file.slice(0, 200));
    if (!isBackupName(file))
      throw refused(
        400,
        'backup_bad_place',
        'file: write a name such as monday.age, without a path: it is written to the backup folder of the box; `gatehouse backup FILE` on the box takes any path',
      );
    return asRefusal(writing(store => backedUp(store, { to: { name: file }, passphrase, withFiles }, clock)));
  },
  take: ({ passphrase, with_files: withFiles }) =>
    new Promise((resolve, reject) => {
      const made = asRefusal(
        writing(store =>
          backedUp(store, { to: { open: leftOut => sink(leftOut, store) }, passphrase, withFiles }, clock),
        ),
      );
      made.catch(reject);
      const sink = (left_out: BackupFacts['left_out'], { journal }: Pick<NotedBackups, 'journal'>) => {
        const through = new PassThrough();
        const facts: BackupFacts = { records: journal.lastSeq, left_out };
        const headers = { ...factsHeaders(facts), 'cache-control': 'no-store' };
        resolve({ type: 'application/octet-stream', body: endedWith(through, made), headers });
        return through;
      };
    }),
  ...recoveryKeyAdmin(read, writing, clock),
});

/** The pieces; then waits for what comes behind the last one, and fails as it does. */
async function* endedWith(pieces: AsyncIterable<Uint8Array>, end: Promise<unknown>): AsyncGenerator<Uint8Array> {
  yield* pieces;
  await end;
}

const statusOf: Readonly<Record<string, number>> = { no_recovery_key: 409, exists: 409, no_room: 507 };

/** A refusal with a word for a page. */
export const asRefusal = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch(error => {
    if (!(error instanceof BackupRefused)) throw error;
    throw refused(statusOf[error.code] ?? 422, `backup_${error.code}`, error.reason);
  });

/** Refuses each of these operations: in a region no process makes backups, or takes one. */
export const refusedInRegion = <Operations extends Readonly<Record<string, AnyOperation>>>(
  operations: Operations,
): Running<Operations> => Object.fromEntries(Object.keys(operations).map(name => [name, notInRegion])) as never;

function notInRegion(): never {
  const why = 'the database server of a region makes its backups, and restores them: docs/region-backups.md';
  throw refused(409, 'backup_of_region', why);
}

/** Time of the last backup; null if the box knows of none. */
export const lastBackupAt = async (read: RememberedReads): Promise<UnixMs | null> =>
  (await read.remembered(service, lastBackup))?.at ?? null;

/** A box that cannot write down that it made a backup has made it all the same. */
export async function backedUp(
  store: NotedBackups,
  { to, passphrase, withFiles = false, beforeUpdate = false }: BackupCall,
  clock: Clock,
): Promise<BackupWritten & { readonly records: number }> {
  const name = 'file' in to ? to.file : 'name' in to ? to.name : 'backup';
  const lock = await lockOf(name, passphrase, await recoveryRecipientOf(store.read), beforeUpdate);
  const written = await store.backup({ to, lock, withFiles, ownKeyToo: beforeUpdate });
  await noteBackup(store, written.bytes, clock);
  return written;
}

/** Also of one that was made by schedule. */
export const noteBackup = ({ write }: WritePart<RememberedWrites>, bytes: number, clock: Clock) =>
  write.remember({ service, key: lastBackup, value: String(bytes), at: clock.now() }).catch(() => {});

async function lockOf(
  file: string,
  passphrase: string | undefined,
  recipient: string | null,
  beforeUpdate: boolean,
): Promise<BackupLock> {
  if (passphrase !== undefined) {
    if (passphrase.length >= passphraseCharactersMin) return { passphrase };
    const why = `the passphrase is too short: at least ${passphraseCharactersMin} characters, better five words`;
    throw new BackupRefused(file, 'weak_passphrase', why);
  }
  if (recipient !== null) return { recipients: [recipient] };
  if (beforeUpdate) return { recipients: [] };
  throw new BackupRefused(
    file,
    'no_recovery_key',
    'backups are encrypted, and this box has no recovery key yet: make one with `gatehouse recovery-key new` or on the page System, Backup, and keep it away from the box; or give a passphrase with --passphrase-file FILE',
  );
}

type Owning = <T>(act: (store: NotedBackups) => Promise<T>) => Promise<T>;

interface BackupParts {
  readonly store: ReadPart<RememberedReads>;
  readonly clock: Clock;
}

export const backupsResource = resource(
  backupOperations,
  ({
    store,
    clock,
    backups,
    site,
  }: BackupParts & {
    readonly store: NotedBackups;
    /** Null in a region. */
    readonly backups: Backups | null;
    readonly site: Pick<Site, 'timezone'>;
  }) =>
    backups === null
      ? refusedInRegion(backupOperations)
      : {
          ...backupScheduleAdmin(backups, site),
          ...backupAdmin(store.read, act => act(store), clock, backups),
        },
  ({ store, owning, clock }: BackupParts & { readonly owning: Owning }) => backupAdmin(store.read, owning, clock, null),
);
