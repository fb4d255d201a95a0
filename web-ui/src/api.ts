import { signal } from '@preact/signals';
import type { AnswerOf, AskedOf, PathOf, Rest } from './asked.ts';
import { takeEarly } from './shell/early.ts';
import { words } from './words/index.ts';

/** The box's error response (RFC 9457). */
export class Problem extends Error {
  readonly status: number;
  /** A word for the page, or a sentence. */
  readonly title: string;
  readonly retryAfterSeconds: number;
  readonly problems: readonly unknown[];
  /** What met it is asked again without anybody's doing. */
  comesAgain = false;

  constructor(status: number, title: string, detail: string, retryAfterSeconds = 0, problems: readonly unknown[] = []) {
    super(detail);
    this.status = status;
    this.title = title;
    this.retryAfterSeconds = retryAfterSeconds;
    this.problems = problems;
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
 * Calls a path of the admin API that no operation has, or with a file. Throws `Problem`; status 0:
 * the box does not answer.
 */
export async function send<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
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
  if (answer.ok) return (await answer.json()) as T;
  const problem = (await answer.json().catch(() => ({}))) as { title?: string; detail?: string; problems?: unknown[] };
  if (answer.status === 401 && path !== '/session' && path !== '/first-account') signedOut.value = true;
  throw new Problem(
    answer.status,
    problem.title ?? String(answer.status),
    detailOf(problem, isRead) ?? answer.statusText,
    Number(answer.headers.get('retry-after') ?? 0),
    problem.problems ?? [],
  );
}

/** What any page may meet, in the reader's language. */
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

/** Each throws as `send` does. */
export const get = <Path extends PathOf<'get'>>(
  path: Path,
  ...[asked, signal]: Rest<'get', Path, [signal?: AbortSignal]>
): Promise<AnswerOf<'get', Path>> => send('GET', addressOf(path, asked), undefined, signal);
export const post = <Path extends PathOf<'post'>>(
  path: Path,
  ...[asked]: Rest<'post', Path>
): Promise<AnswerOf<'post', Path>> => send('POST', filled(path, asked).path, filled(path, asked).rest);
export const put = <Path extends PathOf<'put'>>(
  path: Path,
  ...[asked]: Rest<'put', Path>
): Promise<AnswerOf<'put', Path>> => send('PUT', filled(path, asked).path, filled(path, asked).rest);
export const erase = <Path extends PathOf<'delete'>>(
  path: Path,
  ...[asked]: Rest<'delete', Path>
): Promise<AnswerOf<'delete', Path>> => send('DELETE', filled(path, asked).path);

/** A file as the body of a POST. */
export const postFile = <Path extends PathOf<'post'>>(
  path: Path,
  asked: AskedOf<'post', Path>,
  file: Blob,
  headers: Readonly<Record<string, string>> = {},
): Promise<AnswerOf<'post', Path>> => send('POST', addressOf(path, asked), file, undefined, headers);

/** `/people/{ext_id}` with what stands for `ext_id`, and what is left over. */
function filled(path: string, asked: object = {}) {
  const rest = new Map(Object.entries(asked));
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  return { path: address, rest: Object.fromEntries(rest) };
}

/** Of a GET: what does not stand in the path is its query. */
export function addressOf(path: string, asked?: object): string {
  const { path: address, rest } = filled(path, asked);
  return address + query(rest);
}

/** `?a=1&b=2` of the given values, a list as several; empty and missing ones are left out. */
export function query(values: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') params.append(name, String(one));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
