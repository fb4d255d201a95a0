import type { HttpBindings } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type AttendanceCodeName, attendanceCodes } from '../../platform/attendance.ts';
import { withFoldedNumbers } from '../../platform/folded-number.ts';
import { isNoFields } from '../../platform/json-bytes.ts';
import { type GuessedCall, guessedBodyBytesMax } from '../../platform/signature-guesses.ts';
import { jsonTextOfBody, NotText } from '../../platform/text-body.ts';
import { bodyBytesDefault, takesBody } from '../../runtime/body-bound.ts';
import { YoungGarbage } from '../../runtime/garbage.ts';
import { Aborted, callerIsKnown, readBody, TooLarge } from '../../runtime/read-body.ts';
import { StoreError } from '../../store/index.ts';
import { subjectOf } from '../../words/audit-own.ts';
import { type Answer, CallRefused, refusal } from './answers.ts';
import { attendanceCalls, attendancePath, PageText } from './attendance-calls.ts';
import type { AttendanceRequests } from './attendance-requests.ts';
import type { Callers } from './callers.ts';
import type { AttendanceCall, CallContext } from './calls.ts';
import { organizationCalls } from './organization-calls.ts';
import { PageWalks } from './page-walks.ts';
import { firstIssue } from './schemas.ts';
import type { SignedCall } from './signed-call.ts';

type Call = Context<{ Bindings: HttpBindings }>;

const byPath = new Map(organizationCalls.map(one => [one.path, one]));
const byCommand = new Map(attendanceCalls.map(one => [one.command, one]));
const boundOf = ({ bytesMax = bodyBytesDefault }: AttendanceCall): number => bytesMax;
const retryAfterSeconds = 5;

/**
 * The attendance API (SPEC 4.8, 5.7, 7.3): every answer is HTTP 200 with a body code, in the order
 * of checks of DESIGN 5.
 */
export function attendanceApi(
  callers: Callers,
  requests: AttendanceRequests,
  context: CallContext,
): OpenAPIHono<{ Bindings: HttpBindings }> {
  const routes = new OpenAPIHono<{ Bindings: HttpBindings }>();
  const walks = new PageWalks();
  const garbage = new YoungGarbage();

  const identify = (http: Call, came: Pick<SignedCall, 'method' | 'address' | 'startedAt'>): Promise<string> =>
    callers.check({
      ...came,
      path: writtenPath(http),
      appKey: http.req.header('app-key'),
      timestamp: http.req.header('app-timestamp')?.trim(),
      signature: http.req.header('app-sig')?.trim(),
      around: () => aroundOf(http, context),
    });

  const serve = async (http: Call, path: string, appKey: string): Promise<Answer> => {
    callerIsKnown(http.env.incoming);
    const one = path === attendancePath ? commandOf(http) : byPath.get(path)!;
    const sent = jsonTextOfBody(await readBody(http.env.incoming, boundOf(one)));
    const asked = objectOf(sent, one);
    const folded = withFoldedNumbers(asked);
    // The cloud gets the numbers that are stored here.
    const text = folded === asked ? sent : JSON.stringify(folded);
    const parsed = one.body.safeParse(folded);
    // Calls that walk from page to page are not limited; all others are counted.
    if (!(parsed.success && walks.goesOn(appKey, one, parsed.data))) callers.count(appKey);
    if (!parsed.success) throw new CallRefused('bad_body', firstIssue(parsed.error));
    await context.store.level();
    const answer = await one.run(parsed.data, context, { appKey, text });
    walks.note(appKey, one, parsed.data, answer);
    const mirroredAt = one.mirrors ? context.mirroredAt(one.mirrors) : null;
    if (mirroredAt !== null)
      http.header('X-Mirror-Age', String(Math.max(0, Math.round((context.now() - mirroredAt) / 1000))));
    if (one.reads)
      await context.store.audit.noteRead({
        actor: `attendance ${appKey}`,
        role: 'caller',
        address: addressOf(http),
        action: `${path} ${one.command}`,
        ...subjectOf(one.reads(parsed.data)),
      });
    return answer;
  };

  for (const [path, calls] of Map.groupBy([...organizationCalls, ...attendanceCalls], one => one.path)) {
    const answer = async (http: Call): Promise<Response> => {
      const came = { method: 'POST', address: addressOf(http), startedAt: requests.started() };
      let caller: string | null = null;
      const noted = (code: number, why: { mistake: string; detail: string } | null, status = 200) => {
        if (caller !== null)
          requests.identified({ ...came, path, caller, command: namedCommand(http)?.command ?? '', status, code, why });
      };
      try {
        caller = await identify(http, came);
        const said = await serve(http, path, caller);
        noted(said.code, null);
        return written(http, said, garbage);
      } catch (error) {
        const refused = refusalOf(error);
        if (refused) {
          const { code, message } = refused;
          noted(attendanceCodes[code], { mistake: code, detail: isOfForm.has(code) ? message : '' });
          return refusedAnswer(http, refused, error);
        }
        if (!(error instanceof Aborted)) noted(500, { mistake: 'failed', detail: '' }, 500);
        throw error;
      }
    };
    routes.post(path, takesBody(Math.max(...calls.map(boundOf)), answer));
  }
  routes.all('/v2.0/*', http => {
    const known = byPath.has(http.req.path) || http.req.path === attendancePath;
    return known
      ? http.json({ code: 405, msg: 'send this as a POST' }, 405, { Allow: 'POST' })
      : http.json({ code: 404, msg: 'no such path' }, 404);
  });
  return routes;
}

