import { isReservedName } from '../../../platform/reserved-names.ts';
import type { OperationContext } from '../../domain.ts';
import type { StoreWrites } from '../../port/store.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];
type Answer<K extends keyof StoreWrites> = ReturnType<StoreWrites[K]>;

export function openSession({ sql }: OperationContext, session: Input<'openSession'>): void {
  sql(
    `INSERT INTO login_session (id_hash, user_name, purpose, credential, opened_at, seen_at, ends_at, address, agent)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    session.idHash,
    session.userName,
    session.purpose,
    session.credential,
    session.at,
    session.at,
    session.endsAt,
    session.address,
    session.agent,
  );
}

/** A name that another person has here gets a number: the two are not the same person. */
export function admitCloudPerson(
  { sql }: OperationContext,
  { openid, name, headimgurl }: Input<'admitCloudPerson'>,
): string {
  const known = sql(
    'SELECT p.user_name FROM cloud_person p JOIN local_user u ON u.name = p.user_name WHERE p.openid = ?',
  ).get(openid) as { user_name: string } | undefined;
  if (known) {
    sql('UPDATE local_user SET headimgurl = ? WHERE name = ?').run(headimgurl, known.user_name);
    return known.user_name;
  }
  const taken = (one: string): boolean =>
    sql('SELECT 1 FROM local_user WHERE lower(name) = lower(?)').get(one) !== undefined;
  // People choose their names at the cloud: none may appear in the audit log as somebody or
  // something else.
  const seen = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  const plain = isReservedName(seen) ? `cloud account ${seen}`.trim() : seen;
  let own = plain;
  for (let no = 2; taken(own); no++) own = `${plain} ${no}`;
  sql("INSERT INTO local_user (name, password_hash, role, headimgurl) VALUES (?, NULL, 'none', ?)").run(
    own,
    headimgurl,
  );
  sql(
    'INSERT INTO cloud_person (openid, user_name) VALUES (?, ?) ON CONFLICT (openid) DO UPDATE SET user_name = excluded.user_name',
  ).run(openid, own);
  return own;
}

export function seeSession({ sql }: OperationContext, { idHash, at }: Input<'seeSession'>): void {
  sql('UPDATE login_session SET seen_at = ? WHERE id_hash = ?').run(at, idHash);
}

export function endSessions({ sql }: OperationContext, which: Input<'endSessions'>): number {
  const ended =
    'idHash' in which
      ? sql('DELETE FROM login_session WHERE id_hash = ?').run(which.idHash)
      : sql('DELETE FROM login_session WHERE user_name = ?').run(which.userName);
  return Number(ended.changes);
}

export function giveConsent({ sql }: OperationContext, { clientId, userName, scope, at }: Input<'giveConsent'>): void {
  sql(
    `INSERT INTO oauth_consent (client_id, user_name, scope, given_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (client_id, user_name) DO UPDATE SET scope = excluded.scope, given_at = excluded.given_at`,
  ).run(clientId, userName, scope, at);
}

export function issueCode({ sql }: OperationContext, code: Input<'issueCode'>): void {
  sql(
    `INSERT INTO oauth_code (code_hash, client_id, user_name, redirect_uri, scope, challenge, issued_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(code.codeHash, code.clientId, code.userName, code.redirectUri, code.scope, code.challenge, code.at);
}

interface CodeRow {
  readonly client_id: string;
  readonly user_name: string;
  readonly redirect_uri: string;
  readonly scope: string;
  readonly challenge: string | null;
  readonly issued_at: number;
  readonly grant_id: number | null;
}

const needsRedirectUri = ({ sql }: OperationContext, clientId: string): boolean =>
  sql('SELECT 1 FROM oauth_client WHERE client_id = ? AND needs_redirect_uri = 1').get(clientId) !== undefined;

/**
 * A code works once. A second use, or a use by another client, revokes the tokens issued for it,
 * because the code was stolen.
 */
export function redeemCode(context: OperationContext, input: Input<'redeemCode'>): Answer<'redeemCode'> {
  const { sql } = context;
  const code = sql('SELECT * FROM oauth_code WHERE code_hash = ?').get(input.codeHash) as CodeRow | undefined;
  if (!code) return { ok: false, why: 'unknown' };
  if (code.client_id !== input.clientId) return { ok: false, why: 'other_client' };
  if (code.grant_id !== null) {
    endGrant(context, code.grant_id);
    return { ok: false, why: 'used' };
  }
  if (code.issued_at <= input.issuedAfter) return { ok: false, why: 'expired' };
  if (input.redirectUri === null ? needsRedirectUri(context, input.clientId) : input.redirectUri !== code.redirect_uri)
    return { ok: false, why: 'redirect_uri' };
  if (code.challenge !== input.challenge) return { ok: false, why: 'verifier' };
  const { id: grantId } = sql(
    'INSERT INTO oauth_grant (client_id, user_name, scope, refresh_hash, made_at, used_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
  ).get(code.client_id, code.user_name, code.scope, input.refreshHash, input.at, input.at) as { id: number };
  addToken(context, grantId, input);
  sql('UPDATE oauth_code SET grant_id = ? WHERE code_hash = ?').run(grantId, input.codeHash);
  return { ok: true, scope: code.scope };
}

export function refreshGrant(context: OperationContext, input: Input<'refreshGrant'>): Answer<'refreshGrant'> {
  const { sql } = context;
  const grant = sql('SELECT id, scope FROM oauth_grant WHERE refresh_hash = ? AND client_id = ? AND used_at > ?').get(
    input.refreshHash,
    input.clientId,
    input.usedAfter,
  ) as { id: number; scope: string } | undefined;
  if (!grant) return refreshAgain(context, input);
  if (input.nextRefreshHash !== null) rotate(context, grant.id, input.nextRefreshHash, input);
  renewGrant(context, grant.id, input);
  return { ok: true, scope: grant.scope };
}

/** How many used refresh tokens a grant remembers; older ones are unknown. */
const usedRefreshMax = 20;

function rotate({ sql }: OperationContext, id: number, next: string, { refreshHash, at }: Input<'refreshGrant'>): void {
  sql('UPDATE oauth_grant SET refresh_hash = ? WHERE id = ?').run(next, id);
  sql('INSERT INTO oauth_used_refresh (refresh_hash, grant_id, used_at) VALUES (?, ?, ?)').run(refreshHash, id, at);
  sql(
    `DELETE FROM oauth_used_refresh WHERE grant_id = ?1 AND rowid NOT IN
       (SELECT rowid FROM oauth_used_refresh WHERE grant_id = ?1 ORDER BY rowid DESC LIMIT ?2)`,
  ).run(id, usedRefreshMax);
}

/** A refresh token that was used before. */
function refreshAgain(context: OperationContext, input: Input<'refreshGrant'>): Answer<'refreshGrant'> {
  const used = context
    .sql(
      `SELECT g.id, g.scope, g.refresh_hash, u.used_at FROM oauth_used_refresh u JOIN oauth_grant g ON g.id = u.grant_id
         WHERE u.refresh_hash = ? AND g.client_id = ?`,
    )
    .get(input.refreshHash, input.clientId) as
    | { id: number; scope: string; refresh_hash: string; used_at: number }
    | undefined;
  if (!used) return { ok: false, why: 'unknown' };
  if (used.refresh_hash === input.nextRefreshHash && used.used_at > input.lostAfter) {
    renewGrant(context, used.id, input);
    return { ok: true, scope: used.scope };
  }
  endGrant(context, used.id);
  return { ok: false, why: 'reused' };
}

function renewGrant(context: OperationContext, id: number, input: Input<'refreshGrant'>): void {
  const { sql } = context;
  sql('UPDATE oauth_grant SET used_at = ? WHERE id = ?').run(input.at, id);
  sql('UPDATE oauth_token SET expires_at = min(expires_at, ?) WHERE grant_id = ?').run(input.othersEndAt, id);
  sql('DELETE FROM oauth_token WHERE grant_id = ? AND expires_at <= ?').run(id, input.at);
  addToken(context, id, input);
}

function addToken(
  { sql }: OperationContext,
  grantId: number,
  { tokenHash, at, expiresAt }: { tokenHash: string; at: number; expiresAt: number },
): void {
  sql('INSERT INTO oauth_token (token_hash, grant_id, issued_at, expires_at) VALUES (?, ?, ?, ?)').run(
    tokenHash,
    grantId,
    at,
    expiresAt,
  );
}

function endGrant({ sql }: OperationContext, id: number): boolean {
  sql('DELETE FROM oauth_used_refresh WHERE grant_id = ?').run(id);
  sql('DELETE FROM oauth_token WHERE grant_id = ?').run(id);
  return sql('DELETE FROM oauth_grant WHERE id = ?').run(id).changes > 0;
}

export function revokeGrant(context: OperationContext, { id }: Input<'revokeGrant'>): boolean {
  context
    .sql(
      `DELETE FROM oauth_consent WHERE (client_id, user_name) IN (SELECT client_id, user_name FROM oauth_grant WHERE id = ?)`,
    )
    .run(id);
  return endGrant(context, id);
}

/**
 * Deletes everything of a person except the row itself, so that a later person of the same name
 * inherits nothing.
 */
export function forgetPerson({ sql }: Pick<OperationContext, 'sql'>, name: string): void {
  sql('DELETE FROM login_session WHERE user_name = ?').run(name);
  sql('DELETE FROM oauth_token WHERE grant_id IN (SELECT id FROM oauth_grant WHERE user_name = ?)').run(name);
  sql('DELETE FROM oauth_used_refresh WHERE grant_id IN (SELECT id FROM oauth_grant WHERE user_name = ?)').run(name);
  for (const table of ['oauth_grant', 'oauth_consent', 'oauth_code', 'cloud_person'])
    sql(`DELETE FROM ${table} WHERE user_name = ?`).run(name);
  sql('DELETE FROM admin_token WHERE made_by = ?').run(name);
}

export function retireAccounts(
  { sql }: OperationContext,
  { at, codesBefore, grantsUsedBefore }: Input<'retireAccounts'>,
): void {
  sql('DELETE FROM login_session WHERE ends_at <= ? OR user_name NOT IN (SELECT name FROM local_user)').run(at);
  sql('DELETE FROM oauth_code WHERE issued_at <= ?').run(codesBefore);
  sql(
    `DELETE FROM oauth_grant WHERE used_at <= ? OR user_name NOT IN (SELECT name FROM local_user)
       OR client_id NOT IN (SELECT client_id FROM oauth_client)`,
  ).run(grantsUsedBefore);
  sql(
    `DELETE FROM oauth_consent WHERE user_name NOT IN (SELECT name FROM local_user)
       OR client_id NOT IN (SELECT client_id FROM oauth_client)`,
  ).run();
  sql('DELETE FROM oauth_token WHERE expires_at <= ? OR grant_id NOT IN (SELECT id FROM oauth_grant)').run(at);
  sql('DELETE FROM oauth_used_refresh WHERE grant_id NOT IN (SELECT id FROM oauth_grant)').run();
}
