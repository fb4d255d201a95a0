import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { stream } from 'hono/streaming';
import type { StreamingApi } from 'hono/utils/stream';
import type { Caller, ProgramCaller } from '../accounts/index.ts';
import { readsJson } from '../platform/text-body.ts';
import { takesBody } from '../runtime/body-bound.ts';
import { compressed } from '../runtime/compressed.ts';
import { type Described, described } from '../words/described.ts';
import { type AdminContext, type AdminEnvironment, needs } from './guard.ts';
import type { AnyOperation, Call, FileAnswer, LinesOperation, Running } from './operation.ts';
import { failures, problemSchema, problemType } from './problem.ts';

/** How much of a long answer is written at once. */
const chunkCharacters = 64 << 10;
/** How long a page waits for the tables before it shows how far they are. */
const pageWaitsMs = 2000;

/** Adds a route for each of the operations, with its entry in /openapi.json. */
export function serve<Operations extends Readonly<Record<string, AnyOperation>>>(
  app: OpenAPIHono<AdminEnvironment>,
  operations: Operations,
  running: Running<Operations>,
): void;
export function serve(
  app: OpenAPIHono<AdminEnvironment>,
  operations: Readonly<Record<string, AnyOperation>>,
  running: Readonly<Record<string, (asked: object, call: Call) => unknown>>,
): void {
  for (const [name, operation] of Object.entries(operations)) {
    const handler = async (context: AdminContext) => {
      const valid = context.req.valid as (part: string) => object;
      const asked = {
        ...(operation.params && valid.call(context.req, 'param')),
        ...(operation.query && valid.call(context.req, 'query')),
        ...(operation.body && valid.call(context.req, 'json')),
      };
      const upTo = operation.ofWholeTables ? await tablesHoldAll(context, operation) : undefined;
      const leaving = new AbortController();
      const call = callOf(context, AbortSignal.any([context.req.raw.signal, leaving.signal]));
      const answer = running[name]!(asked, upTo === undefined ? call : { ...call, upToRecord: upTo });
      if ('line' in operation) return linesOf(context, operation, answer as AsyncIterable<unknown>, leaving);
      if ('files' in operation) return fileOf(context, (await answer) as FileAnswer);
      return jsonOf(context, operation, (await answer) as object);
    };
    const { bodyBytesMax, upload } = operation;
    const bytesMax = upload?.bytesMax ?? bodyBytesMax;
    const bounded = bytesMax === undefined ? handler : takesBody(bytesMax, handler, { word: upload?.word });
    // The type `Running` has checked what hono would check here.
    app.openapi(routeOf(operation), bounded as never);
  }
}

/** `X-Up-To-Record`: the last record that is in the answer for certain. */
async function tablesHoldAll(context: AdminContext, operation: AnyOperation): Promise<number> {
  const isPage = operation.method === 'get' && 'answer' in operation;
  const upTo = await context.get('tablesHoldAll')(isPage ? pageWaitsMs : undefined);
  context.header('X-Up-To-Record', String(upTo));
  return upTo;
}

/** A month of a department is half a megabyte, and a twentieth of it compressed. */
async function jsonOf(context: AdminContext, { role, holdsSecrets }: AnyOperation, answer: object) {
  const mayCompress = role !== 'admin' && !holdsSecrets;
  const accepted = mayCompress ? context.req.header('accept-encoding') : undefined;
  const { body, headers } = await compressed(JSON.stringify(answer), accepted);
  return context.body(body, 200, { ...headers, 'content-type': 'application/json' });
}

/** A caller that goes away ends what runs for it. */
function linesOf(
  context: AdminContext,
  { eachAtOnce }: LinesOperation,
  values: AsyncIterable<unknown>,
  leaving: AbortController,
) {
  const writtenAtOnce = eachAtOnce ? 0 : chunkCharacters;
  context.header('content-type', 'application/x-ndjson');
  const write = async (out: StreamingApi) => {
    out.onAbort(() => leaving.abort());
    let lines = '';
    for await (const value of values) {
      if (out.aborted) return;
      lines += `${JSON.stringify(value)}\n`;
      if (lines.length < writtenAtOnce) continue;
      await out.write(lines);
      lines = '';
    }
    await out.write(`${lines}\n`);
  };
  return stream(context, write, cutOf(context));
}

function fileOf(context: AdminContext, { type, body, headers = {}, onCut }: FileAnswer) {
  const allHeaders = { ...headers, 'content-type': type };
  if (typeof body === 'string') return context.body(body, 200, allHeaders);
  if (body instanceof Uint8Array) return context.body(new Uint8Array(body), 200, allHeaders);
  for (const [name, value] of Object.entries(allHeaders)) context.header(name, value);
  const write = async (out: StreamingApi) => {
    for await (const piece of body) {
      if (out.aborted) return;
      await out.write(piece);
    }
  };
  return stream(context, write, cutOf(context, onCut));
}

/** Without one, hono writes the error to standard error. */
const cutOf = (context: AdminContext, onCut = context.get('onError')) =>
  onCut && (async (error: Error) => onCut(error));

const contentOf = (operation: AnyOperation) => {
  if ('line' in operation) return { 'application/x-ndjson': { schema: z.string() } };
  if ('files' in operation)
    return Object.fromEntries(Object.entries(operation.files).map(([type, schema]) => [type, { schema }]));
  return { 'application/json': { schema: operation.answer } };
};

/** Only operations of role `events` are called by programs, and they ask for `hears` first. */
const whoCalls = (caller: Caller | ProgramCaller): Pick<Call, 'caller' | 'hears'> =>
  caller.role === 'events' ? { caller: { ...caller, role: 'viewer' }, hears: caller.hears } : { caller, hears: null };

const routeOf = (operation: AnyOperation) => {
  const { method, path, role, summary, params, query, body, upload, returns, ofWholeTables } = operation;
  const more: [status: string, description: Described][] = Object.entries(operation.failures ?? {});
  if (ofWholeTables)
    more.push([
      '503',
      described(
        'The box is still entering what it acknowledged: ask again after Retry-After',
        '网关仍在录入已确认接收的记录，请按 Retry-After 稍后再试',
      ),
    ]);
  return createRoute({
    method,
    path,
    summary,
    middleware: body ? [needs(role), readsJson] : needs(role),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(body && { body: { required: true, content: { 'application/json': { schema: body } } } }),
      ...(upload?.headers && { headers: upload.headers }),
      ...(upload?.type && { body: { content: { [upload.type]: { schema: z.unknown() } } } }),
    },
    responses: {
      200: { description: returns, content: contentOf(operation) },
      ...failures,
      ...Object.fromEntries(
        more.map(([status, description]) => [
          status,
          { description, content: { [problemType]: { schema: problemSchema } } },
        ]),
      ),
    },
  });
};

const callOf = (context: AdminContext, signal: AbortSignal): Call => ({
  ...whoCalls(context.get('caller')),
  employee: context.get('employee'),
  upload: {
    bytes: Number(context.req.header('content-length') ?? Number.NaN),
    get stream() {
      return context.req.raw.body;
    },
    whole: async () => new Uint8Array(await context.req.arrayBuffer()),
    header: name => context.req.header(name),
  },
  signal,
  subject: about => context.set('subject', about),
  isReadOften: () => context.set('isReadOften', true),
});
