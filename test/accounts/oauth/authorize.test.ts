import { expect, test } from 'vitest';
import { knownCookie } from '../../../src/accounts/known-browsers.ts';
import { oauthCookie } from '../../../src/accounts/oauth/authorize.ts';
import { anAccountBox, authorizePath, Browser, canteen, gym, hiddenFields, mei } from '../../support/accounts.ts';

const codeOf = (answer: URLSearchParams): string => answer.get('code') ?? '';

test('a person logs in, consents once, and returns with a code, the unchanged state, and the issuer', async () => {
  await using box = await anAccountBox();
  const browser = new Browser(box.url);
  const login = await browser.open(authorizePath());
  expect(login.status).toBe(200);
  expect(login.text).toContain('Sign in to continue to Canteen');
  const asked = await browser.send(login, mei);
  expect(asked.text).toContain('Canteen wants to read your name and picture');
  expect(asked.text).toContain('Signed in as mei');
  const done = await browser.send(asked, { decision: 'allow' });
  expect(done.status).toBe(303);
  expect(done.location).toMatch(/^https:\/\/canteen\.example\/cb\?/);
  expect(Object.fromEntries(new URL(done.location).searchParams)).toEqual({
    code: expect.stringMatching(/^[\w-]{43}$/),
    state: 'a state & more',
    iss: box.url,
  });
  const again = await browser.open(authorizePath());
  expect([again.status, codeOf(new URL(again.location).searchParams)]).toEqual([
    302,
    expect.stringMatching(/^[\w-]{43}$/),
  ]);
});

test('a password is asked for over TLS alone: the browser is sent on there, and the application hears of the box as it knows it', async () => {
  await using box = await anAccountBox();
  const asked = await fetch(box.url + authorizePath(), { redirect: 'manual' });
  expect([asked.status, new URL(asked.headers.get('location')!).origin]).toEqual([307, box.tlsUrl]);
  expect(asked.headers.getSetCookie()).toEqual([]);
  for (const path of ['/oauth/login', '/oauth/consent', '/oauth/cloud']) {
    const form = new URLSearchParams({ ...mei, go_on: authorizePath().slice('/oauth/authorize'.length) });
    const refused = await fetch(box.url + path, { method: 'POST', body: form, redirect: 'manual' });
    expect([path, refused.status, refused.headers.getSetCookie()]).toEqual([path, 403, []]);
    expect(await refused.text()).toContain('require an encrypted connection');
  }
  const issuer = async (start: string) => (await new Browser(start).allow(authorizePath())).get('iss');
  expect(await issuer(box.url)).toBe(box.url);
  expect(await issuer(box.tlsUrl)).toBe(box.tlsUrl);
  const other = { came_from: 'http://evil.example' };
  expect((await new Browser(box.tlsUrl).allow(authorizePath(other))).get('iss')).toBe(box.tlsUrl);
});

test('where the listener with TLS is off nobody signs in, and the page says why', async () => {
  await using box = await anAccountBox(undefined, null, { tls: 'off' });
  const page = await new Browser(box.url).open(authorizePath());
  expect([page.status, page.location]).toEqual([403, '']);
  expect(page.text).toContain('require an encrypted connection');
  expect(page.text).not.toContain('type="password"');
});

test('its cookies are sent over TLS alone, to this host alone, to no script, and not from other pages', async () => {
  await using box = await anAccountBox();
  const browser = new Browser(box.tlsUrl);
  const login = await browser.open(authorizePath());
  const rules =
    /^__Host-gatehouse-\w+=[\w-]{43};(?=.* Path=\/;?)(?!.*Domain)(?=.*HttpOnly)(?=.*Secure)(?=.*SameSite=Lax)/;
  expect(login.headers.getSetCookie()).toEqual([expect.stringMatching(rules)]);
  await browser.send(login, mei);
  expect([...browser.cookies.keys()].toSorted()).toEqual([knownCookie, oauthCookie]);
});

