import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiFaults, type ApiName, planted } from './api-faults.ts';

/** One of the platform's APIs over HTTP. */
export interface CloudApi {
  /** Whether a path is one of its own. */
  serves(path: string): boolean;
  /** The name under which its faults are switched; null: it has none. */
  nameOf(path: string): ApiName | null;
  /** Its answer to a caller that calls too often. */
  tooMany(): { readonly status: number; readonly body: object };
  serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>;
}

/** Damage that `sendJson` does to an answer for which a fault was drawn. */
const struck = new WeakMap<ServerResponse, 'cut' | 'code' | 'differ'>();
const strangeCode = 500;

/** The APIs share their ports: the path of a request says whose it is. */
export function openHttpServer(
  apis: readonly CloudApi[],
  faults: ApiFaults,
): { handle(socket: Socket): void; close(): void } {
  const serve = async (api: CloudApi, request: IncomingMessage, response: ServerResponse, url: URL) => {
    const name = api.nameOf(url.pathname);
    if (name !== null) {
      await faults.delay(name);
      const limited = faults.strikes(name, 'limit');
      if (limited || faults.strikes(name, 'error')) {
        request.resume();
        const { status, body } = limited ? api.tooMany() : { status: 503, body: { code: 503, msg: 'fault' } };
        if (limited) response.setHeader('Retry-After', '1');
        return sendJson(response, status, body);
      }
      for (const kind of ['cut', 'code', 'differ'] as const) if (faults.strikes(name, kind)) struck.set(response, kind);
    }
    await api.serve(request, response, url);
  };
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://cloud');
    const api = apis.find(one => one.serves(url.pathname));
    if (!api) {
      request.resume();
      return sendJson(response, 404, { code: 404, msg: 'no such path' });
    }
    serve(api, request, response, url).catch(() => response.destroy());
  });
  return { handle: socket => void server.emit('connection', socket), close: () => server.closeAllConnections() };
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const fault = struck.get(response);
  const said =
    fault === 'code' ? { code: strangeCode, msg: 'fault' } : fault === 'differ' ? (planted(body) as object) : body;
  const text = JSON.stringify(said);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  if (fault === 'cut') response.write(text.slice(0, text.length >> 1), () => response.destroy());
  else response.end(text);
}

/** Null when the body has more than `bytesMax`. */
export async function bodyOf(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Null for what is no JSON object. */
export function jsonOf(body: Buffer): Record<string, unknown> | null {
  try {
    const value = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
