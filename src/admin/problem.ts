import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { AdminRefused } from '../runtime/admin-refused.ts';
import { answerProblem, type Problem, problem, problemOf, problemType } from '../runtime/problem.ts';
import { type StoreError, TablesBehind } from '../store/index.ts';
import { described } from '../words/described.ts';
import type { GivenReason } from '../words/sentences.ts';

export { AdminRefused } from '../runtime/admin-refused.ts';
export { problem, problemType } from '../runtime/problem.ts';

/** Code and parameters of a reason, for its text in another language (`src/words`). */
export const sentenceShape = {
  code: z
    .string()
    .optional()
    .describe(described('Of the reason: it stays where the text is reworded', '原因的代码：文字改写后仍不变')),
  params: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe(described('What the reason names', '原因中提到的内容')),
};
export const reasonShape = {
  reason: z.string().describe(described('Why, and what to do about it', '原因及处理办法')),
  ...sentenceShape,
};

/** The same beside a field `code` of another meaning; null: the words are those of others. */
export const saidShape = z.object(sentenceShape).nullable();

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    ...sentenceShape,
    problems: z.array(z.unknown()).optional(),
  })
  .openapi('Problem');

/** Failures that any route may answer. */
export const failures = {
  400: {
    description: described('The request cannot be read', '请求无法解析'),
    content: { [problemType]: { schema: problemSchema } },
  },
  403: {
    description: described('Not with this role', '此角色无权'),
    content: { [problemType]: { schema: problemSchema } },
  },
} as const;

/**
 * To be thrown by an operation: nothing was done. The title is a word for a page, the detail says
 * why.
 */
export function refused(
  status: Problem['status'],
  title: string,
  why: string | GivenReason,
  { problems, retryAfterSeconds }: { readonly problems?: readonly unknown[]; readonly retryAfterSeconds?: number } = {},
): AdminRefused {
  const { reason, ...sentence } = typeof why === 'string' ? { reason: why } : why;
  return new AdminRefused({ ...problemOf(status, title, reason, problems), ...sentence }, retryAfterSeconds);
}

export const refusal = (context: Context, { problem, retryAfterSeconds }: AdminRefused) => {
  if (retryAfterSeconds !== undefined) context.header('Retry-After', String(retryAfterSeconds));
  return answerProblem(context, problem);
};

/**
 * For an error of the store: nothing of what was asked for was done. The title is a word for a
 * page, the detail says why and what to do.
 */
export function storeProblem(context: Context, error: StoreError) {
  const { code, message } = error;
  context.header('Retry-After', code === 'behind' ? '2' : '30');
  const problems = error instanceof TablesBehind ? [{ records: error.records }] : undefined;
  return problem(context, 503, code === 'disk_full' ? code : `store_${code}`, message, problems);
}
