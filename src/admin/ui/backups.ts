import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpBindings } from '@hono/node-server';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { takesBody } from '../../runtime/body-bound.ts';
import { stageRestore, workPrefix } from '../../store/index.ts';
import { refusedBackup } from '../backup-routes.ts';
import type { AdminContext, AdminEnvironment } from '../guard.ts';
import { problem } from '../problem.ts';
import type { UiParts } from './parts.ts';

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

const downloadRoute = createRoute({
  method: 'get',
  path: '/backup/download',
  summary: 'A fresh backup as a file, encrypted to the recovery key; for the role admin',
  responses: { 200: { description: 'The backup', content: { 'application/octet-stream': { schema: z.string() } } } },
});
const restoreRoute = createRoute({
  method: 'post',
  path: '/restore',
  summary: 'Checks a backup as a whole, lays it ready, and restarts the box on it; a damaged one changes nothing',
  request: {
    headers: z.object({
      [keyHeader]: z
        .string()
        .optional()
        .openapi({ description: 'The recovery key or the passphrase of the backup, percent-encoded' }),
    }),
    body: { content: { 'application/octet-stream': { schema: z.any() } } },
  },
  responses: { 200: { description: 'As of when', content: { 'application/json': { schema: z.any() } } } },
});

export function backupRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  const { admin, store, config, clock, log } = parts;
  const dataDir = config.data_dir;
  let restoring = false;
  clearLeftovers(dataDir).catch(error => log.warn({ error: String(error) }, 'leftovers of a transfer stay'));

  /** Null: there is room for that much. */
  const tooBig = async (context: AdminContext, bytes: number) => {
    const { bavail, bsize } = await statfs(dataDir);
    if (bytes + leaveBytes <= bavail * bsize) return null;
    const needed = Math.ceil((bytes + leaveBytes) / 1_000_000);
    return problem(context, 507, 'no_room', `this needs ${needed} MB of free disk`) as never;
  };

  app.openapi(downloadRoute, async context => {
    const full = await tooBig(context, store.health().usedBytes * copies);
    if (full) return full;
    const work = await mkdtemp(join(dataDir, workPrefix));
    const clear = () => void rm(work, { recursive: true, force: true }).catch(() => {});
    try {
      const file = join(work, 'backup');
      const { bytes } = await admin.backup({ to: { file } });
      context.set('subject', `${bytes} bytes`);
      const content = createReadStream(file);
      content.once('close', clear);
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      return new Response(Readable.toWeb(content) as ReadableStream, {
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(bytes),
          'content-disposition': `attachment; filename="gatehouse-${day}.gh"`,
          'cache-control': 'no-store',
        },
      }) as never;
    } catch (error) {
      clear();
      return refusedBackup(context, error);
    }
  });

  const restore: Parameters<typeof app.openapi<typeof restoreRoute>>[1] = async context => {
    const { incoming } = context.env as unknown as HttpBindings;
    if (restoring)
      return problem(context, 409, 'busy', 'another backup is being restored: wait until it is done') as never;
    const restart = parts.restarter();
    if (!restart)
      return problem(
        context,
        409,
        'no_restart',
        'this box cannot restart itself: stop it, then run `gatehouse restore FILE`',
      ) as never;
    const bytes = Number(incoming.headers['content-length'] ?? Number.NaN);
    if (!(bytes > 0)) return problem(context, 400, 'Bad request', 'send the backup with its length') as never;
    const full = await tooBig(context, bytes * copies);
    if (full) return full;
    restoring = true;
    let staged = false;
    const work = await mkdtemp(join(dataDir, workPrefix));
    try {
      const file = join(work, 'backup');
      const body = context.req.raw.body;
      if (!body) return problem(context, 400, 'Bad request', 'send the backup as the body') as never;
      await pipeline(Readable.fromWeb(body as never), atMost(bytes), createWriteStream(file, { mode: 0o600 }));
      if ((await stat(file)).size !== bytes)
        return problem(context, 400, 'Bad request', 'the backup did not come whole: send it again') as never;
      const { actor, role, address } = context.get('caller');
      const note = { actor, role, address, action: 'POST /restore', subject: '', outcome: 'done' } as const;
      const { environment } = config;
      const { createdAt } = await stageRestore({
        ...{ file, dataDir, environment, key: keyOf(incoming.headers[keyHeader]) },
        note: { ...note, at: clock.now() },
      });
      staged = true;
      context.set('subject', new Date(createdAt).toISOString());
      log.warn({ by: actor }, 'a backup was restored: the box restarts on it');
      void clock.sleep(answerMs).then(() => restart('same program'));
      return context.json({ created_at: createdAt }, 200);
    } catch (error) {
      return refusedBackup(context, error);
    } finally {
      restoring = staged;
      await rm(work, { recursive: true, force: true });
    }
  };
  app.openapi(restoreRoute, takesBody(restoreBytesMax, restore));
}

function keyOf(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '') return undefined;
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
      if (seen > bytes) done(new Error('more came than was announced'));
      else done(null, chunk);
    },
  });
}

async function clearLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(workPrefix)) await rm(join(dataDir, name), { recursive: true, force: true });
}
