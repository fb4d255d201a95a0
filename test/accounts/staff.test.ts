import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { hashPassword } from '../../src/accounts/index.ts';
import { Sessions } from '../../src/accounts/sessions.ts';
import { isFromHere, StaffAccess, staffCookie } from '../../src/accounts/staff/access.ts';
import { passwordProblem } from '../../src/accounts/staff/password-rule.ts';
import { makeSetupCode, SetupCode } from '../../src/accounts/staff/setup-code.ts';
import { newToken, tokenHash } from '../../src/accounts/tokens.ts';
import { countedHere } from '../../src/runtime/guess-windows.ts';
import { HandClock } from '../support/clock.ts';
import { lightHash } from '../support/hash-strength.ts';
import { applied, aStore } from '../support/store.ts';

const dayMs = 24 * 3600_000;

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly address?: string;
}

const asked = ({ method = 'GET', headers = {}, address = '::ffff:192.0.2.7' }: Asked): IncomingMessage =>
  ({ method, headers: { host: 'box:8443', ...headers }, socket: { remoteAddress: address } }) as never;

const here = { origin: 'https://box:8443' };

async function anAccess() {
  const opened = await aStore();
  const { store } = opened;
  await applied(store, {
    users: [{ name: 'mei', password_hash: await hashPassword('correct horse', lightHash), role: 'staff' }],
  });
  const clock = new HandClock();
  const sessions = new Sessions({ store, clock });
  const access = new StaffAccess({ store, clock, sessions });
  const signIn = async () => {
    const user = (await store.read.user('mei'))!;
    return `${staffCookie}=${await sessions.open(user, { purpose: 'staff', address: '192.0.2.7', agent: 'test' })}`;
  };
  return {
    store,
    dataDir: opened.dataDir,
    clock,
    access,
    signIn,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

test('a caller without credentials is nobody; another cookie is not a session', async () => {
  await using box = await anAccess();
  const nobody = { ok: false, why: 'nobody', address: '192.0.2.7' };
  expect(await box.access.identify(asked({}))).toEqual(nobody);
  expect(await box.access.identify(asked({ headers: { cookie: 'theme=dark; other=1' } }))).toEqual(nobody);
  expect(await box.access.identify(asked({ headers: { authorization: 'Basic bWVpOng=' } }))).toEqual(nobody);
  const made = { cookie: `${staffCookie}=${newToken()}` };
  expect(await box.access.identify(asked({ headers: made }))).toMatchObject({ ok: false, why: 'expired' });
});

test('a session has one purpose: that of an application opens no admin page, and the other way round', async () => {
  await using box = await anAccess();
  const { store, clock } = box;
  const sessions = new Sessions({ store, clock });
  const user = (await store.read.user('mei'))!;
  const from = { address: '192.0.2.7', agent: 'test' };
  const [forApplications, forStaff] = [
    await sessions.open(user, { purpose: 'oauth', ...from }),
    await sessions.open(user, { purpose: 'staff', ...from }),
  ];
  const brought = (id: string) => box.access.identify(asked({ headers: { cookie: `${staffCookie}=${id}` } }));
  expect(await brought(forApplications)).toMatchObject({ ok: false, why: 'expired' });
  expect(await brought(forStaff)).toMatchObject({ ok: true });
  expect(await sessions.find(forStaff, 'oauth')).toBeNull();
  expect(await sessions.find(forApplications, 'oauth')).toMatchObject({ purpose: 'oauth', user: { name: 'mei' } });
});

test('a person without a role is nobody to the admin API, from the moment the role is removed', async () => {
  await using box = await anAccess();
  const cookie = await box.signIn();
  expect(await box.access.identify(asked({ headers: { cookie } }))).toMatchObject({ ok: true });
  await box.store.write.putUser({ name: 'mei', role: 'none' });
  expect(await box.access.identify(asked({ headers: { cookie } }))).toMatchObject({ ok: false, why: 'expired' });
  await box.store.write.putUser({ name: 'mei', role: 'viewer' });
  expect(await box.access.identify(asked({ headers: { cookie } }))).toMatchObject({ caller: { role: 'viewer' } });
});

test('a removed person leaves nothing to a new one with the same name', async () => {
  await using box = await anAccess();
  const { store, clock } = box;
  const cookie = await box.signIn();
  const mei = (await store.read.user('mei'))!;
  await applied(store, {
    oauth_clients: [{ client_id: 'canteen', client_secret: 'x', redirect_uris: ['https://x.example'] }],
  });
  await store.write.giveConsent({ clientId: 'canteen', userName: 'mei', scope: 'read', at: clock.now() });
  await store.write.applySite({ site: { users: [] }, prune: true, dryRun: false, at: clock.now() });
  await store.write.putUser({ name: 'mei', role: 'admin', passwordHash: mei.passwordHash! });
  expect(await box.access.identify(asked({ headers: { cookie } }))).toMatchObject({ ok: false, why: 'expired' });
  expect(await store.read.consent('canteen', 'mei')).toBeNull();
});

test('a session identifies its person, and ends after a day unused or with a new password', async () => {
  await using box = await anAccess();
  const cookie = `theme=dark; ${await box.signIn()}; other=1`;
  expect(await box.access.identify(asked({ headers: { cookie } }))).toMatchObject({
    ok: true,
    caller: { actor: 'mei', role: 'staff', via: 'session', address: '192.0.2.7' },
  });
  await box.clock.advance(dayMs - 1000);
  expect(await box.access.identify(asked({ headers: { cookie } }))).toMatchObject({ ok: true });
  await box.clock.advance(dayMs + 1000);
  expect(await box.access.identify(asked({ headers: { cookie } }))).toMatchObject({ ok: false, why: 'expired' });
  const other = await box.signIn();
  await box.store.write.putUser({ name: 'mei', passwordHash: await hashPassword('battery staple', lightHash) });
  expect(await box.access.identify(asked({ headers: { cookie: other } }))).toMatchObject({ why: 'expired' });
});

test.each<[string, Record<string, string>, boolean]>([
  ['its own page', { ...here, 'sec-fetch-site': 'same-origin' }, true],
  ['its own page in a browser that says less', here, true],
  ['a page of another site', { origin: 'https://evil.example' }, false],
  ['the same name with another port', { origin: 'https://box:9443' }, false],
  ['the same host without TLS', { origin: 'http://box:8443' }, false],
  ['a sandboxed page', { origin: 'null' }, false],
  ['nobody who says where', {}, false],
  ['a sister site', { ...here, 'sec-fetch-site': 'same-site' }, false],
])('a change asked for by %s: trusted is %s', async (_, headers, trusted) => {
  await using box = await anAccess();
  const cookie = await box.signIn();
  const request = asked({ method: 'POST', headers: { ...headers, cookie } });
  expect(isFromHere(request)).toBe(trusted);
  const found = await box.access.identify(request);
  expect(found).toMatchObject(trusted ? { ok: true } : { ok: false, why: 'forged' });
  expect(await box.access.identify(asked({ headers: { ...headers, cookie } }))).toMatchObject({ ok: true });
});

test('a token needs no page, has its role, is seen when it is used, and ends on its day', async () => {
  await using box = await anAccess();
  const token = newToken();
  const at = box.clock.now();
  const row = { name: 'payroll', role: 'viewer', madeBy: 'mei', at } as const;
  await box.store.write.makeToken({ ...row, tokenHash: tokenHash(token), endsAt: at + dayMs });
  const request = asked({ method: 'POST', headers: { authorization: `Bearer ${token}` } });
  expect(await box.access.identify(request)).toMatchObject({
    ok: true,
    caller: { actor: 'token payroll', role: 'viewer', via: 'token' },
    session: null,
  });
  expect((await box.store.read.tokens())[0]!.usedAt).toBe(at);
  await box.clock.advance(dayMs);
  expect(await box.access.identify(request)).toMatchObject({ ok: false, why: 'expired' });
  const guessed = { authorization: `Bearer ${newToken()}` };
  expect(await box.access.identify(asked({ headers: guessed }))).toMatchObject({ ok: false, why: 'expired' });
});

test('a token ends with the account that made it, and has never more than its role', async () => {
  await using box = await anAccess();
  const { store, clock } = box;
  const at = clock.now();
  const make = async (madeBy: string) => {
    const token = newToken();
    await store.write.makeToken({
      name: 'wall',
      role: 'admin',
      madeBy,
      at,
      tokenHash: tokenHash(token),
      endsAt: at + dayMs,
    });
    return asked({ headers: { authorization: `Bearer ${token}` } });
  };
  const [ofMei, ofCommand] = [await make('mei'), await make('command')];
  expect(await box.access.identify(ofMei)).toMatchObject({ caller: { role: 'staff', account: 'mei' } });
  await store.write.putUser({ name: 'mei', role: 'viewer' });
  expect(await box.access.identify(ofMei)).toMatchObject({ caller: { role: 'viewer' } });
  await store.write.putUser({ name: 'mei', role: 'none' });
  expect(await box.access.identify(ofMei)).toMatchObject({ ok: false });
  await store.write.removeUser({ name: 'mei' });
  await store.write.putUser({ name: 'mei', role: 'admin', passwordHash: 'another person' });
  expect(await box.access.identify(ofMei)).toMatchObject({ ok: false });
  expect(await box.access.identify(ofCommand)).toMatchObject({ caller: { role: 'admin', account: 'command' } });
});

test('a person from the cloud gets no reserved name, and no role', async () => {
  await using box = await anAccess();
  const { store } = box;
  const admit = (openid: string, name: string) => store.write.admitCloudPerson({ openid, name, headimgurl: '' });
  expect(await admit('1', 'command')).toBe('cloud account command');
  expect(await admit('2', 'token wall')).toBe('cloud account token wall');
  expect(await admit('3', 'MEI')).toBe('MEI 2');
  expect(await admit('4', '\u202ewu\n')).toBe('wu');
  expect(await admit('4', 'another name')).toBe('wu');
  expect((await store.read.user('wu'))?.role).toBe('none');
});

test('a long response is checked again without extending the session: it ends with the session or with another role', async () => {
  await using box = await anAccess();
  const cookie = await box.signIn();
  const request = asked({ headers: { cookie } });
  const found = await box.access.identify(request);
  if (!found.ok) throw new Error('signed in a moment ago');
  for (let hour = 0; hour < 23; hour++) {
    await box.clock.advance(3600_000);
    expect(await box.access.isStill(request, found.caller)).toBe(true);
  }
  await box.store.write.putUser({ name: 'mei', role: 'viewer' });
  expect(await box.access.isStill(request, found.caller)).toBe(false);
  await box.store.write.putUser({ name: 'mei', role: 'staff' });
  expect(await box.access.isStill(request, found.caller)).toBe(true);
  await box.clock.advance(3600_000);
  expect(await box.access.isStill(request, found.caller)).toBe(false);
});

test('the setup code is new at each start, read as people write it, and the right one works in the end whoever guesses', async () => {
  const clock = new HandClock();
  const code = new SetupCode(clock, makeSetupCode(), countedHere);
  const [here, elsewhere] = ['192.0.2.7', '192.0.2.8'];
  expect(code.text).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/);
  expect(new SetupCode(clock, makeSetupCode(), countedHere).text).not.toBe(code.text);
  expect(await code.check(code.text.toLowerCase(), here)).toBe('right');
  expect(await code.check(` ${code.text.replace('-', '')} `, here)).toBe('right');
  expect(await code.check(code.text.replace('-', ' '), here)).toBe('right');
  for (let guess = 0; guess < 10; guess++) expect(await code.check('AAAA-AAAA', here)).toBe('wrong');
  expect(await code.check(code.text, here)).toBe(1);
  expect(await code.check(code.text, elsewhere)).toBe('right');
  let looked = 0;
  for (let second = 0; second < 600; second++) {
    await clock.advance(1000);
    if ((await code.check('AAAA-AAAA', here)) === 'wrong') looked++;
  }
  expect(looked).toBeLessThan(70);
  await clock.advance(10_000);
  expect(await code.check(code.text, here)).toBe('right');
});

test.each<[string, string, string | null]>([
  ['short', 'mei', 'short'],
  ['1234567', 'mei', 'short'],
  // Characters are counted, not units of UTF-16.
  ['🔑🚪🏭📦🧰🪛🔧', 'mei', 'short'],
  ['一二三四五六七八九十', 'mei', null],
  ['Password123', 'mei', 'guessed'],
  ['QWERTY12345', 'mei', 'guessed'],
  ['abababababab', 'mei', 'guessed'],
  ['P@ssw0rd!2026', 'mei', 'guessed'],
  ['woaini1314520', 'mei', 'guessed'],
  ['kaoqinmenjin', 'mei', 'guessed'],
  ['zhangwei1990', 'mei', 'guessed'],
  // What the box and its site are called is known to whoever guesses.
  ['gatehouse123', 'mei', 'guessed'],
  ['HarbourMill4!', 'mei', 'guessed'],
  ['wanghong-2026', 'wanghong', 'name'],
  ['I am WangHong!', 'wanghong', 'name'],
  // A short name stands in many good passwords.
  ['lime and lemon', 'li', null],
  ['correct horse battery', '', null],
  ['x'.repeat(99) + 'yzab'.repeat(26), 'mei', 'long'],
])('the password %s of %s: %s', async (password, name, problem) => {
  expect(await passwordProblem(password, name, 'Harbour Mill 4')).toBe(problem);
});
