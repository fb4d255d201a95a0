import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../runtime/clock.ts';
import { GrowingBuffer } from '../runtime/growing-buffer.ts';
import { waitOrWake } from '../runtime/wait-or-wake.ts';
import { httpCaller, parseJson } from './http-client.ts';
import { httpLogin } from './http-transport.ts';
import { type BoxIdentity, boxCredentials } from './identities.ts';
import { reasonOf } from './mqtt-transport.ts';
import type { Trust } from './trust.ts';

/** Answer of the box above; `status` is null if it gave none. */
type AboveAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly status: number | null; readonly why: string };

/** A login of the box at the box above, over which its batches go as well. */
interface AboveSession {
  readonly clientId: string;
  readonly authorization: string;
}

/** A line that is set up again after a break is waited for. */
const lineMs = 30_000;
/** Without a byte in either direction. The box above syncs a whole file before it answers. */
const silentMs = 120_000;
const answerBytesMax = 1 << 20;

/**
 * The backups of this box at the box above, by the session of the line: there is no second login,
 * which would end the first.
 */
export class BackupsAbove {
  /** For people. */
  readonly where: string;
  readonly #url: URL;
  readonly #trust: Trust;
  readonly #clock: Clock;
  #session: AboveSession | null = null;
  #waiting: (() => void)[] = [];

  constructor(base: string, { trust, clock }: { readonly trust: Trust; readonly clock: Clock }) {
    this.#url = new URL(base);
    this.where = this.#url.host;
    this.#trust = trust;
    this.#clock = clock;
  }

  opened(session: AboveSession): void {
    this.#session = session;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  ended(session: AboveSession): void {
    if (this.#session === session) this.#session = null;
  }

  /** A login of its own, for a box that is stopped. Null: it is logged in; else why not. */
  async logIn(box: BoxIdentity, signal: AbortSignal): Promise<string | null> {
    const credentials = boxCredentials(box);
    const caller = httpCaller(this.#url.href, { trust: this.#trust });
    try {
      const login = await httpLogin(caller, credentials, signal);
      if (login.kind !== 'accepted') return login.why;
      this.opened({ clientId: credentials.clientId, authorization: login.authorization });
      return null;
    } finally {
      caller.close();
    }
  }

  /** Names, newest first. */
  async list(signal: AbortSignal): Promise<AboveAnswer<readonly string[]>> {
    const answer = await this.#ask({ method: 'GET', name: null }, signal);
    if (!answer.ok) return answer;
    const { files } = (answer.value.data ?? {}) as { files?: unknown };
    return Array.isArray(files) ? { ok: true, value: files.map(({ name }) => String(name)) } : notGatehouse;
  }

  async put(file: string, name: string, sha256: string, signal: AbortSignal): Promise<AboveAnswer<null>> {
    const { size } = await stat(file);
    const headers = { 'Content-Length': String(size), 'Content-Sha256': sha256 };
    const answer = await this.#ask({ method: 'PUT', name, headers, from: file }, signal);
    return answer.ok ? { ok: true, value: null } : answer;
  }

  async get(name: string, file: string, signal: AbortSignal): Promise<AboveAnswer<null>> {
    const answer = await this.#ask({ method: 'GET', name, to: file }, signal);
    return answer.ok ? { ok: true, value: null } : answer;
  }

  async #ask(asked: Asked, signal: AbortSignal): Promise<AboveAnswer<Record<string, unknown>>> {
    const session = this.#session ?? (await this.#whenOpen(signal));
    if (!session) return { ok: false, status: null, why: 'the line to the box above is down' };
    try {
      const { status, body } = await this.#call(asked, session, signal);
      const said = parseJson(body);
      if (status === 200) return { ok: true, value: said };
      const why = typeof said.msg === 'string' && said.msg !== '' ? said.msg.slice(0, 300) : `HTTP ${status}`;
      return { ok: false, status, why };
    } catch (error) {
      signal.throwIfAborted();
      return { ok: false, status: null, why: reasonOf(error as Error).reason };
    }
  }

  async #whenOpen(signal: AbortSignal): Promise<AboveSession | null> {
    const opened = new Promise<void>(resolve => this.#waiting.push(resolve));
    await waitOrWake(this.#clock, lineMs, opened, signal);
    signal.throwIfAborted();
    return this.#session;
  }

  async #call(
    { method, name, headers = {}, from, to }: Asked,
    { clientId, authorization }: AboveSession,
    signal: AbortSignal,
  ): Promise<{ status: number; body: string }> {
    const url = this.#url;
    const isSecure = url.protocol === 'https:';
    const path = ['api', 'v1.0', 'backups', clientId, ...(name === null ? [] : [name])].map(encodeURIComponent);
    const outgoing = (isSecure ? request : plainRequest)({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (isSecure ? 443 : 80),
      path: `${url.pathname.replace(/\/$/, '')}/${path.join('/')}`,
      ...{ method, headers: { ...headers, Authorization: authorization }, signal, agent: false },
      ...(isSecure ? { secureContext: this.#trust.context } : {}),
      timeout: silentMs,
    });
    outgoing.on('timeout', () =>
      outgoing.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })),
    );
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve);
      outgoing.on('error', reject);
    });
    // A refusal may come before all is sent: the answer counts then, and not that sending failed.
    if (from === undefined) outgoing.end();
    else void pipeline(createReadStream(from), outgoing).catch(() => {});
    const response = await answered;
    const status = response.statusCode ?? 0;
    if (to !== undefined && status === 200) {
      await pipeline(response, createWriteStream(to, { mode: 0o600 }));
      return { status, body: '' };
    }
    const body = await textOf(response);
    outgoing.destroy();
    return { status, body };
  }
}

interface Asked {
  readonly method: 'GET' | 'PUT';
  /** Name of one backup; null for the list. */
  readonly name: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A file to send. */
  readonly from?: string;
  /** A file to write what is answered to. */
  readonly to?: string;
}

const notGatehouse = { ok: false, status: 404, why: 'what answers there is no Gatehouse that keeps backups' } as const;

async function textOf(response: IncomingMessage): Promise<string> {
  const answer = new GrowingBuffer();
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (answer.length + chunk.length > answerBytesMax) throw new Error('the answer is too large');
    answer.add(chunk);
  }
  return answer.take().toString('utf8');
}