test('the pages speak the language of the browser, else of the site', async () => {
  await using box = await anAccountBox();
  const of = async (language: string) =>
    (await new Browser(box.url).open(authorizePath(), { headers: { 'accept-language': language } })).text;
  expect(await of('zh-CN,zh;q=0.9')).toContain('<html lang="zh-CN">');
  expect(await of('zh-CN,zh;q=0.9')).toContain('登录后继续前往 Canteen');
  expect(await of('fr,en;q=0.5')).toContain('<html lang="en">');
  expect(await of('fr')).toContain('<html lang="en">');
});

test('a person who does not consent is sent back with access_denied', async () => {
  await using box = await anAccountBox();
  const browser = new Browser(box.url);
  const done = await browser.send(await browser.login(authorizePath()), { decision: 'deny' });
  expect(Object.fromEntries(new URL(done.location).searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'a state & more',
  });
  expect(done.location).not.toContain('code=');
  // Nothing was remembered: the next time is asked again.
  expect((await browser.open(authorizePath())).text).toContain('wants to read');
});

test.each([
  ['an unknown client', { client_id: 'nobody' }, 'Unknown client_id.'],
  ['no client', { client_id: null }, 'Unknown client_id.'],
  ['an address that is not registered', { redirect_uri: 'https://evil.example/cb' }, 'not registered'],
  ['an address with another path', { redirect_uri: `${canteen.redirect_uris[0]}/more` }, 'not registered'],
  ['an address with a query more', { redirect_uri: `${canteen.redirect_uris[0]}?more` }, 'not registered'],
  ['an address in other letters', { redirect_uri: 'https://CANTEEN.example/cb' }, 'not registered'],
  ['an address without TLS', { redirect_uri: 'http://canteen.example/cb' }, 'not registered'],
  ['an address with a user in front', { redirect_uri: 'https://canteen.example@evil.example/cb' }, 'not registered'],
  ['an address with a fragment', { redirect_uri: `${canteen.redirect_uris[0]}#x` }, 'not registered'],
  ['the address of another client', { redirect_uri: gym.redirect_uris[0]! }, 'not registered'],
  ['no address, where two are registered', { redirect_uri: null }, 'not registered'],
  ['a script', { redirect_uri: 'javascript:alert(1)' }, 'not registered'],
])('%s is said on a page, and nobody is redirected', async (_what, change, reason) => {
  await using box = await anAccountBox();
  for (const browser of [new Browser(box.url), await loggedIn(box.url)]) {
    const page = await browser.open(authorizePath(change));
    expect([page.status, page.location]).toEqual([400, '']);
    expect(page.text).toContain(reason);
  }
});

async function loggedIn(url: string, person?: typeof mei): Promise<Browser> {
  const browser = new Browser(url);
  await browser.login(authorizePath(), person);
  return browser;
}

test('a client or an address that is given twice is refused', async () => {
  await using box = await anAccountBox();
  const path = authorizePath();
  for (const more of ['&client_id=gym', `&redirect_uri=${encodeURIComponent('https://evil.example/cb')}`]) {
    const page = await new Browser(box.url).open(path + more);
    expect([page.status, page.location]).toEqual([400, '']);
  }
});

test.each([
  ['response_type is missing', { response_type: null }, '', 'invalid_request'],
  ['another response_type', { response_type: 'token' }, '', 'unsupported_response_type'],
  ['a parameter twice', {}, '&scope=read&scope=write', 'invalid_request'],
  ['PKCE in the clear', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, '', 'invalid_request'],
  ['PKCE without its method', { code_challenge: 'x'.repeat(43) }, '', 'invalid_request'],
  ['a challenge of another length', { code_challenge: 'x', code_challenge_method: 'S256' }, '', 'invalid_request'],
])('%s goes back to the client as an error', async (_what, change, more, error) => {
  await using box = await anAccountBox();
  const page = await new Browser(box.url).open(authorizePath(change) + more);
  expect(page.location).toMatch(/^https:\/\/canteen\.example\/cb\?/);
  expect(Object.fromEntries(new URL(page.location).searchParams)).toMatchObject({
    error,
    error_description: expect.any(String),
    state: 'a state & more',
  });
});

