import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Of the sentence in `detail`, with what it names (`src/words`); absent: it has none yet. */
  readonly code?: string;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly problems?: readonly unknown[];
}

export const problemType = 'application/problem+json';

/** `title` is a word for a page, `detail` says why. */
export const problemOf = (status: number, title: string, detail: string, problems?: readonly unknown[]): Problem => ({
  type: 'about:blank',
  title,
  status,
  detail,
  ...(problems ? { problems } : {}),
});

/** Answers a call with a problem. */
export const problem = (context: Context, ...said: Parameters<typeof problemOf>) =>
  answerProblem(context, problemOf(...said));

export const answerProblem = (context: Context, said: Problem) =>
  context.body(JSON.stringify(said), said.status as ContentfulStatusCode, { 'content-type': problemType });
