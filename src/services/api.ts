import { createHash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { serviceLimits } from '../platform/services.ts';
import { type GuessedCall, guessedBodyBytesMax } from '../platform/signature-guesses.ts';
import { hasLost, jsonTextOfBody, lostCharacter, NotText } from '../platform/text-body.ts';
import { takesBody } from '../runtime/body-bound.ts';
import type { Clock } from '../runtime/clock.ts';
import { Aborted, callerIsKnown, discardRest, readBody, TooLarge } from '../runtime/read-body.ts';
import { StoreError } from '../store/index.ts';
import { type Files, readUploadQuery } from './files/files.ts';
import { badRequest, ServiceRefused } from './refusal.ts';
import { type SentFile, sendFile } from './send-file.ts';
import type { ServiceCaller, ServiceCallers } from './signing/callers.ts';
import type { Once } from './signing/once.ts';
import type { ServiceRequests } from './signing/service-requests.ts';
import type { SignedServiceCall } from './signing/signed-call.ts';

export type ServiceCall = Context<{ Bindings: HttpBindings }>;

interface ServicesApiOptions {
  readonly clock: Clock;
  readonly callers: ServiceCallers;
  readonly requests: ServiceRequests;
  readonly once: Once;
  readonly files: Files;
  /** Address of this box for links, as the caller reached it: with TLS or without. */
  readonly addressOf: (host: string, overHttps: boolean) => string;
}

/** How long a refused caller may take to send the body that its signature may cover. */
const bodyWaitMs = 200;

/** The `data` of a service's response to a signed call. */
type Answering = (call: ServiceCall, caller: ServiceCaller) => Promise<unknown>;
/** The same of a POST, whose body was read: it is done once, however often it comes. */
type Doing = (body: unknown, caller: ServiceCaller) => Promise<unknown>;

/**
 * The public services (SPEC 4.7, 5.6, 7.2). Both spellings of the version in the path are served.
 */
export class ServicesApi {
  readonly routes = new OpenAPIHono<{ Bindings: HttpBindings }>();
  readonly #options: ServicesApiOptions;

  constructor(options: ServicesApiOptions) {
    this.#options = options;
    this.routes.onError((error, call) => refusedAnswer(error, call));
    this.routes.notFound(call => call.json({ code: 404, msg: 'no such path' }, 404));
    this.#files();
  }

  get(path: string, answer: Answering): void {
    this.routes.get(
      versioned(path),
      this.#signed('GET', path, async (call, caller) => call.json(fine(await answer(call, caller)))),
    );
  }

  post(path: string, act: Doing): void {
    const done = this.#signed('POST', path, async (call, caller) => {
      const body = await readBody(call.env.incoming, serviceLimits.jsonBytesMax);
      const said = createHash('sha256').update(`${call.req.path}\0`).update(body).digest('hex');
      const answer = await this.#options.once.run(caller, said, async () => fine(await act(parsed(body), caller)));
      return call.json(answer);
    });
    this.routes.post(versioned(path), takesBody(serviceLimits.jsonBytesMax, done));
  }

  /**
   * Links that need no signature: anybody who has one may read the file. `find` returns null for a
   * name that is not there.
   */
  publish(kind: string, find: (name: string) => Promise<SentFile | null>): void {
    this.routes.on(['GET', 'HEAD'], `/public/${kind}/:name`, async call => {
      const file = await find(call.req.param('name') ?? '');
      return file ? sendFile(call, file) : call.json({ code: 404, msg: `no such ${kind}` }, 404);
    });
  }

  /** Server-sent events. */
  stream(path: string, open: (call: ServiceCall, caller: ServiceCaller) => Promise<ReadableStream<Uint8Array>>): void {
    const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
    this.routes.get(
      versioned(path),
      this.#signed('GET', path, async (call, caller) => call.body(await open(call, caller), 200, headers)),
    );
  }

  /** An address of this box with TLS, or the way the caller came where it came without. */
  link(call: ServiceCall, path: string): string {
    const secure = 'encrypted' in call.env.incoming.socket;
    return `${this.#options.addressOf(call.env.incoming.headers.host ?? 'localhost', secure)}${path}`;
  }

  /** Answers those whose signature is right; `path` names the request in the list of requests. */
  #signed(
    method: 'GET' | 'POST',
    path: string,
    answer: (call: ServiceCall, caller: ServiceCaller) => Promise<Response>,
  ): (call: ServiceCall) => Promise<Response> {
    const { requests } = this.#options;
    const pattern = `/api/1.0.0${path.replaceAll(/:(\w+)/g, '{$1}')}`;
    return async call => {
      const address = call.env.incoming.socket.remoteAddress ?? '';
      const came = { method, address, startedAt: requests.started() };
      const caller = await this.#caller(call, came);
      const noted = (status: number, code: number, why: { mistake: string; detail: string } | null) =>
        requests.identified({ ...came, path: pattern, caller: caller.appId, command: '', status, code, why });
      try {
        const response = await answer(call, caller);
        noted(response.status, 0, null);
        return response;
      } catch (error) {
        const refused = refusalOf(error);
        if (refused) noted(refused.status, refused.code, { mistake: mistakes[refused.code], detail: refused.message });
        else if (!(error instanceof Aborted)) noted(500, 500, { mistake: 'failed', detail: '' });
        throw error;
      }
    };
  }

  async #caller(
    call: ServiceCall,
    came: Pick<SignedServiceCall, 'method' | 'address' | 'startedAt'>,
  ): Promise<ServiceCaller> {
    // Some proxies take headers with an underscore out.
    const appId = call.req.header('app_id') ?? call.req.header('app-id');
    const caller = await this.#options.callers.check({
      ...came,
      path: call.req.path,
      appId,
      timestamp: call.req.header('timestamp')?.trim(),
      nonce: call.req.header('nonce'),
      sig: call.req.header('sig')?.trim(),
      around: () => this.#around(call),
    });
    callerIsKnown(call.env.incoming);
    for (const [name, value] of new URL(call.req.url).searchParams)
      if (hasLost(value)) throw badRequest(`${name}: ${lostCharacter}`);
    return caller;
  }

  /**
   * Strings that a caller may have signed in place of the right one. A body is tried if it is a
   * small JSON document.
   */
  async #around({ env: { incoming }, req }: ServiceCall): Promise<GuessedCall> {
    const { search } = new URL(req.url);
    const host = incoming.headers.host ?? '';
    const scheme = 'encrypted' in incoming.socket ? 'https' : 'http';
    const isJson = incoming.headers['content-type']?.startsWith('application/json') === true;
    const body = isJson
      ? readBody(incoming, guessedBodyBytesMax).then(
          read => read.toString('utf8'),
          () => null,
        )
      : null;
    return {
      origin: host === '' ? '' : `${scheme}://${host}`,
      query: search,
      body: await Promise.race([body, this.#options.clock.sleep(bodyWaitMs).then(() => null)]),
    };
  }

  #files(): void {
    const { files, clock, addressOf } = this.#options;
    const links = (call: ServiceCall) => (file: { fileId: string; overHttps: boolean }) =>
      `${addressOf(call.env.incoming.headers.host ?? 'localhost', file.overHttps)}/public/file/${file.fileId}`;
    const upload = this.#signed('POST', '/file', async (call, caller) => {
      const { pathname, search, searchParams } = new URL(call.req.url);
      const query = readUploadQuery(searchParams, clock.now());
      return call.json(fine(await files.upload(caller, pathname + search, query, call.env.incoming, links(call))));
    });
    this.routes.post(versioned('/file'), takesBody(files.bodyBytesMax, upload));
    this.get('/file/:fileId', (call, caller) => files.find(caller.appId, call.req.param('fileId') ?? '', links(call)));
    this.publish('file', fileId => files.openPublic(fileId));
  }
}