test('the port of an address of the own machine is free, as apps need it; nothing else of it is', async () => {
  await using box = await anAccountBox();
  const open = (redirectUri: string) =>
    new Browser(box.url).open(authorizePath({ client_id: 'gym', redirect_uri: redirectUri }));
  expect((await open('http://127.0.0.1:51234/back')).status).toBe(200);
  expect((await open('http://127.0.0.1:51234/other')).status).toBe(400);
  expect((await open('http://127.0.0.1.evil.example/back')).status).toBe(400);
  expect((await open('http://localhost:51234/back')).status).toBe(400);
});

test('a client with one address need not name it, and an address with a query keeps it', async () => {
  await using box = await anAccountBox();
  const alone = await new Browser(box.url).allow(authorizePath({ client_id: 'gym', redirect_uri: null }));
  expect(codeOf(alone)).not.toBe('');
  const answer = await new Browser(box.url).allow(authorizePath({ redirect_uri: canteen.redirect_uris[1]! }));
  expect(answer.get('x')).toBe('1');
});

test('a scope that there is not becomes read', async () => {
  await using box = await anAccountBox();
  expect(codeOf(await new Browser(box.url).allow(authorizePath({ scope: 'admin everything' })))).not.toBe('');
});

test('a wrong password, a person who is not there and one without a password get the same answer', async () => {
  await using box = await anAccountBox();
  const texts: string[] = [];
  for (const name of ['mei', 'nobody', 'nopassword']) {
    const browser = new Browser(box.url);
    const page = await browser.login(authorizePath(), { name, password: 'nobody' });
    expect(page.status).toBe(401);
    expect(browser.cookies.has(oauthCookie)).toBe(false);
    texts.push(page.text.replace(`value="${name}"`, '').replace(/name="mark" value="[^"]*"/, ''));
  }
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toContain('Wrong name or password.');
});

test('after five wrong passwords the next one has to wait a second; other people do not', async () => {
  await using box = await anAccountBox();
  const browser = new Browser(box.url);
  const login = (name: string, password: string) => browser.login(authorizePath(), { name, password });
  for (let turn = 0; turn < 5; turn++) expect((await login('mei', `guess ${turn}`)).status).toBe(401);
  const slowed = await login(mei.name, mei.password);
  expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '1']);
  expect(slowed.text).toContain('Too many attempts. Try again in 1 s.');
  expect((await login('wu', 'battery staple')).text).toContain('Signed in as wu');
  await box.clock.advance(1000);
  const fresh = new Browser(box.url);
  expect((await fresh.login(authorizePath())).text).toContain('Signed in as mei');
});

test('a browser that has signed in before passes, whatever strangers at the same address try', async () => {
  await using box = await anAccountBox();
  const known = await loggedIn(box.url);
  known.cookies.delete(oauthCookie);
  const stranger = new Browser(box.url);
  const wrong = { name: mei.name, password: 'a guess' };
  for (let turn = 0; turn < 8; turn++) await stranger.login(authorizePath(), wrong);
  expect((await stranger.login(authorizePath())).status).toBe(429);
  expect((await known.login(authorizePath())).text).toContain('Signed in as mei');
});

test('a login form counts only from a page of this box in this browser', async () => {
  await using box = await anAccountBox();
  const browser = new Browser(box.url);
  const page = await browser.open(authorizePath());
  const tries: [string, Browser, Record<string, string>, Record<string, string>][] = [
    ['a mark of another browser', new Browser(box.url), hiddenFields(page), {}],
    ['no mark', browser, { go_on: hiddenFields(page).go_on! }, {}],
    ['another origin', browser, hiddenFields(page), { origin: 'https://evil.example' }],
    ['an origin that hides', browser, hiddenFields(page), { origin: 'null' }],
    ['another site', browser, hiddenFields(page), { 'sec-fetch-site': 'cross-site' }],
  ];
  for (const [what, from, fields, headers] of tries) {
    const answer = await from.open('/oauth/login', { form: { ...fields, ...mei }, headers });
    expect([what, answer.status]).toEqual([what, 403]);
    expect(from.cookies.has(oauthCookie)).toBe(false);
  }
  expect((await browser.send(page, mei)).status).toBe(200);
});

