import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { StoreError } from '../../store/index.ts';

/** Answer to a device's call, whether a router found its route or not. */
export interface Answer {
  readonly status: ContentfulStatusCode;
  /** JSON; empty: no body. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const retryAfterSeconds = '5';

export const json = (body: object, status: Answer['status'] = 200, headers: Answer['headers'] = {}): Answer => ({
  status,
  body: JSON.stringify(body),
  headers,
});

export const empty = (status: 200 | 406 | 429, headers: Answer['headers'] = {}): Answer => ({
  status,
  body: '',
  headers,
});

export const unavailable = (error: StoreError): Answer =>
  json({ code: 503, msg: error.message }, 503, { 'Retry-After': retryAfterSeconds });

/** Without its length Node sends an empty body in chunks, which small HTTP clients do not read. */
export const asResponse = (call: Context, { status, body, headers }: Answer): Response =>
  body === ''
    ? call.body(null, status, { ...headers, 'Content-Length': '0' })
    : call.body(body, status, { 'Content-Type': 'application/json', ...headers });

export function send(response: ServerResponse, { status, body, headers }: Answer): void {
  const type = body === '' ? {} : { 'Content-Type': 'application/json' };
  response.writeHead(status, { ...type, ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
