import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One of the platform's APIs over HTTP. */
export interface CloudApi {
  /** Whether a path is one of its own. */
  serves(path: string): boolean;
  serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>;
}

/** The APIs share their ports: the path of a request says whose it is. */
export function openHttpServer(apis: readonly CloudApi[]): { handle(socket: Socket): void; close(): void } {
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://cloud');
    const api = apis.find(one => one.serves(url.pathname));
    if (!api) {
      request.resume();
      return sendJson(response, 404, { code: 404, msg: 'no such path' });
    }
    api.serve(request, response, url).catch(() => response.destroy());
  });
  return { handle: socket => void server.emit('connection', socket), close: () => server.closeAllConnections() };
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
    .end(text);
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