test('a consent form counts only for the person and the request that it was made for', async () => {
  await using box = await anAccountBox();
  const browser = new Browser(box.url);
  const page = await browser.login(authorizePath());
  const fields = hiddenFields(page);
  const wu = new Browser(box.url);
  await wu.login(authorizePath(), { name: 'wu', password: 'battery staple' });
  const forGym = new URL(authorizePath({ client_id: 'gym', redirect_uri: gym.redirect_uris[0]! }), box.url).search;
  const tries: [string, Browser, Record<string, string>, Record<string, string>][] = [
    ["another person's form", wu, fields, {}],
    ['the form of another client', browser, { ...fields, go_on: forGym }, {}],
    ['no mark', browser, { go_on: fields.go_on! }, {}],
    ['another origin', browser, fields, { origin: 'https://evil.example' }],
  ];
  for (const [what, from, form, headers] of tries) {
    const answer = await from.open('/oauth/consent', { form: { ...form, decision: 'allow' }, headers });
    expect([what, answer.status, answer.location]).toEqual([what, 403, '']);
  }
  expect((await browser.send(page, { decision: 'allow' })).status).toBe(303);
});

test('a form that names a wrong address redirects nowhere either', async () => {
  await using box = await anAccountBox();
  const browser = new Browser(box.url);
  const page = await browser.login(authorizePath());
  const evil = new URL(authorizePath({ redirect_uri: 'https://evil.example/cb' }), box.url).search;
  for (const path of ['/oauth/login', '/oauth/consent']) {
    const answer = await browser.open(path, {
      form: { ...hiddenFields(page), ...mei, go_on: evil, decision: 'allow' },
    });
    expect([path, answer.status, answer.location]).toEqual([path, 400, '']);
  }
});

test('the pages run no script, stand in no frame, are not kept, and send forms to the box and the client alone', async () => {
  await using box = await anAccountBox();
  const page = await new Browser(box.url).open(authorizePath());
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("form-action 'self' https://canteen.example;");
  expect(policy).not.toContain('unsafe');
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.text).not.toContain('<script');
});

test('what comes from outside is written as text', async () => {
  const name = '<img src=x onerror=alert(1)>';
  await using box = await anAccountBox({ oauth_clients: [{ ...canteen, name }] });
  const page = await new Browser(box.url).open(`${authorizePath({ state: '"><script>' })}`);
  expect(page.text).not.toContain('<img src=x');
  expect(page.text).not.toContain('<script>');
});

test('the session is a new one at each login, for the box alone, and ends with the password, the person, a day unused or a week', async () => {
  await using box = await anAccountBox();
  const browser = new Browser(box.url);
  browser.cookies.set(oauthCookie, 'chosen-by-somebody');
  await browser.login(authorizePath());
  const id = browser.cookies.get(oauthCookie)!;
  expect(id).toMatch(/^[\w-]{43}$/);
  const isIn = async () => (await browser.open(authorizePath())).text.includes('Signed in as mei');
  expect(await isIn()).toBe(true);
  for (let day = 0; day < 6; day++) {
    await box.clock.advance(23 * 3600_000);
    expect(await isIn()).toBe(true);
  }
  await box.clock.advance(24 * 3600_000);
  expect(await isIn()).toBe(false);

  const other = await loggedIn(box.url);
  const { store } = box.opened;
  await store.write.applySite({
    site: {
      users: [{ name: 'mei', password_hash: '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAA', role: 'staff' }],
    },
    prune: false,
    dryRun: false,
    at: 0,
  });
  expect((await other.open(authorizePath())).text).not.toContain('Signed in as');
});
