import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { oauthCookie } from '../../../src/accounts/oauth/authorize.ts';
import {
  type AccountBox,
  accountSite,
  anAccountBox,
  authorizePath,
  Browser,
  canteen,
  gym,
  mei,
} from '../../support/accounts.ts';

const secrets = { client_id: canteen.client_id, client_secret: canteen.client_secret };

interface ReadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, string | number>;
}

async function answerOf(answer: Response): Promise<ReadAnswer> {
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as ReadAnswer['body'] };
}

const byForm = async (box: AccountBox, form: Record<string, string>, headers: Record<string, string> = {}) =>
  answerOf(await fetch(`${box.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form), headers }));
const userInfo = async (box: AccountBox, token: unknown) =>
  answerOf(await fetch(`${box.url}/api/getUserInfo`, { headers: { authorization: `Bearer ${token}` } }));

const codeFor = async (box: AccountBox, change: Record<string, string | null> = {}, person?: typeof mei) =>
  (await new Browser(box.url).allow(authorizePath(change), person)).get('code')!;
const redeem = (code: string, change: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  code,
  ...secrets,
  redirect_uri: (change.client_id === gym.client_id ? gym : canteen).redirect_uris[0]!,
  ...change,
});
const refresh = (token: unknown, change: Record<string, string> = {}) => ({
  grant_type: 'refresh_token',
  refresh_token: String(token),
  ...secrets,
  ...change,
});

const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const basic = `Basic ${Buffer.from(`${canteen.client_id}:${encodeURIComponent(canteen.client_secret)}`).toString('base64')}`;
const grant = (code: string) =>
  new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: canteen.redirect_uris[0]! });

test.each<[string, (url: string, code: string) => Promise<Response>]>([
  ['GET with everything in the query (SPEC 4.6)', (url, code) => fetch(`${url}?${new URLSearchParams(redeem(code))}`)],
  [
    'POST with everything in the query',
    (url, code) => fetch(`${url}?${new URLSearchParams(redeem(code))}`, { method: 'POST' }),
  ],
  [
    'POST with everything in the query and an empty array of PHP',
    (url, code) =>
      fetch(`${url}?${new URLSearchParams(redeem(code))}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '[]',
      }),
  ],
  ['POST with a form', (url, code) => fetch(url, { method: 'POST', body: new URLSearchParams(redeem(code)) })],
  [
    'POST with JSON',
    (url, code) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(redeem(code)),
      }),
  ],
  [
    'HTTP Basic and a form',
    (url, code) => fetch(url, { method: 'POST', headers: { authorization: basic }, body: grant(code) }),
  ],
  ['HTTP Basic and a query', (url, code) => fetch(`${url}?${grant(code)}`, { headers: { authorization: basic } })],
])('a code is redeemed by %s', async (_how, send) => {
  await using box = await anAccountBox();
  const { status, headers, body } = await answerOf(await send(`${box.url}/oauth/token`, await codeFor(box)));
  expect(status).toBe(200);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: 'bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^[\w-]{43}$/),
    scope: 'read',
  });
  expect(headers.get('cache-control')).toBe('no-store');
  expect((await userInfo(box, body.access_token)).body).toMatchObject({ name: 'mei', headimgurl: mei.headimgurl });
});