/** As the caller wrote it, with its escapes: that is what it signed. */
const writtenPath = (http: Call): string => /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(http.env.incoming.url ?? '')![1]!;

/** How long a refused caller may take to send the body that its signature may cover. */
const bodyWaitMs = 200;

/** Strings that a caller may have signed in place of the right one. */
async function aroundOf(http: Call, { sleep }: CallContext): Promise<GuessedCall> {
  const { incoming } = http.env;
  const body = readBody(incoming, guessedBodyBytesMax).then(
    read => read.toString('utf8'),
    () => null,
  );
  const url = incoming.url ?? '';
  const host = incoming.headers.host ?? '';
  return {
    origin: host === '' ? '' : `https://${host}`,
    query: url.includes('?') ? url.slice(url.indexOf('?')) : '',
    body: await Promise.race([body, sleep(bodyWaitMs).then(() => null)]),
  };
}

const addressOf = (http: Call): string => http.env.incoming.socket.remoteAddress ?? '';

const namedCommand = (http: Call): AttendanceCall | undefined =>
  byCommand.get(http.req.header('api-cmd')?.trim().toLowerCase() ?? '');

function commandOf(http: Call): AttendanceCall {
  const module = http.req.header('api-module')?.trim();
  if (module?.toUpperCase() !== 'CHECKIN') throw new CallRefused('wrong_module', 'Api-Module must be CHECKIN');
  const found = namedCommand(http);
  if (!found) throw new CallRefused('wrong_module', `Api-Cmd must be one of ${[...byCommand.keys()].join(', ')}`);
  return found;
}

/** `[]` and `null` are an object without fields where the call needs none of them. */
function objectOf(text: string, { body }: AttendanceCall): unknown {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CallRefused('bad_body', 'not JSON');
  }
  if (isNoFields(value) && body.safeParse({}).success) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CallRefused('bad_body', 'not a JSON object');
  return value;
}

const json = { 'content-type': 'application/json; charset=UTF-8' } as const;

function written(http: Call, { code, msg, data }: Answer, garbage: YoungGarbage): Response {
  const head = `{"code":${code},"msg":${JSON.stringify(msg)}`;
  if (data === undefined) return http.body(`${head}}`, 200, json);
  if (data instanceof PageText) {
    const page = data.after(`${head},"data":`);
    // Collected while the caller reads the page, not while it waits for the next one.
    http.env.outgoing.once('finish', () => garbage.passed(page.length));
    return http.body(page, 200, json);
  }
  return http.body(`${head},"data":${JSON.stringify(data)}}`, 200, json);
}

/** Codes whose detail names a field or a rule, and nobody. */
const isOfForm: ReadonlySet<AttendanceCodeName> = new Set(['bad_body', 'wrong_module', 'too_many_calls']);

/** Refusal that an error stands for; null: a bug, or a caller that has gone. */
function refusalOf(error: unknown): CallRefused | null {
  if (error instanceof CallRefused) return error;
  if (error instanceof TooLarge) return new CallRefused('bad_body', 'larger than this call takes');
  if (error instanceof NotText) return new CallRefused('bad_body', error.message);
  if (error instanceof StoreError) return new CallRefused('organization_abnormal', error.message, retryAfterSeconds);
  return null;
}

function refusedAnswer(http: Call, refused: CallRefused, error: unknown): Response {
  if (refused.retryAfterSeconds !== null) http.header('Retry-After', String(refused.retryAfterSeconds));
  // A body that was not read to its end cannot be followed by another request.
  if (error instanceof TooLarge) http.header('Connection', 'close');
  return http.json(refusal(refused), 200);
}
