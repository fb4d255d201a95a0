import { z } from '@hono/zod-openapi';
import { newToken, tokenHash } from '../accounts/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { StaffReads, StaffWrites } from '../store/index.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { refused } from './problem.ts';
import { done, personName, rowId } from './shapes.ts';
import type { Writing } from './writing.ts';

const dayMs = 24 * 3600_000;
/** Every token ends: one that nobody said more of after a year. */
const usualDays = 365;

const role = z.enum(['admin', 'staff', 'viewer']);
const token = z.object({
  id: z.number(),
  name: z.string(),
  role,
  made_by: z.string(),
  made_at: z.number(),
  ends_at: z.number().nullable().describe('Null: made by an older program; it gets an end within minutes'),
  used_at: z.number().nullable(),
});
export type TokenReport = Report<typeof token>;

export const tokenOperations = {
  list: operation({
    method: 'get',
    path: '/tokens',
    role: 'viewer',
    summary: 'Bearer tokens of the admin API: who made them, for which role, until when',
    returns: 'The tokens',
    answer: z.object({ rows: z.array(token), cursor: z.null() }),
  }),
  make: operation({
    method: 'post',
    path: '/tokens',
    role: 'admin',
    summary: 'Makes a bearer token; the answer alone holds it',
    body: z.object({
      name: personName,
      role,
      days: z.number().int().min(1).max(3650).nullable().default(null).openapi({ description: 'null: a year' }),
    }),
    returns: 'The token',
    answer: z.object({ token: z.string() }),
  }),
  remove: operation({
    method: 'delete',
    path: '/tokens/{id}',
    role: 'admin',
    summary: 'Ends a token',
    params: z.object({ id: rowId }),
    returns: 'Done',
    answer: done,
    failures: { 404: 'There is no such token' },
  }),
};
type TokenAdmin = Running<typeof tokenOperations>;

export const tokenAdmin = (read: StaffReads, writing: Writing<StaffWrites>, clock: Clock): TokenAdmin => ({
  list: async () => ({
    rows: (await read.tokens()).map(one => ({
      id: one.id,
      name: one.name,
      role: one.role,
      made_by: one.madeBy,
      made_at: one.madeAt,
      ends_at: one.endsAt,
      used_at: one.usedAt,
    })),
    cursor: null,
  }),
  async make({ name, role: of, days }, call = byCommand) {
    call.subject(name);
    const made = newToken();
    const at = clock.now();
    // The account behind a token, too: what it makes ends with the account.
    const madeBy = call.caller.account;
    const endsAt = at + (days ?? usualDays) * dayMs;
    await writing(write => write.makeToken({ tokenHash: tokenHash(made), name, role: of, madeBy, at, endsAt }));
    return { token: made };
  },
  async remove({ id }, call = byCommand) {
    call.subject(String(id));
    if (!(await writing(write => write.removeToken({ id })))) throw refused(404, 'unknown', `there is no token ${id}`);
    return { done: true };
  },
});
