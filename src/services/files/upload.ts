import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { hasLost } from '../../platform/text-body.ts';
import { badRequest } from '../refusal.ts';

/** The file of an upload, as it comes in. */
interface Upload {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/** The request stays open when its reader stops, so that it can be answered. */
const bytesOf = (incoming: IncomingMessage): AsyncIterable<Buffer> => incoming.iterator({ destroyOnReturn: false });

/**
 * The one file of a request (SPEC 4.7): the raw body, or the first file of a multipart body.
 * Resolves with what `receive` answers; nothing is held in memory. Throws ServiceRefused (400) for
 * a body without a file.
 */
export function receiveUpload<Result>(
  incoming: IncomingMessage,
  raw: { readonly name: string },
  receive: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const contentType = incoming.headers['content-type'] ?? '';
  if (/^multipart\/form-data\b/i.test(contentType)) return firstPart(incoming, contentType, receive);
  if (!/^application\/octet-stream\b/i.test(contentType))
    throw badRequest('Content-Type: send multipart/form-data with the part file, or application/octet-stream');
  if (raw.name === '') throw badRequest('name: needed where the body is the file itself');
  return receive({ name: raw.name, contentType: 'application/octet-stream', bytes: bytesOf(incoming) });
}

async function firstPart<Result>(
  incoming: IncomingMessage,
  contentType: string,
  receive: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const stopped = new AbortController();
  const parser = parserOf(contentType);
  let part: Readable | undefined;
  let namelessFile = false;
  const received = new Promise<Result>((resolve, reject) => {
    parser.on('file', (_field, stream, name, _encoding, mimeType) => {
      part = stream;
      if (hasLost(name ?? '')) {
        stream.resume();
        return reject(badRequest('filename: is not UTF-8: encode it as UTF-8'));
      }
      receive({ name: name ?? '', contentType: mimeType, bytes: partOf(stream, incoming) }).then(resolve, reject);
    });
    parser.on('field', name => {
      namelessFile ||= name === 'file';
    });
    parser.on('finish', () => {
      if (!part) reject(badRequest(namelessFile ? nameless : 'the body has no part with a file: name it file'));
    });
    parser.on('error', error => {
      if (part) part.destroy(error as Error);
      else reject(unreadable(error));
    });
  });
  received.catch(() => {}).finally(() => stopped.abort());
  try {
    for await (const chunk of bytesOf(incoming)) {
      if (stopped.signal.aborted) break;
      if (!parser.write(chunk)) await once(parser, 'drain', { signal: stopped.signal });
    }
    if (!stopped.signal.aborted) parser.end();
  } catch (error) {
    // The file is not whole: whoever receives it must hear that, or a piece would be kept.
    if (!stopped.signal.aborted) part?.destroy(error as Error);
    if (!part) throw error;
  }
  return received;
}

const nameless =
  'the part "file" has no filename, so it is read as text: send it as a file (filename="…" in its Content-Disposition; curl -F file=@NAME)';

const unreadable = (error: unknown) => badRequest(`the multipart body cannot be read: ${(error as Error).message}`);

/** A part that ends before its boundary is a fault of the body, unless the connection was cut. */
async function* partOf(stream: Readable, incoming: IncomingMessage): AsyncIterable<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    throw incoming.complete ? unreadable(error) : error;
  }
}

function parserOf(contentType: string) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: 20, fieldSize: 4096, parts: 30, headerPairs: 50 },
    });
  } catch (error) {
    throw badRequest(`Content-Type: ${(error as Error).message}`);
  }
}
