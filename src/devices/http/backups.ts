import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { DeviceId } from '../../platform/device-id.ts';
import { takesBody } from '../../runtime/body-bound.ts';
import { discardRest } from '../../runtime/read-body.ts';

type Call = Context<{ Bindings: HttpBindings }>;

/** Where backups of boxes below are kept; src/backups has it. */
export interface BackupsBelow {
  list(boxId: DeviceId): Promise<{ readonly name: string; readonly bytes: number; readonly receivedAt: number }[]>;
  find(boxId: DeviceId, name: string): Promise<{ readonly file: string; readonly bytes: number } | null>;
  /** Keeps a backup; returns null, or the reason for a refusal. */
  take(
    boxId: DeviceId,
    offered: { readonly name: string; readonly bytes: number; readonly sha256: string },
    body: AsyncIterable<Buffer>,
  ): Promise<{ readonly status: 400 | 409 | 413 | 422 | 429 | 503 | 507; readonly why: string } | null>;
}

/**
 * Upper bound for the reader of bodies. The settings bound what is kept, before the first byte is
 * read.
 */
const backupBytesMax = 2 ** 40;
const retryAfterSeconds = '60';

/**
 * Takes the backups of boxes below, and gives them back: to the box itself alone, by the session
 * over which its batches come. It cannot delete any: what a thief of its key could delete would be
 * no backup.
 */
export function routeBackups(
  routes: OpenAPIHono<{ Bindings: HttpBindings }>,
  backups: BackupsBelow,
  /** The box below that calls, or what it is answered. */
  boxOf: (call: Call) => Promise<DeviceId | Response>,
): void {
  const base = '/api/v1.0/backups/:clientId';

  routes.get(base, async call => {
    const boxId = await boxOf(call);
    if (typeof boxId !== 'string') return boxId;
    const rows = await backups.list(boxId);
    const files = rows.map(({ name, bytes, receivedAt }) => ({ name, bytes, received_at: receivedAt }));
    return call.json({ code: 0, msg: 'ok', data: { files } });
  });

  routes.get(`${base}/:name`, async call => {
    const boxId = await boxOf(call);
    if (typeof boxId !== 'string') return boxId;
    const found = await backups.find(boxId, call.req.param('name') ?? '');
    if (!found) return call.json({ code: 404, msg: 'there is no such backup' }, 404);
    const body = Readable.toWeb(createReadStream(found.file)) as ReadableStream;
    return call.body(body, 200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(found.bytes),
      'Cache-Control': 'no-store',
    });
  });

  const put = async (call: Call): Promise<Response> => {
    const boxId = await boxOf(call);
    if (typeof boxId !== 'string') return boxId;
    const { incoming, outgoing } = call.env;
    const { headers } = incoming;
    const offered = {
      name: call.req.param('name') ?? '',
      bytes: Number(headers['content-length'] ?? Number.NaN),
      sha256: String(headers['content-sha256'] ?? ''),
    };
    // The request stays open when its reader stops, so that it can be answered.
    const refusal = await backups.take(boxId, offered, incoming.iterator({ destroyOnReturn: false }));
    if (!refusal) return call.json({ code: 0, msg: 'ok' });
    outgoing.once('finish', () => discardRest(incoming));
    const { status, why } = refusal;
    return call.json({ code: status, msg: why }, status, {
      ...(status === 429 ? { 'Retry-After': retryAfterSeconds } : {}),
      ...(incoming.complete ? {} : { Connection: 'close' }),
    });
  };
  routes.put(`${base}/:name`, takesBody(backupBytesMax, put));
}