/** SPEC prints v1.0.0 for files and 1.0.0 for everything else. */
const versioned = (path: string): `/api/:version{v?1\\.0\\.0}${string}` => `/api/:version{v?1\\.0\\.0}${path}`;

const fine = (data: unknown) => ({ code: 0, msg: 'ok', data });

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(jsonTextOfBody(body));
  } catch (error) {
    throw badRequest(error instanceof NotText ? error.message : 'the body is not JSON');
  }
}

/** A rejection after the signature, as a word for a page. */
const mistakes: Readonly<Record<ServiceRefused['code'], string>> = {
  400: 'request',
  401: 'request',
  404: 'not_found',
  409: 'request',
  413: 'too_large',
  429: 'too_many_calls',
  503: 'unavailable',
};

/** Refusal that an error stands for; null: a bug, or a caller that has gone. */
function refusalOf(error: unknown): ServiceRefused | null {
  if (error instanceof ServiceRefused) return error;
  if (error instanceof TooLarge) return new ServiceRefused(413, 'larger than is allowed', { status: 413 });
  if (error instanceof StoreError) return new ServiceRefused(503, error.message, { status: 503, retryAfterSeconds: 5 });
  return null;
}

function refusedAnswer(error: Error, call: ServiceCall): Response {
  const refused = refusalOf(error);
  // The caller has gone.
  const { complete, destroyed } = call.env.incoming;
  if (error instanceof Aborted || (destroyed && !complete)) return call.body(null, 400);
  if (!refused) throw error;
  if (refused.retryAfterSeconds > 0) call.header('Retry-After', String(refused.retryAfterSeconds));
  if (!complete) discardRest(call.env.incoming);
  return call.json({ code: refused.code, msg: refused.message }, refused.status);
}
