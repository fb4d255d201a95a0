import { expect } from 'vitest';
import type { AccountWrites, GrantWrites } from '../../../src/store/index.ts';
import { applied } from '../../support/store.ts';
import { at, type Cases, dayMs, type PortStore } from './case.ts';

const clientId = 'c1';
const redirectUri = 'https://canteen.example/cb';

/** A person, and a client that she may sign in to. */
const mei = ({ write }: PortStore) =>
  applied(
    { write },
    {
      users: [{ name: 'mei', role: 'staff', password_hash: 'hash' }],
      oauth_clients: [{ client_id: clientId, client_secret: 's1', redirect_uris: [redirectUri] }],
    },
  );

const session: Parameters<AccountWrites['openSession']>[0] = {
  ...{ idHash: 's-1', userName: 'mei', purpose: 'staff', credential: 'of the hash' },
  ...{ at, endsAt: at + dayMs, address: '10.0.0.7', agent: 'Firefox' },
};

const code = { codeHash: 'code', clientId, userName: 'mei', redirectUri, scope: 'userinfo', challenge: null, at };
const redemption = {
  ...{ codeHash: 'code', clientId, redirectUri, challenge: null },
  ...{ tokenHash: 'token', refreshHash: 'refresh-1', at, issuedAfter: at - 1, expiresAt: at + dayMs },
};
const refresh = {
  ...{ refreshHash: 'refresh-1', nextRefreshHash: 'refresh-2', lostAfter: at, clientId, tokenHash: 'token-2' },
  ...{ at: at + 1, usedAfter: at - 1, expiresAt: at + dayMs, othersEndAt: at + 10 },
};

/** A code that was redeemed: its grant has one token. */
async function aGrant(store: PortStore): Promise<void> {
  await mei(store);
  await store.write.issueCode(code);
  expect(await store.write.redeemCode(redemption)).toEqual({ ok: true, scope: 'userinfo' });
}

const admin = { name: 'mei', role: 'admin', passwordHash: 'hash' } as const;

