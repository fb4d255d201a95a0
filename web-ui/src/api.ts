import { signal } from '@preact/signals';
import {
  type AdminAnswer,
  type AdminRequest,
  type AnswerOf,
  type AskedOf,
  addressOf,
  adminCalls,
  type PathOf,
} from '../../src/admin-client/calls.ts';
import type { Coded } from '../../src/words/sentences.ts';
import { takeEarly } from './early.ts';
import { words } from './words/index.ts';

export { addressOf, query } from '../../src/admin-client/calls.ts';

/** The box's error response (RFC 9457). */
export class Problem extends Error {
  readonly status: number;
  /** A word for the page, or a sentence. */
  readonly title: string;
  readonly retryAfterSeconds: number;
  readonly problems: readonly unknown[];
  /** Code and values of the detail, where it is a sentence of the box. */
  readonly coded: Coded;
  /** Whether the request is repeated without anybody's doing. */
  comesAgain = false;

  constructor(
    status: number,
    title: string,
    detail: string,
    retryAfterSeconds = 0,
    problems: readonly unknown[] = [],
    coded: Coded = {},
  ) {
    super(detail);
    this.status = status;
    this.title = title;
    this.retryAfterSeconds = retryAfterSeconds;
    this.problems = problems;
    this.coded = coded;
  }
}

/** The same problem in the words of a page, which has them by its title. */
export function problemIn(said: Readonly<Record<string, unknown>>, problem: Problem): Problem {
  const text = said[problem.title];
  return typeof text === 'string' ? new Problem(problem.status, problem.title, text) : problem;
}

/** Set when the box no longer knows us: the page asks to sign in. */
export const signedOut = signal(false);

/**
 * The last record that the answers of a page hold for certain (`X-Up-To-Record`); null: none of
 * them says.
 */
export const upToRecord = signal<{ readonly page: string; readonly record: number } | null>(null);

/** Of several answers the earliest: all of them hold what came before it. */
function noteUpToRecord(headers: Headers): void {
  const record = Number(headers.get('x-up-to-record') ?? Number.NaN);
  if (Number.isNaN(record)) return;
  const page = location.pathname;
  const before = upToRecord.peek();
  upToRecord.value = { page, record: before?.page === page ? Math.min(before.record, record) : record };
}

/** Throws `Problem`; status 0: the box does not answer. */
async function ask(
  { method, path, body, signal }: AdminRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<AdminAnswer> {
  const isRead = method === 'GET';
  let answer: Response;
  try {
    answer = await (takeEarly(method, path) ??
      fetch(`/admin/v1${path}`, {
        method,
        ...(signal ? { signal } : {}),
        ...(body === undefined
          ? {}
          : body instanceof Blob
            ? { body, headers }
            : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }));
  } catch (error) {
    if (signal?.aborted) throw error;
    const said = words.peek().problem;
    // Whether a change was made, nobody here can know; a login and a preview change nothing.
    throw new Problem(
      0,
      'network',
      isRead || path === '/session' || path.includes('/previews/') ? said.network : said.unanswered,
    );
  }
  if (answer.ok && isRead) noteUpToRecord(answer.headers);
  if (answer.ok)
    return { headers: Object.fromEntries(answer.headers), json: () => answer.json(), pieces: () => piecesOf(answer) };
  const problem = (await answer.json().catch(() => ({}))) as Coded & {
    title?: string;
    detail?: string;
    problems?: unknown[];
  };
  if (answer.status === 401 && path !== '/session' && path !== '/first-account') signedOut.value = true;
  throw new Problem(
    answer.status,
    problem.title ?? String(answer.status),
    detailOf(problem, isRead) ?? answer.statusText,
    Number(answer.headers.get('retry-after') ?? 0),
    problem.problems ?? [],
    { code: problem.code, params: problem.params },
  );
}

/** Safari before 26 has no iterator for the body of an answer. */
async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body!.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    void reader.cancel().catch(() => {});
  }
}

const unreachable = () => new Problem(0, 'network', words.peek().problem.network);

/** Failures that any page may meet, in the reader's language. */
function detailOf(
  { title, detail, problems }: { title?: string; detail?: string; problems?: unknown[] },
  isRead: boolean,
) {
  const said = words.peek().problem;
  if (title === 'disk_full') return said.diskFull;
  if (title === 'store_behind') {
    const [{ records }] = problems as [{ records: number }];
    return isRead ? said.behind(records) : said.notYet(records);
  }
  return detail;
}

/** Each throws as `ask` does. */
export const { get, post, put, erase, lines } = adminCalls(ask, unreachable);

/** Calls a path of the admin API that no operation has. */
export const send = async <T>(
  method: AdminRequest['method'],
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> => (await ask({ method, path, body, signal })).json() as Promise<T>;

/** A file as the body of a POST. */
export const postFile = async <Path extends PathOf<'post'>>(
  path: Path,
  asked: AskedOf<'post', Path>,
  file: Blob,
  headers: Readonly<Record<string, string>> = {},
): Promise<AnswerOf<'post', Path>> =>
  (await ask({ method: 'POST', path: addressOf(path, asked), body: file }, headers)).json() as never;
