import { expect, test } from 'vitest';
import { oauthCookie } from '../../../src/accounts/oauth/authorize.ts';
import {
  type AccountBox,
  accountSite,
  anAccountBox,
  authorizePath,
  Browser,
  hiddenFields,
  mei,
} from '../../support/accounts.ts';

const ofBox = { client_id: 'box', client_secret: 's3cret of the box' };

/**
 * A cloud (the OAuth server of another box), and a box whose people may sign in there over a line
 * that can be cut.
 */
async function aPair() {
  await using parts = new AsyncDisposableStack();
  const line = { isUp: true };
  const there: { box?: AccountBox } = {};
  const box = parts.use(
    await anAccountBox(accountSite, {
      get url() {
        return there.box!.url;
      },
      clientId: ofBox.client_id,
      clientSecret: ofBox.client_secret,
      async call(path, { method, headers, signal }) {
        if (!line.isUp) throw new Error('connect ECONNREFUSED');
        const answer = await fetch(`${there.box!.url}${path}`, {
          method,
          redirect: 'manual',
          signal,
          ...(headers ? { headers } : {}),
        });
        return { status: answer.status, body: await answer.text() };
      },
    }),
  );
  there.box = parts.use(
    await anAccountBox({
      ...accountSite,
      oauth_clients: [{ ...ofBox, redirect_uris: [`${box.tlsUrl}/oauth/cloud/callback`] }],
    }),
  );
  const owned = parts.move();
  return { box, cloud: there.box, line, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Up to the address of the cloud to which the browser is sent. */
async function toCloud(browser: Browser) {
  const login = await browser.open(authorizePath());
  return browser.open('/oauth/cloud', { form: { ...hiddenFields(login), name: '', password: '' } });
}

test('somebody signs in with the account of the cloud and goes on to the application as a person of the box', async () => {
  await using pair = await aPair();
  const browser = new Browser(pair.box.url);
  for (const turn of [1, 2]) {
    const sent = await toCloud(browser);
    expect([sent.status, new URL(sent.location).origin]).toEqual([303, pair.cloud.url]);
    const atCloud = new URL(sent.location);
    const back = await new Browser(pair.cloud.url).allow(`${atCloud.pathname}${atCloud.search}`);
    const asked = await browser.open(`/oauth/cloud/callback?${back}`);
    // "mei" of the box is somebody else.
    expect(asked.text || asked.location, String(turn)).toContain(turn === 1 ? 'Signed in as mei 2' : 'code=');
    if (turn === 1) {
      const done = await browser.send(asked, { decision: 'allow' });
      expect(new URL(done.location).searchParams.get('code')).toMatch(/^[\w-]{43}$/);
    }
    browser.cookies.delete(oauthCookie);
  }
  expect(await pair.box.opened.store.read.user('mei 2')).toEqual({
    name: 'mei 2',
    passwordHash: null,
    role: 'none',
    headimgurl: mei.headimgurl,
  });
  expect(await pair.box.opened.store.read.user('mei 3')).toBeNull();
});

test('with the line cut the page says so, and the people of the box sign in as ever', async () => {
  await using pair = await aPair();
  pair.line.isUp = false;
  const browser = new Browser(pair.box.url);
  const page = await toCloud(browser);
  expect(page.status).toBe(200);
  expect(page.text).toContain('The cloud is offline.');
  expect((await browser.send(page, mei)).text).toContain('Signed in as mei');
});

test('who comes back from the cloud must be the browser that went there, once, and in time', async () => {
  await using pair = await aPair();
  const browser = new Browser(pair.box.url);
  const answer = async () => {
    const atCloud = new URL((await toCloud(browser)).location);
    return (await new Browser(pair.cloud.url).allow(`${atCloud.pathname}${atCloud.search}`)).toString();
  };
  const refused = async (who: Browser, query: string) => {
    const page = await who.open(`/oauth/cloud/callback?${query}`);
    expect([page.status, page.location]).toEqual([403, '']);
    expect(who.cookies.has(oauthCookie)).toBe(false);
  };
  await refused(new Browser(pair.box.url), await answer());
  await refused(browser, 'code=guess&state=guess');
  const late = await answer();
  await pair.box.clock.advance(11 * 60_000);
  await refused(browser, late);
  const wrongCode = new URLSearchParams(await answer());
  wrongCode.set('code', 'guess');
  await refused(browser, wrongCode.toString());
  const denied = new URLSearchParams(await answer());
  denied.delete('code');
  denied.set('error', 'access_denied');
  await refused(browser, denied.toString());
});

test('the button counts only from a page of this box, and is not there without a cloud', async () => {
  await using pair = await aPair();
  const page = await new Browser(pair.box.url).open(authorizePath());
  expect(page.text).toContain('Sign in with a cloud account');
  expect(page.headers.get('content-security-policy')).toContain(
    `form-action 'self' https://canteen.example ${pair.cloud.url};`,
  );
  const forged = await new Browser(pair.box.url).open('/oauth/cloud', { form: hiddenFields(page) });
  expect([forged.status, forged.location]).toEqual([403, '']);
  await using alone = await anAccountBox();
  expect((await new Browser(alone.url).open(authorizePath())).text).not.toContain('cloud account');
  expect((await new Browser(alone.url).open('/oauth/cloud/callback?code=x&state=y')).status).toBe(403);
});
