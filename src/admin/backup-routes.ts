import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { BackupRefused, isBackupName } from '../store/index.ts';
import type { AdminContext, AdminEnvironment } from './guard.ts';
import type { BoxAdmin } from './port.ts';
import { failures, problem } from './problem.ts';

const answers = (description: string) => ({
  200: { description, content: { 'application/json': { schema: z.any() } } },
  ...failures,
});

const lastBackupRoute = createRoute({
  method: 'get',
  path: '/backup',
  summary: 'When the last backup was made, and to which recovery key the next one is encrypted',
  responses: answers('The moment, or null; the public half of the key and when it was made, or null'),
});
const backupRoute = createRoute({
  method: 'post',
  path: '/backup',
  summary: 'Writes an encrypted backup to a file on the box; never over one that is there',
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.object({
            file: z.string().min(1).max(4000).openapi({
              description: 'A name in the backup folder of the box; on the Unix socket an absolute path',
            }),
            passphrase: z
              .string()
              .max(1000)
              .optional()
              .openapi({ description: 'Encrypts to it; absent: to the recovery key' }),
            with_files: z.boolean().default(false).openapi({ description: 'With the files of the public services' }),
          }),
        },
      },
    },
  },
  responses: answers('Its size, and how large what it leaves out is'),
});
const makeKeyRoute = createRoute({
  method: 'post',
  path: '/recovery-key',
  summary:
    'Makes a recovery key for the backups from now on. The key is in this answer alone: the box keeps its public half',
  responses: answers('The key'),
});

const statusOf = { no_recovery_key: 409, exists: 409, no_room: 507 } as const;

/** A refusal is a problem with a word for a page. Throws what is none. */
export function refusedBackup(context: AdminContext, error: unknown) {
  if (!(error instanceof BackupRefused)) throw error;
  const status = (statusOf as Record<string, 409 | 507>)[error.code] ?? 422;
  return problem(context, status, `backup_${error.code}`, error.reason) as never;
}

/**
 * The admin API's part about backups; sending one here and taking it away is for browsers
 * (ui/backups.ts).
 */
export function backupRoutes(app: OpenAPIHono<AdminEnvironment>, admin: BoxAdmin): void {
  app.openapi(lastBackupRoute, async context =>
    context.json({ last_at: await admin.lastBackupAt(), recovery_key: await admin.recoveryKey() }, 200),
  );
  app.openapi(backupRoute, async context => {
    const { file, passphrase, with_files: withFiles } = context.req.valid('json');
    context.set('subject', file.slice(0, 200));
    const overSocket = context.get('caller').via === 'socket';
    if (overSocket ? !file.startsWith('/') : !isBackupName(file))
      return problem(
        context,
        400,
        'backup_bad_place',
        overSocket
          ? 'file: write an absolute path'
          : 'file: write a name such as monday.age, without a path: it is written to the backup folder of the box; `gatehouse backup FILE` on the box takes any path',
      ) as never;
    return admin.backup({ to: overSocket ? { file } : { name: file }, passphrase, withFiles }).then(
      told => context.json({ ...told }, 200),
      error => refusedBackup(context, error),
    );
  });
  app.openapi(makeKeyRoute, async context => {
    const made = await admin.makeRecoveryKey();
    context.set('subject', made.recipient);
    return context.json({ ...made }, 200);
  });
}