export const accountCases: Cases<AccountWrites & GrantWrites> = {
  openSession: async ({ store }) => {
    await mei(store);
    await store.write.openSession(session);
    const { at: openedAt, idHash, userName, ...rest } = session;
    expect(await store.read.session(idHash)).toMatchObject({ ...rest, openedAt, seenAt: at, user: { name: userName } });
    expect(await store.read.session('another')).toBeNull();
  },
  admitCloudPerson: async ({ store }) => {
    await mei(store);
    const admit = (openid: string, name: string, headimgurl = '') =>
      store.write.admitCloudPerson({ openid, name, headimgurl });
    expect(await admit('o1', 'Mei')).toBe('Mei 2');
    expect(await admit('o1', 'Mei Li', 'https://x.example/mei.png')).toBe('Mei 2');
    expect(await admit('o2', 'Wang')).toBe('Wang');
    expect(await store.read.user('Mei 2')).toEqual({
      name: 'Mei 2',
      passwordHash: null,
      role: 'none',
      headimgurl: 'https://x.example/mei.png',
    });
  },
  seeSession: async ({ store }) => {
    await mei(store);
    await store.write.openSession(session);
    await store.write.seeSession({ idHash: session.idHash, at: at + 60 });
    expect(await store.read.session(session.idHash)).toMatchObject({ openedAt: at, seenAt: at + 60 });
  },
  endSessions: async ({ store }) => {
    await mei(store);
    for (const idHash of ['s-1', 's-2', 's-3']) await store.write.openSession({ ...session, idHash });
    expect(await store.write.endSessions({ idHash: 's-1' })).toBe(1);
    expect(await store.write.endSessions({ idHash: 's-1' })).toBe(0);
    expect((await store.read.sessions('mei')).map(({ idHash }) => idHash).sort()).toEqual(['s-2', 's-3']);
    expect(await store.write.endSessions({ userName: 'mei' })).toBe(2);
    expect(await store.read.sessions('mei')).toEqual([]);
  },
  putUser: async ({ store }) => {
    expect(await store.read.hasUsers()).toBe(false);
    expect(await store.write.putUser({ ...admin, ifNone: true })).toBe(true);
    expect(await store.read.hasUsers()).toBe(true);
    expect(await store.write.putUser({ name: 'wang', passwordHash: 'h', ifNone: true })).toBe(false);
    expect(await store.read.user('wang')).toBeNull();
    await store.write.putUser({ name: 'mei', headimgurl: 'https://x.example/mei.png' });
    expect(await store.read.user('mei')).toEqual({ ...admin, headimgurl: 'https://x.example/mei.png' });
    // Two admins who take each other's role at once: one stays.
    await store.write.putUser({ name: 'li', role: 'admin', passwordHash: 'h' });
    const taken = ['mei', 'li'].map(name => store.write.putUser({ name, role: 'viewer', keepsAdmin: true }));
    expect(await Promise.all(taken)).toEqual([true, false]);
    await store.write.putUser({ name: 'mei', role: 'none' });
    expect(await store.read.user('mei')).toMatchObject({ role: 'none', passwordHash: 'hash' });
  },
  removeUser: async ({ store }) => {
    await store.write.putUser(admin);
    await store.write.putUser({ name: 'wang', role: 'viewer', passwordHash: 'h' });
    await store.write.openSession({ ...session, userName: 'wang' });
    await store.write.makeToken({
      tokenHash: 't-1',
      name: 'backup',
      role: 'staff',
      madeBy: 'wang',
      at,
      endsAt: at + dayMs,
    });
    expect(await store.write.removeUser({ name: 'nobody' })).toBe('unknown');
    expect(await store.write.removeUser({ name: 'mei' })).toBe('last_admin');
    expect(await store.write.removeUser({ name: 'wang' })).toBe('removed');
    expect((await store.read.users()).map(({ name }) => name)).toEqual(['mei']);
    expect(await store.read.session('s-1')).toBeNull();
    expect(await store.read.tokens()).toEqual([]);
  },
  giveConsent: async ({ store }) => {
    const give = (scope: string) => store.write.giveConsent({ clientId, userName: 'mei', scope, at });
    expect(await store.read.consent(clientId, 'mei')).toBeNull();
    await give('userinfo');
    await give('userinfo offline');
    expect(await store.read.consent(clientId, 'mei')).toBe('userinfo offline');
  },
  issueCode: async ({ store }) => {
    await mei(store);
    await store.write.issueCode({ ...code, challenge: 'S256 of the verifier' });
    const redeem = (change: Partial<typeof redemption>) => store.write.redeemCode({ ...redemption, ...change });
    expect(await redeem({ codeHash: 'another' })).toEqual({ ok: false, why: 'unknown' });
    expect(await redeem({ clientId: 'c2' })).toEqual({ ok: false, why: 'other_client' });
    expect(await redeem({ issuedAfter: at })).toEqual({ ok: false, why: 'expired' });
    expect(await redeem({ redirectUri: 'https://elsewhere.example' })).toEqual({ ok: false, why: 'redirect_uri' });
    expect(await redeem({})).toEqual({ ok: false, why: 'verifier' });
  },
  redeemCode: async ({ store }) => {
    await aGrant(store);
    expect(await store.read.accessToken('token')).toMatchObject({
      ...{ user: { name: 'mei' }, clientId, scope: 'userinfo', expiresAt: at + dayMs },
    });
    expect(await store.read.grants('mei')).toMatchObject([{ clientId, userName: 'mei', madeAt: at, usedAt: at }]);
    // Somebody else has the code: what was made of it ends.
    expect(await store.write.redeemCode(redemption)).toEqual({ ok: false, why: 'used' });
    expect(await store.read.accessToken('token')).toBeNull();
    expect(await store.read.grants(null)).toEqual([]);
  },
  refreshGrant: async ({ store }) => {
    await aGrant(store);
    expect(await store.write.refreshGrant({ ...refresh, refreshHash: 'another' })).toEqual({
      ok: false,
      why: 'unknown',
    });
    expect(await store.write.refreshGrant(refresh)).toEqual({ ok: true, scope: 'userinfo' });
    expect(await store.read.accessToken('token')).toMatchObject({ expiresAt: at + 10 });
    expect(await store.read.accessToken('token-2')).toMatchObject({ expiresAt: at + dayMs });
    // Its answer was lost: it is answered as before.
    const lost = { ...refresh, at: at + 2, tokenHash: 'token-3' };
    expect(await store.write.refreshGrant(lost)).toEqual({ ok: true, scope: 'userinfo' });
    // Later somebody else has it: what was allowed has ended.
    expect(await store.write.refreshGrant({ ...lost, lostAfter: at + 2 })).toEqual({ ok: false, why: 'reused' });
    expect(await store.read.accessToken('token-3')).toBeNull();
  },
  revokeGrant: async ({ store }) => {
    await aGrant(store);
    await store.write.giveConsent({ clientId, userName: 'mei', scope: 'userinfo', at });
    const { id } = (await store.read.grants('mei'))[0]!;
    expect(await store.write.revokeGrant({ id })).toBe(true);
    expect(await store.write.revokeGrant({ id })).toBe(false);
    expect(await store.read.accessToken('token')).toBeNull();
    expect(await store.read.consent(clientId, 'mei')).toBeNull();
  },
  retireSessions: async ({ store }) => {
    await mei(store);
    await store.write.openSession(session);
    await store.write.openSession({ ...session, idHash: 's-2', endsAt: at + 2 * dayMs });
    await store.write.retireSessions({ at: at + dayMs });
    expect((await store.read.sessions('mei')).map(({ idHash }) => idHash)).toEqual(['s-2']);
  },
  retireGrants: async ({ store }) => {
    await aGrant(store);
    await store.write.retireGrants({ at: at + dayMs, codesBefore: at, grantsUsedBefore: at - 1 });
    expect(await store.read.accessToken('token')).toBeNull();
    expect(await store.write.redeemCode(redemption)).toEqual({ ok: false, why: 'unknown' });
    expect(await store.read.grants('mei')).toHaveLength(1);
    await store.write.retireGrants({ at: at + dayMs, codesBefore: at, grantsUsedBefore: at });
    expect(await store.read.grants('mei')).toEqual([]);
  },
};
