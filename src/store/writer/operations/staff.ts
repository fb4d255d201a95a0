import { appendAudit, retireAudit as retireChains } from '../../audit/write.ts';
import type { OperationContext } from '../../domain.ts';
import type { StoreWrites } from '../../port/store.ts';
import { keptDaysKey } from '../kept-days.ts';
import { forgetPerson } from './accounts.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

export function putUser(
  context: OperationContext,
  { name, role, passwordHash, headimgurl, ifNone, keepsAdmin }: Input<'putUser'>,
): boolean {
  const { sql } = context;
  if (keepsAdmin && role !== undefined && role !== 'admin' && isLastAdmin(context, name)) return false;
  if (ifNone && sql('SELECT 1 FROM local_user WHERE password_hash IS NOT NULL LIMIT 1').get() !== undefined)
    return false;
  sql(
    `INSERT INTO local_user (name, password_hash, role, headimgurl)
       VALUES (?1, ?2, coalesce(?3, 'viewer'), coalesce(?4, ''))
       ON CONFLICT (name) DO UPDATE SET password_hash = coalesce(?2, local_user.password_hash), role = coalesce(?3, local_user.role),
         headimgurl = coalesce(?4, local_user.headimgurl)`,
  ).run(name, passwordHash ?? null, role ?? null, headimgurl ?? null);
  return true;
}

export function removeUser(
  context: OperationContext,
  { name }: Input<'removeUser'>,
): 'removed' | 'unknown' | 'last_admin' {
  const { sql } = context;
  if (sql('SELECT 1 FROM local_user WHERE name = ?').get(name) === undefined) return 'unknown';
  if (isLastAdmin(context, name)) return 'last_admin';
  forgetPerson(context, name);
  sql('DELETE FROM local_user WHERE name = ?').run(name);
  return 'removed';
}

/** Asked in the write that takes the admin away: two that go at once take turns here. */
function isLastAdmin({ sql }: OperationContext, name: string): boolean {
  const user = sql('SELECT role FROM local_user WHERE name = ?').get(name) as { role: string } | undefined;
  if (user?.role !== 'admin') return false;
  const others = sql(
    "SELECT 1 FROM local_user WHERE role = 'admin' AND password_hash IS NOT NULL AND name <> ? LIMIT 1",
  ).get(name);
  return others === undefined;
}

export function makeToken({ sql }: OperationContext, token: Input<'makeToken'>): number {
  const { id } = sql(
    'INSERT INTO admin_token (token_hash, name, role, made_by, made_at, ends_at, topics, actions) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id',
  ).get(
    ...[token.tokenHash, token.name, token.role, token.madeBy, token.at, token.endsAt],
    token.events ? JSON.stringify(token.events.topics) : null,
    token.events ? JSON.stringify(token.events.actions) : null,
  ) as { id: number };
  return id;
}

export function seeToken({ sql }: OperationContext, { id, at }: Input<'seeToken'>): void {
  sql('UPDATE admin_token SET used_at = ? WHERE id = ?').run(at, id);
}

export function removeToken({ sql }: OperationContext, { id }: Input<'removeToken'>): boolean {
  return Number(sql('DELETE FROM admin_token WHERE id = ?').run(id).changes) > 0;
}

export const audit = (context: OperationContext, note: Input<'audit'>): number => appendAudit(context, note);

export function keepDays({ sql }: OperationContext, kept: Input<'keepDays'>): void {
  for (const [what, days] of Object.entries(kept))
    sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
      keptDaysKey(what),
      String(days),
    );
}

export function retireAudit(context: OperationContext, limits: Input<'retireAudit'>): void {
  retireChains(context, limits);
}
