import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { stream } from 'hono/streaming';
import { type AuditHead, auditChains } from '../store/index.ts';
import type { AdminEnvironment } from './guard.ts';
import type { BoxAdmin } from './port.ts';
import { problem } from './problem.ts';

const answers = (description: string) => ({
  200: { description, content: { 'application/json': { schema: z.any() } } },
});
/** Three chains, with a few heads each. */
const headsMax = 30;
const chunkBytes = 64 << 10;

const auditRoute = createRoute({
  method: 'get',
  path: '/audit',
  summary: 'Who changed what, and who was refused; the newest first',
  request: {
    query: z.object({
      cursor: z.coerce.number().int().positive().optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
      actor: z.string().max(80).optional(),
      text: z.string().max(80).optional(),
    }),
  },
  responses: answers('The page; `cursor` goes on where it ended'),
});
const verifyRoute = createRoute({
  method: 'get',
  path: '/audit/verify',
  summary: 'Counts the hash of every entry again, and says which is the first that does not hold',
  request: {
    query: z.object({ heads: z.string().max(4000).default('') }),
  },
  responses: answers(
    'Whether the chains hold, with their heads; `heads` are heads kept earlier, `CHAIN:ID:HASH`, with commas',
  ),
});
const exportRoute = createRoute({
  method: 'get',
  path: '/audit/export',
  summary: 'All entries with their hashes, oldest first, one JSON object a line; the last line is empty',
  responses: { 200: { description: 'The entries', content: { 'application/x-ndjson': { schema: z.string() } } } },
});

/** The audit log: to be read, verified and taken away. */
export function auditRoutes(app: OpenAPIHono<AdminEnvironment>, admin: BoxAdmin): void {
  // The commands count anew each time; pages that are loaded again and again share one count.
  let counting: ReturnType<BoxAdmin['verifyAudit']> | null = null;
  const verify = (heads: readonly AuditHead[]) => {
    if (heads.length > 0) return admin.verifyAudit(heads);
    counting ??= admin.verifyAudit([]).finally(() => {
      counting = null;
    });
    return counting;
  };

  app.openapi(auditRoute, async context => {
    const { cursor, limit, actor, text } = context.req.valid('query');
    const rows = await admin.audit({
      limit,
      ...(cursor === undefined ? {} : { before: cursor }),
      ...(actor === undefined ? {} : { actor }),
      ...(text === undefined ? {} : { text }),
    });
    return context.json({ rows, cursor: rows.length === limit ? rows.at(-1)!.id : null }, 200);
  });
  app.openapi(verifyRoute, async context => {
    const { heads } = context.req.valid('query');
    const kept = heads === '' ? [] : heads.split(',').map(headOf);
    if (kept.length > headsMax || kept.some(head => head === null))
      return problem(
        context,
        400,
        'Bad request',
        `heads: at most ${headsMax} of the form CHAIN:ID:HASH, with commas`,
      ) as never;
    return context.json(await verify(kept as AuditHead[]), 200);
  });
  app.openapi(exportRoute, context => {
    context.header('content-type', 'application/x-ndjson');
    context.set('subject', 'all entries');
    return stream(context, async out => {
      let lines = '';
      for await (const row of admin.auditRows()) {
        if (out.aborted) return;
        lines += `${JSON.stringify(row)}\n`;
        if (lines.length < chunkBytes) continue;
        await out.write(lines);
        lines = '';
      }
      // The end mark tells a whole answer from one that was cut.
      await out.write(`${lines}\n`);
    }) as never;
  });
}

function headOf(text: string): AuditHead | null {
  const [, chain, id, hash] = /^(\w+):(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  const known = auditChains.find(one => one === chain);
  return known && id && hash ? { chain: known, id: Number(id), hash } : null;
}
