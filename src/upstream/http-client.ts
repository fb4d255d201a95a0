import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { GrowingBuffer } from '../runtime/growing-buffer.ts';
import { SaidError } from '../words/sentences.ts';
import { portalOfAnswer, portalOfHandshake, shownCertificate } from './captive-portal.ts';
import type { Trust } from './trust.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface HttpCaller {
  call(
    path: string,
    options: {
      readonly method: 'GET' | 'POST';
      readonly headers?: Record<string, string>;
      readonly body?: Uint8Array | string | { readonly stream: Readable; readonly bytes: number };
      readonly signal?: AbortSignal;
    },
  ): Promise<HttpAnswer>;
  close(): void;
}

const answerBytesMax = 16 << 20;

/**
 * Calls one server over one kept connection at a time. Rejects when there is no whole answer within
 * `timeoutMs`, and with what to do when a captive portal answers; `takesPages`: web pages and
 * redirects are answers of the server itself.
 */
export function httpCaller(
  base: string,
  options: {
    readonly trust: Trust;
    readonly sockets?: number;
    readonly timeoutMs?: number;
    readonly takesPages?: boolean;
  },
): HttpCaller {
  const url = new URL(base);
  const secure = url.protocol === 'https:';
  const maxSockets = options.sockets ?? 1;
  const agent = new (secure ? Agent : PlainAgent)({ keepAlive: true, maxSockets });
  const timeout = options.timeoutMs ?? 15_000;
  const prefix = url.pathname.replace(/\/$/, '');
  return {
    call: (path, { method, headers = {}, body, signal }) =>
      new Promise((resolve, reject) => {
        const outgoing = (secure ? request : plainRequest)(
          {
            host: url.hostname.replace(/^\[|\]$/g, ''),
            port: url.port || (secure ? 443 : 80),
            path: prefix + path,
            method,
            headers,
            agent: agent as Agent,
            ...(secure ? { secureContext: options.trust.context } : {}),
            timeout,
            signal,
          },
          response => {
            const answer = new GrowingBuffer();
            response.on('data', (chunk: Buffer) => {
              if (answer.length + chunk.length > answerBytesMax) outgoing.destroy(new Error('the answer is too large'));
              else answer.add(chunk);
            });
            response.on('error', reject);
            response.on('end', () => {
              const whole = {
                status: response.statusCode ?? 0,
                headers: response.headers,
                body: answer.take().toString('utf8'),
              };
              const portal = options.takesPages ? null : portalOfAnswer(whole, url.hostname);
              if (portal === null) resolve(whole);
              else reject(new SaidError(portal));
            });
          },
        );
        outgoing.on('timeout', () =>
          outgoing.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })),
        );
        let certificate: ReturnType<typeof shownCertificate> = () => undefined;
        outgoing.on('socket', socket => {
          certificate = shownCertificate(socket);
        });
        outgoing.on('error', error => {
          const portal = portalOfHandshake(error, { hostname: url.hostname, certificate: certificate() });
          reject(portal === null ? error : new SaidError(portal, { cause: error }));
        });
        if (typeof body === 'object' && 'stream' in body) pipeline(body.stream, outgoing, () => {});
        else outgoing.end(body);
      }),
    close: () => agent.destroy(),
  };
}

export function parseJson(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