test('a code works once; the second use is refused and revokes what the first one made', async () => {
  await using box = await anAccountBox();
  const code = await codeFor(box);
  const { body } = await byForm(box, redeem(code));
  expect((await userInfo(box, body.access_token)).status).toBe(200);
  expect(await byForm(box, redeem(code))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect((await userInfo(box, body.access_token)).status).toBe(401);
  expect(await byForm(box, refresh(body.refresh_token))).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
});

test('a code that was used is known as such until long after it has died', async () => {
  await using box = await anAccountBox();
  const code = await codeFor(box);
  const { body } = await byForm(box, redeem(code));
  await box.clock.advance(20 * 60_000);
  await box.accounts.retire();
  await byForm(box, redeem(code));
  expect((await userInfo(box, body.access_token)).status).toBe(401);
});

test('a code lives ten minutes', async () => {
  await using box = await anAccountBox();
  const [early, late] = [await codeFor(box), await codeFor(box)];
  await box.clock.advance(10 * 60_000 - 1);
  expect((await byForm(box, redeem(early))).status).toBe(200);
  await box.clock.advance(1);
  expect(await byForm(box, redeem(late))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('a code of another client is refused, and stays good for its own', async () => {
  await using box = await anAccountBox();
  const code = await codeFor(box);
  const stolen = { client_id: gym.client_id, client_secret: gym.client_secret };
  expect(await byForm(box, redeem(code, stolen))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect((await byForm(box, redeem(code))).status).toBe(200);
});

test('redirect_uri is that of the request, and may be left out, also where several are registered (SPEC 4.6)', async () => {
  await using box = await anAccountBox();
  const other = redeem(await codeFor(box), { redirect_uri: canteen.redirect_uris[1]! });
  expect(await byForm(box, other)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  const code = await codeFor(box);
  // An empty parameter counts as missing.
  const without = redeem(code, { redirect_uri: '' });
  expect((await byForm(box, without)).status).toBe(200);

  const atGym = { client_id: gym.client_id, redirect_uri: gym.redirect_uris[0]! };
  const gymCode = await codeFor(box, atGym);
  const gymSecrets = { client_id: gym.client_id, client_secret: gym.client_secret, redirect_uri: '' };
  expect((await byForm(box, redeem(gymCode, gymSecrets))).status).toBe(200);

  const tied = await codeFor(box, { code_challenge: challenge, code_challenge_method: 'S256' });
  expect((await byForm(box, redeem(tied, { code_verifier: verifier, redirect_uri: '' }))).status).toBe(200);
});

test('a client whose setting wants redirect_uri repeats it in the token call (RFC 6749 4.1.3)', async () => {
  const strict = { ...canteen, needs_redirect_uri: true };
  await using box = await anAccountBox({ ...accountSite, oauth_clients: [strict, gym] });
  const without = redeem(await codeFor(box), { redirect_uri: '' });
  expect(await byForm(box, without)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect((await byForm(box, redeem(await codeFor(box)))).status).toBe(200);
});

test('with PKCE only the right verifier redeems the code; without it a verifier is refused', async () => {
  await using box = await anAccountBox();
  const asked = { code_challenge: challenge, code_challenge_method: 'S256' };
  for (const wrong of [{}, { code_verifier: 'w'.repeat(43) }, { code_verifier: challenge }])
    expect(await byForm(box, redeem(await codeFor(box, asked), wrong as never))).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  expect((await byForm(box, redeem(await codeFor(box, asked), { code_verifier: verifier }))).status).toBe(200);
  // A downgrade: the challenge was taken out of the request on its way.
  expect((await byForm(box, redeem(await codeFor(box), { code_verifier: verifier }))).status).toBe(400);
});

test.each<[string, Record<string, string>, number, string]>([
  ['no grant_type', { ...secrets, code: 'x' }, 400, 'invalid_request'],
  ['another grant_type', { ...secrets, grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ['no code', { ...secrets, grant_type: 'authorization_code' }, 400, 'invalid_request'],
  ['an empty code', { ...secrets, grant_type: 'authorization_code', code: '' }, 400, 'invalid_request'],
  ['a code that nobody has', redeem('guess'), 400, 'invalid_grant'],
  ['no refresh_token', { ...secrets, grant_type: 'refresh_token' }, 400, 'invalid_request'],
  ['a refresh_token that nobody has', refresh('guess'), 400, 'invalid_grant'],
  ['no client', { grant_type: 'authorization_code', code: 'x' }, 400, 'invalid_request'],
  ['an unknown client', redeem('x', { client_id: 'nobody' }), 401, 'invalid_client'],
  ['a wrong secret', redeem('x', { client_secret: 'guess' }), 401, 'invalid_client'],
])('%s is refused', async (_what, form, status, error) => {
  await using box = await anAccountBox();
  const answer = await byForm(box, form);
  expect(answer).toMatchObject({ status, body: { error, error_description: expect.any(String) } });
  expect(JSON.stringify(answer.body)).not.toContain(canteen.client_secret);
});

test('a client may identify itself by HTTP Basic, but not in two ways at once', async () => {
  await using box = await anAccountBox();
  const wrong = `Basic ${Buffer.from('canteen:guess').toString('base64')}`;
  const refused = await byForm(box, { grant_type: 'refresh_token', refresh_token: 'x' }, { authorization: wrong });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="gatehouse"']);
  expect(await byForm(box, refresh('x'), { authorization: basic })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
});

test('a parameter that is there twice with different values is refused', async () => {
  await using box = await anAccountBox();
  const answer = await fetch(`${box.url}/oauth/token?code=one`, {
    method: 'POST',
    body: new URLSearchParams(redeem('two')),
  });
  expect(await answerOf(answer)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});

test('after twenty wrong secrets of a client its address has to wait, and no other client there', async () => {
  await using box = await anAccountBox();
  for (let turn = 0; turn < 20; turn++)
    expect((await byForm(box, redeem('x', { client_secret: `guess ${turn}` }))).status).toBe(401);
  const slowed = await byForm(box, redeem('x'));
  expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '1']);
  const neighbour = { client_id: gym.client_id, client_secret: gym.client_secret };
  expect((await byForm(box, redeem('x', neighbour))).status).toBe(400);
  await box.clock.advance(1000);
  expect((await byForm(box, redeem('x'))).status).toBe(400);
  // The right secret has forgotten the wrong ones.
  expect((await byForm(box, redeem('x', { client_secret: 'guess' }))).status).toBe(401);
});

test('a refresh keeps the refresh token, gives thirty days, and lets the earlier token live five minutes more', async () => {
  await using box = await anAccountBox();
  const first = (await byForm(box, redeem(await codeFor(box)))).body;
  const second = (await byForm(box, refresh(first.refresh_token))).body;
  expect(second).toMatchObject({ expires_in: 2_592_000, refresh_token: first.refresh_token, token_type: 'bearer' });
  expect((await userInfo(box, first.access_token)).status).toBe(200);
  await box.clock.advance(5 * 60_000);
  expect((await userInfo(box, first.access_token)).status).toBe(401);
  await box.clock.advance(29 * 24 * 3600_000);
  expect((await userInfo(box, second.access_token)).status).toBe(200);
  await box.clock.advance(24 * 3600_000);
  expect(await userInfo(box, second.access_token)).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
  expect((await byForm(box, refresh(first.refresh_token))).status).toBe(200);
});

test('a refresh lets no earlier token live longer than it would have', async () => {
  await using box = await anAccountBox();
  const first = (await byForm(box, redeem(await codeFor(box)))).body;
  await box.clock.advance(58 * 60_000);
  expect((await byForm(box, refresh(first.refresh_token))).status).toBe(200);
  expect((await userInfo(box, first.access_token)).status).toBe(200);
  await box.clock.advance(2 * 60_000);
  expect((await userInfo(box, first.access_token)).status).toBe(401);
});

/** An app that can keep no secret. */
const kiosk = { client_id: 'kiosk', public: true, redirect_uris: ['https://kiosk.example/cb'] };
const aKioskBox = () => anAccountBox({ ...accountSite, oauth_clients: [canteen, gym, kiosk] });
const atKiosk = { client_id: kiosk.client_id, redirect_uri: kiosk.redirect_uris[0]! };
const tiedToKiosk = { ...atKiosk, code_challenge: challenge, code_challenge_method: 'S256' };
const redeemAtKiosk = (code: string, change: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  code,
  ...atKiosk,
  code_verifier: verifier,
  ...change,
});
const refreshAtKiosk = (token: unknown) => ({
  grant_type: 'refresh_token',
  client_id: kiosk.client_id,
  refresh_token: String(token),
});

test('a public client has no secret, and has to use PKCE', async () => {
  await using box = await aKioskBox();
  const without = await new Browser(box.url).open(authorizePath(atKiosk));
  expect(without.location).toContain('error=invalid_request');
  expect(new URL(without.location).searchParams.get('error_description')).toContain('PKCE with S256 is required');
  const code = await codeFor(box, tiedToKiosk);
  for (const wrong of [{ code_verifier: '' }, { code_verifier: 'w'.repeat(43) }])
    expect(await byForm(box, redeemAtKiosk(code, wrong))).toMatchObject({ body: { error: 'invalid_grant' } });
  expect(await byForm(box, redeemAtKiosk(code, { code_verifier: 'short' }))).toMatchObject({
    body: { error: 'invalid_request' },
  });
  expect(await byForm(box, redeemAtKiosk(code, { client_secret: 'made up' }))).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  });
  const { status, body } = await byForm(box, redeemAtKiosk(code));
  expect(status).toBe(200);
  expect((await userInfo(box, body.access_token)).body).toMatchObject({ name: 'mei' });
  // A client with a secret is not let in without it.
  const { client_secret: _, ...bare } = redeem(await codeFor(box));
  expect(await byForm(box, bare)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
});

test('a refresh token of a public client works once; a later second use revokes the grant', async () => {
  await using box = await aKioskBox();
  const first = (await byForm(box, redeemAtKiosk(await codeFor(box, tiedToKiosk)))).body;
  const second = (await byForm(box, refreshAtKiosk(first.refresh_token))).body;
  expect(second.refresh_token).toMatch(/^[0-9a-f]{64}$/);
  // The answer was lost on its way: the same one comes again.
  await box.clock.advance(59_000);
  const again = (await byForm(box, refreshAtKiosk(first.refresh_token))).body;
  expect(again.refresh_token).toBe(second.refresh_token);
  const third = (await byForm(box, refreshAtKiosk(second.refresh_token))).body;
  expect(third.refresh_token).not.toBe(second.refresh_token);
  // Used already, and so was what came after it: two have it.
  expect(await byForm(box, refreshAtKiosk(first.refresh_token))).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant', error_description: expect.stringContaining('used before') },
  });
  for (const { access_token: token } of [again, third]) expect((await userInfo(box, token)).status).toBe(401);
  expect((await byForm(box, refreshAtKiosk(third.refresh_token))).status).toBe(400);
});

test('a lost answer is repeated for a minute', async () => {
  await using box = await aKioskBox();
  const first = (await byForm(box, redeemAtKiosk(await codeFor(box, tiedToKiosk)))).body;
  const second = (await byForm(box, refreshAtKiosk(first.refresh_token))).body;
  await box.clock.advance(60_000);
  expect((await byForm(box, refreshAtKiosk(first.refresh_token))).status).toBe(400);
  expect((await byForm(box, refreshAtKiosk(second.refresh_token))).status).toBe(400);
});

test('a refresh token works only for its client, and expires after 180 days without use', async () => {
  await using box = await anAccountBox();
  const { refresh_token: token } = (await byForm(box, redeem(await codeFor(box)))).body;
  const other = { client_id: gym.client_id, client_secret: gym.client_secret };
  expect((await byForm(box, refresh(token, other))).status).toBe(400);
  await box.clock.advance(180 * 24 * 3600_000);
  expect((await byForm(box, refresh(token))).status).toBe(400);
});

test('user info takes the token in the header or in the query, not in both, and explains refusals', async () => {
  await using box = await anAccountBox();
  const { access_token: token } = (await byForm(box, redeem(await codeFor(box)))).body;
  const url = `${box.url}/api/getUserInfo`;
  expect((await fetch(`${url}?access_token=${token}`)).status).toBe(200);
  const both = await fetch(`${url}?access_token=${token}`, { headers: { authorization: `Bearer ${token}` } });
  expect(both.status).toBe(400);
  const none = await fetch(url);
  expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="gatehouse"']);
  const wrong = await userInfo(box, 'guess');
  expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
  expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
});

test('an openid is one person at one client: the same at every login, another at another client', async () => {
  await using box = await anAccountBox();
  const openid = async (change: Record<string, string>, form: Record<string, string>, person = mei) => {
    const { body } = await byForm(box, redeem(await codeFor(box, change, person), form));
    return (await userInfo(box, body.access_token)).body.openid;
  };
  const atGym = [
    { client_id: 'gym', redirect_uri: gym.redirect_uris[0]! },
    { client_id: gym.client_id, client_secret: gym.client_secret },
  ] as const;
  const one = await openid({}, {});
  expect(await openid({}, {})).toBe(one);
  expect(await openid(...atGym)).not.toBe(one);
  expect(await openid({}, {}, { ...mei, name: 'wu', password: 'battery staple' })).not.toBe(one);
});

test('what a person has allowed is listed and can be revoked: tokens end, and the next time is asked again', async () => {
  await using box = await anAccountBox();
  const { store } = box.opened;
  const { body } = await byForm(box, redeem(await codeFor(box)));
  const [held] = await store.read.grants('mei');
  expect(held).toMatchObject({ clientId: 'canteen', userName: 'mei', scope: 'read' });
  expect(await store.write.revokeGrant({ id: held!.id })).toBe(true);
  expect((await userInfo(box, body.access_token)).status).toBe(401);
  expect((await byForm(box, refresh(body.refresh_token))).status).toBe(400);
  const browser = new Browser(box.url);
  expect((await browser.login(authorizePath())).text).toContain('wants to read');
});

test('removing the person or the client removes their grants and tokens', async () => {
  await using box = await anAccountBox();
  const { store } = box.opened;
  const { body } = await byForm(box, redeem(await codeFor(box)));
  await store.write.applySite({ site: { users: [] }, prune: true, dryRun: false, at: 0 });
  expect((await userInfo(box, body.access_token)).status).toBe(401);
  await box.accounts.retire();
  expect(await store.read.grants(null)).toEqual([]);
});

test('the store holds no code, no token and no session id, only what they hash to', async () => {
  await using box = await anAccountBox();
  const browser = new Browser(box.url);
  const code = (await browser.allow(authorizePath())).get('code')!;
  const { body } = await byForm(box, redeem(code));
  const held = [code, body.access_token, body.refresh_token, browser.cookies.get(oauthCookie)!].map(String);
  for (const name of ['gatehouse.db', 'gatehouse.db-wal']) {
    const bytes = readFileSync(join(box.opened.dataDir, name));
    for (const one of [...held, canteen.client_secret]) expect(bytes.includes(one)).toBe(false);
  }
});
