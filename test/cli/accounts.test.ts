import { afterAll, beforeAll, expect, test } from 'vitest';
import { authorizePath, Browser, canteen, mei } from '../support/accounts.ts';
import { aBox, type LocalBox } from '../support/box.ts';

let box: LocalBox;
let url: string;
beforeAll(async () => {
  box = await aBox(
    { listen: { http: '127.0.0.1:0' } },
    { oauth_clients: [canteen], users: [mei, { name: 'wu', password: 'battery staple', role: 'viewer' }] },
  );
  url = `http://${box.addresses.http}`;
});
afterAll(() => box?.[Symbol.asyncDispose]());

async function tokens() {
  const code = (await new Browser(url).allow(authorizePath())).get('code')!;
  const { client_id, client_secret } = canteen;
  const [redirect_uri] = canteen.redirect_uris as [string];
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri }),
  });
  return (await answer.json()) as { access_token: string };
}
const isKnown = async (token: string) =>
  (await fetch(`${url}/api/getUserInfo`, { headers: { authorization: `Bearer ${token}` } })).status === 200;

test('what somebody has allowed an application is listed, and ended', async () => {
  const { access_token: token } = await tokens();
  expect(await isKnown(token)).toBe(true);
  const { grants } = JSON.parse(await box.ask('accounts', 'grants', 'mei', '--json'));
  expect(grants).toMatchObject([{ user: 'mei', client_id: 'canteen', scope: 'read' }]);
  expect(await box.ask('accounts', 'grants')).toMatch(/^#\d+ {2}mei allowed canteen \(read\), last used /);
  expect(await box.ask('accounts', 'grants', 'wu')).toBe('nobody has allowed anything\n');
  await box.ask('accounts', 'revoke', String(grants[0].id));
  expect(await isKnown(token)).toBe(false);
  const again = await box.run('accounts', 'revoke', String(grants[0].id));
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('no such grant')]);
});

test('the browsers of a person are listed, and logged out', async () => {
  const browser = new Browser(url);
  await browser.login(authorizePath());
  expect(await box.ask('accounts', 'sessions', 'mei')).toMatch(/^127\.0\.0\.1 {2}since .*, last seen .*: /m);
  expect(await box.ask('accounts', 'sessions', 'wu')).toBe('wu is logged in nowhere\n');
  expect(await box.ask('accounts', 'end-sessions', 'mei')).toMatch(/^\d+ sessions ended\n$/);
  expect((await browser.open(authorizePath())).text).not.toContain('Signed in as');
});

test('services status says what waits, also on a box that was stopped', async () => {
  expect(await box.ask('services', 'status')).toContain('0 files and 0 messages for the cloud');
  await box.stop();
  expect(await box.ask('services', 'status')).toContain('0 files and 0 messages for the cloud');
  expect(await box.ask('accounts', 'sessions', 'mei')).toBe('mei is logged in nowhere\n');
});
