import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { StoreError } from '../store/index.ts';

/** RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly problems?: readonly unknown[];
}

export const problemType = 'application/problem+json';
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    problems: z.array(z.unknown()).optional(),
  })
  .openapi('Problem');

/** What any route may answer. */
export const failures = {
  400: { description: 'The request cannot be read', content: { [problemType]: { schema: problemSchema } } },
  403: { description: 'Not with this role', content: { [problemType]: { schema: problemSchema } } },
} as const;

/** The box did not do what was asked; the message is its reason. */
export class AdminRefused extends Error {
  readonly problem: Problem;
  /** When to try again; absent: no moment is better than another. */
  readonly retryAfterSeconds: number | undefined;
  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail || problem.title);
    this.name = 'AdminRefused';
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * To be thrown by an operation: nothing was done. The title is a word for a page, the detail says
 * why.
 */
export const refused = (
  status: Problem['status'],
  title: string,
  detail: string,
  { problems, retryAfterSeconds }: { readonly problems?: readonly unknown[]; readonly retryAfterSeconds?: number } = {},
): AdminRefused =>
  new AdminRefused(
    { type: 'about:blank', title, status, detail, ...(problems ? { problems } : {}) },
    retryAfterSeconds,
  );

export const problem = (
  context: Context,
  status: ContentfulStatusCode,
  title: string,
  detail: string,
  problems?: readonly unknown[],
) =>
  context.body(
    JSON.stringify({ type: 'about:blank', title, status, detail, ...(problems ? { problems } : {}) } satisfies Problem),
    status,
    { 'content-type': problemType },
  );

export const refusal = (context: Context, { problem: told, retryAfterSeconds }: AdminRefused) =>
  context.body(JSON.stringify(told), told.status as ContentfulStatusCode, {
    'content-type': problemType,
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  });

/**
 * For an error of the store: nothing of what was asked for was done. The title is a word for a
 * page, the detail says why and what to do.
 */
export function storeProblem(context: Context, { code, message }: StoreError) {
  context.header('Retry-After', '30');
  return problem(context, 503, code === 'disk_full' ? code : `store_${code}`, message);
}
