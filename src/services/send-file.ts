import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { YoungGarbage } from '../runtime/garbage.ts';

type Call = Context<{ Bindings: HttpBindings }>;

export interface SentFile {
  readonly path: string;
  readonly bytes: number;
  /** ETag: the same tag means the same bytes. */
  readonly tag: string;
  /** The file name for downloads. */
  readonly name: string;
  readonly contentType: string;
}

/**
 * Types that a browser may show; everything else is a download, since an uploaded page must not run
 * under the box's name.
 */
const shown = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'audio/mpeg',
  'audio/wav',
  'video/mp4',
  'text/plain',
]);

/**
 * Serves GET and HEAD with a file from the disk, streamed, also in ranges (RFC 9110 14), for
 * players and for downloads that were cut.
 */
export async function sendFile(call: Call, file: SentFile): Promise<Response> {
  const { headers, isWhole } = headersOf(file, call.req.header('if-none-match'));
  if (!isWhole) return call.body(null, 304, headers);
  const ifRange = call.req.header('if-range');
  const range =
    ifRange === undefined || ifRange === headers.ETag ? rangeOf(call.req.header('range'), file.bytes) : null;
  if (range === 'beyond') return call.body(null, 416, { ...headers, 'Content-Range': `bytes */${file.bytes}` });
  const length = range ? range.end - range.start + 1 : file.bytes;
  headers['Content-Length'] = String(length);
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${file.bytes}`;
  if (call.req.method === 'HEAD') return call.body(null, range ? 206 : 200, headers);
  const { outgoing } = call.env;
  outgoing.writeHead(range ? 206 : 200, headers);
  if (length === 0) outgoing.end();
  else {
    const stream = createReadStream(file.path, range ?? {});
    const garbage = new YoungGarbage();
    stream.on('data', (chunk: Buffer | string) => garbage.passed(chunk.length));
    // A client that leaves in the middle is no error.
    await pipeline(stream, outgoing).catch(() => outgoing.destroy());
  }
  return alreadySent();
}

function headersOf(file: SentFile, known: string | undefined) {
  const contentType = file.contentType.toLowerCase().split(';', 1)[0]!.trim();
  const isShown = shown.has(contentType);
  const ETag = `"${file.tag}"`;
  const headers: Record<string, string> & { ETag: string } = {
    'Content-Type': !isShown
      ? 'application/octet-stream'
      : contentType === 'text/plain'
        ? 'text/plain; charset=utf-8'
        : contentType,
    'Content-Disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded(file.name)}`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=3600',
    ETag,
  };
  return { headers, isWhole: known !== ETag };
}

/** One range; several at once, and what is no range, are answered with the whole. */
function rangeOf(header: string | undefined, bytes: number): { start: number; end: number } | 'beyond' | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!found || (found[1] === '' && found[2] === '')) return null;
  const last = bytes - 1;
  if (found[1] === '')
    return found[2] === '0' || bytes === 0 ? 'beyond' : { start: Math.max(0, bytes - Number(found[2])), end: last };
  const start = Number(found[1]);
  if (start > last) return 'beyond';
  const end = found[2] === '' ? last : Math.min(Number(found[2]), last);
  return end < start ? null : { start, end };
}

/** RFC 8187: nothing that could end the header. */
const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Tells Hono's server that the response has been sent. It is loaded on first use, because a
 * Response brings Node's fetch along. Loaded after the server, it would be one of the server's own
 * fast responses, which are written without looking at their headers until their body is read.
 */
async function alreadySent(): Promise<Response> {
  const { RESPONSE_ALREADY_SENT } = await import('@hono/node-server/utils/response');
  void RESPONSE_ALREADY_SENT.body;
  return RESPONSE_ALREADY_SENT;
}
