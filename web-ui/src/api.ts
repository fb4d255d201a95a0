import { signal } from '@preact/signals';
import { words } from './words/index.ts';

/** The box's error response (RFC 9457). */
export class Problem extends Error {
  readonly status: number;
  /** A word for the page, or a sentence. */
  readonly title: string;
  readonly retryAfterSeconds: number;
  readonly problems: readonly unknown[];

  constructor(status: number, title: string, detail: string, retryAfterSeconds = 0, problems: readonly unknown[] = []) {
    super(detail);
    this.status = status;
    this.title = title;
    this.retryAfterSeconds = retryAfterSeconds;
    this.problems = problems;
  }
}

/** Set when the box no longer knows us: the page asks to sign in. */
export const signedOut = signal(false);

/** Calls the admin API. Throws `Problem`; status 0: the box does not answer. */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`/admin/v1${path}`, {
      method,
      ...(signal ? { signal } : {}),
      ...(body === undefined
        ? {}
        : body instanceof Blob
          ? { body, headers }
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, 'network', words.peek().problem.network);
  }
  if (answer.ok) return (await answer.json()) as T;
  const problem = (await answer.json().catch(() => ({}))) as { title?: string; detail?: string; problems?: unknown[] };
  if (answer.status === 401 && path !== '/session' && path !== '/first-account') signedOut.value = true;
  throw new Problem(
    answer.status,
    problem.title ?? String(answer.status),
    problem.title === 'disk_full' ? words.peek().problem.diskFull : (problem.detail ?? answer.statusText),
    Number(answer.headers.get('retry-after') ?? 0),
    problem.problems ?? [],
  );
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => call<T>('GET', path, undefined, signal);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => call<T>('POST', path, body);

/** `?a=1&b=2` of the given values; empty and missing ones are left out. */
export function query(values: Readonly<Record<string, string | number | boolean | null | undefined>>): string {
  const problem = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== null && value !== '') problem.set(name, String(value));
  const text = problem.toString();
  return text === '' ? '' : `?${text}`;
}
