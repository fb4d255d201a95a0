import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSsid } from '../../../src/platform/ssid.ts';
import { hotspotRoutes, settingsOf } from '../../../src/provisioning/hotspot/routes.ts';
import type { WifiJoin, WifiNetwork } from '../../../src/provisioning/wifi/port.ts';
import type { SetupAttempt } from '../../../src/store/index.ts';
import { joinOutcomes } from '../../../src/words/own-network.ts';
import { HandClock } from '../../support/clock.ts';
import { aClient } from '../../support/every-caller.ts';

const networks: readonly WifiNetwork[] = [
  { ssid: 'Plant', security: 'WPA2-PSK-AES', quality: 80 },
  { ssid: '车间 <Wi-Fi>', security: 'none', quality: 45 },
  { ssid: 'Radius', security: 'WPA2-EAP', quality: 30 },
];

function aHotspot(more: { last?: SetupAttempt; busy?: boolean; networks?: readonly WifiNetwork[] } = {}) {
  const taken: WifiJoin[] = [];
  const clock = new HandClock();
  const scannedAt = clock.now() - 3 * 60_000;
  const routes = hotspotRoutes({
    desk: {
      device: { sn: '000001', model: 'GH1', version: '0.1.0' },
      networks: () => ({ networks: more.networks ?? networks, at: scannedAt }),
      lastAttempt: () => more.last ?? null,
      take(settings) {
        if (more.busy) return false;
        taken.push(settings);
        return true;
      },
    },
    clock,
    site: { locale: 'zh-CN' },
  });
  const ask = (path: string, init: RequestInit = {}) => routes.request(path, init);
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', body, headers: { host: '10.192.168.1', 'content-type': typeOf(path), ...headers } });
  return { routes, taken, ask, post };
}

const typeOf = (path: string) => (path === '/setup' ? 'application/x-www-form-urlencoded' : 'application/json');
const json = async (answer: Response | Promise<Response>) => (await answer).json() as Promise<Record<string, unknown>>;

test('/wifi/list answers in the words of SPEC 4.3, to POST and GET, with and without a body', async () => {
  const { ask, post } = aHotspot();
  const expected = {
    code: '0',
    msg: 'ok',
    data: [
      { ssid: 'Plant', anthenc: 'WPA2-PSK-AES', quality: '80' },
      { ssid: '车间 <Wi-Fi>', anthenc: 'none', quality: '45' },
      { ssid: 'Radius', anthenc: 'WPA2-EAP', quality: '30' },
    ],
  };
  expect(await json(post('/wifi/list', ''))).toEqual(expected);
  expect(await json(post('/wifi/list', '{}', { 'content-type': 'application/json' }))).toEqual(expected);
  expect(await json(ask('/wifi/list'))).toEqual(expected);
});

test('/device/query says what the box is; after a failed attempt also how it failed', async () => {
  const device = { sn: '000001', model: 'GH1', version: '0.1.0' };
  expect(await json(aHotspot().post('/device/query', ''))).toEqual({ code: '0', msg: 'ok', data: device });
  const last = { status: -2, error: -3, why: { reason: 'wrong' }, ssid: 'Plant', at: 1 };
  expect(await json(aHotspot({ last }).post('/device/query', ''))).toEqual({
    code: '0',
    msg: 'ok',
    data: { ...device, last_status: '-2', last_error: '-3', last_msg: 'wrong' },
  });
});

test.each([
  ['authenc', { ssid: 'Plant', authenc: 'WPA2-PSK-AES', key: 'secret123' }, 'WPA2-PSK-AES'],
  [
    'anthenc, as it is misspelled in the answer',
    { ssid: 'Plant', anthenc: 'WPA2-PSK-AES', key: 'secret123' },
    'WPA2-PSK-AES',
  ],
  ['nothing', { ssid: 'Plant', key: 'secret123' }, 'WPA2-PSK-AES'],
  ['the wrong one: what the scan heard wins', { ssid: 'Plant', authenc: 'WEP64', key: 'secret123' }, 'WPA2-PSK-AES'],
  ['a key that means nothing', { ssid: 'Plant', key: 'secret123', colour: 'red' }, 'WPA2-PSK-AES'],
])('/wifi/setting takes %s', async (_what, body, security) => {
  const { post, taken } = aHotspot();
  expect(await json(post('/wifi/setting', JSON.stringify(body)))).toEqual({ code: '0', msg: 'ok' });
  expect(taken).toEqual([{ ssid: 'Plant', key: 'secret123', security, hidden: false }]);
});

test('a network that no scan shows is taken as it is typed, as a hidden one', async () => {
  const { post, taken } = aHotspot();
  await post('/wifi/setting', JSON.stringify({ ssid: 'Hidden', authenc: 'wpa2_psk_aes', key: 'secret123' }));
  await post('/wifi/setting', JSON.stringify({ ssid: 'Open', key: '' }));
  expect(taken).toEqual([
    { ssid: 'Hidden', key: 'secret123', security: 'WPA2-PSK-AES', hidden: true },
    { ssid: 'Open', key: '', security: 'none', hidden: true },
  ]);
});

test.each([
  ['no JSON', 'ssid=Plant', 'ssid: the body is no JSON: send {"ssid": …, "authenc": …, "key": …}'],
  ['no object', '[]', 'ssid: the body is no JSON object: send {"ssid": …, "authenc": …, "key": …}'],
  ['no ssid', '{"key":"secret123"}', 'ssid: text is missing'],
  [
    'an empty ssid',
    '{"ssid":"","key":"secret123"}',
    'ssid: the name of a network has 1 to 32 bytes, this has 0 in UTF-8: correct the SSID',
  ],
  [
    'a long ssid',
    JSON.stringify({ ssid: '网'.repeat(11), key: 'secret123' }),
    'ssid: the name of a network has 1 to 32 bytes, this has 33 in UTF-8: correct the SSID',
  ],
  ['a number for a key', '{"ssid":"Plant","key":12345678}', 'key: not text'],
  ['a short key', '{"ssid":"Plant","key":"short"}', 'key: a wifi password has 8 to 63 characters, or 64 hex digits'],
  ['no key', '{"ssid":"Plant"}', 'key: a wifi password has 8 to 63 characters, or 64 hex digits'],
  [
    'an enterprise network',
    '{"ssid":"Radius","key":"secret123"}',
    'key: the network asks for a user name (enterprise): ask for one with a password',
  ],
  [
    'an unknown kind',
    '{"ssid":"X","authenc":"WPA9","key":"secret123"}',
    'authenc: write none, WEP64, WEP128, WPA-PSK-TKIP, WPA-PSK-AES, WPA2-PSK-TKIP or WPA2-PSK-AES',
  ],
  [
    '5 kB',
    JSON.stringify({ ssid: 'Plant', key: 'x'.repeat(5000) }),
    'ssid: the body is no JSON: send {"ssid": …, "authenc": …, "key": …}',
  ],
])('/wifi/setting refuses %s by name, and tries nothing', async (_what, body, msg) => {
  const { post, taken } = aHotspot();
  expect(await json(post('/wifi/setting', body))).toEqual({ code: '400', msg });
  expect(taken).toEqual([]);
});

test('an open network of the same name is not joined by who sent a password', () => {
  const read = settingsOf({ ssid: '车间 <Wi-Fi>', key: 'secret123' }, networks);
  expect(read).toEqual({ settings: { ssid: '车间 <Wi-Fi>', key: 'secret123', security: undefined, hidden: false } });
});

test('a name that the router sends in GBK is shown as people read it, and joined by the bytes of the router', () => {
  const sent = Buffer.from('b3b5bce4d2bbbac5cfdfb0ecb9abcad2cebbd6c3d2bb', 'hex');
  const { ssid, bytes } = readSsid(sent);
  expect([ssid, bytes]).toEqual(['车间一号线办公室位置一', sent]);
  // Of 33 bytes in UTF-8, which no name may have.
  const seen = [{ ssid, bytes: sent, security: 'WPA2-PSK-AES', quality: 70 } as const];
  const settings = { ssid, bytes: sent, key: 'secret123', security: 'WPA2-PSK-AES', hidden: false };
  expect(settingsOf({ ssid, key: 'secret123' }, seen)).toEqual({ settings });
  // A phone sends the name over Bluetooth in UTF-8, or as it heard it.
  expect(settingsOf({ ssid, bytes: sent, key: 'secret123' }, seen)).toEqual({ settings });
  expect(settingsOf({ ssid, bytes: sent, key: 'secret123' }, [])).toMatchObject({
    settings: { bytes: sent, hidden: true },
  });
});

test('a name that is neither UTF-8 nor GBK can be shown and joined', () => {
  const sent = Uint8Array.of(0x50, 0xff, 0x31);
  const { ssid } = readSsid(sent);
  expect(ssid).toBe('Pÿ1');
  const seen = [{ ...readSsid(sent), security: 'none', quality: 70 } as const];
  expect(settingsOf({ ssid, key: '' }, seen)).toMatchObject({ settings: { bytes: sent, hidden: false } });
});

test('while an attempt is under way, another is refused', async () => {
  const { post } = aHotspot({ busy: true });
  const answer = await json(post('/wifi/setting', JSON.stringify({ ssid: 'Plant', key: 'secret123' })));
  expect(answer).toMatchObject({ code: '409', msg: expect.stringMatching(/^other settings were taken before/) });
});

test.each(['/generate_204', '/hotspot-detect.html', '/connecttest.txt', '/ncsi.txt', '/success.txt', '/whatever/else'])(
  'a phone that asks for %s under the name of its maker is sent to the page',
  async path => {
    const answer = await aHotspot().ask(path, { headers: { host: 'captive.example' } });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/setup');
  },
);

test('the page speaks the language of the phone, else of the site; it has no script, nothing from elsewhere, and is under 20 kB', async () => {
  const { ask } = aHotspot({
    networks: Array.from({ length: 100 }, (_, index) => ({ ...networks[0]!, ssid: `Network ${index}` })),
  });
  const english = await ask('/setup', { headers: { 'accept-language': 'en-GB,en;q=0.9' } });
  const chinese = await ask('/');
  const [en, zh] = [await english.text(), await chinese.text()];
  expect(en).toContain('<html lang="en">');
  expect(en).toContain('Scanned 3 min ago');
  expect(zh).toContain('<html lang="zh-CN">');
  expect(zh).toContain('3 分钟前搜索');
  for (const page of [en, zh]) {
    expect(page).not.toMatch(/<script|https?:\/\/|javascript:/i);
    expect(Buffer.byteLength(page)).toBeLessThan(20_000);
  }
  expect(english.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('the page shows names as they are, never as HTML', async () => {
  const page = await (await aHotspot().ask('/setup')).text();
  expect(page).toContain('车间 &lt;Wi-Fi&gt;');
  expect(page).not.toContain('<Wi-Fi>');
});

test('the page takes the chosen network, or the one that is typed; says what cannot be used; and how the last attempt went', async () => {
  const { post, taken } = aHotspot();
  const form = (values: Record<string, string>) => new URLSearchParams(values).toString();
  const chosen = await post('/setup', form({ ssid: 'Plant', typed: '', key: 'secret123' }));
  expect(chosen.status).toBe(200);
  expect(await chosen.text()).toContain('网关正在离开此热点');
  await post('/setup', form({ ssid: '', typed: 'Hidden', key: 'secret123' }));
  expect(taken.map(one => one.ssid)).toEqual(['Plant', 'Hidden']);
  const short = await post('/setup', form({ ssid: 'Plant', key: 'x' }));
  expect(short.status).toBe(400);
  expect(await short.text()).toContain('Wi-Fi 密码为 8 至 63 个字符');
  const last = { status: -2, error: -3, why: joinOutcomes.say('join_password_refused'), ssid: 'Plant', at: 1 };
  expect(await (await aHotspot({ last }).ask('/setup')).text()).toContain('(Plant): 路由器不接受此密码');
});

test('a form from another page is refused', async () => {
  const { post, taken } = aHotspot();
  const answer = await post('/setup', 'ssid=Plant&key=secret123', { origin: 'http://elsewhere.example' });
  expect(answer.status).toBe(403);
  expect(taken).toEqual([]);
});

test('whatever is sent to /wifi/setting is answered with a code', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.object().map(one => JSON.stringify(one)),
      ),
      async body => {
        const { code } = await json(aHotspot().post('/wifi/setting', body));
        expect(['0', '400']).toContain(code);
      },
    ),
  );
});

/** The routes at a real address, asked as phones and their apps do. */
async function atAnAddress() {
  const box = aHotspot();
  const server = createServer(getRequestListener(box.routes.fetch));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = aClient({ address });
  return Object.assign(box, {
    address,
    call: client.ask,
    [Symbol.asyncDispose]: async () => {
      client[Symbol.dispose]();
      server.close();
    },
  });
}

const settings = JSON.stringify({ ssid: 'Plant', key: 'secret123' });
const asJson = { 'content-type': 'application/json' };

test('an app that names no Origin sets the box up, with JSON or with no type at all', async () => {
  await using box = await atAnAddress();
  for (const headers of [asJson, { 'content-type': 'application/json; charset=utf-8' }, {}])
    expect(await box.call({ method: 'POST', path: '/wifi/setting', headers, body: settings })).toMatchObject({
      status: 200,
    });
  expect(box.taken).toHaveLength(3);
});

test.each([
  ['a page of another site', { ...asJson, origin: 'http://elsewhere.example' }, 403],
  ['a page in a frame without an origin', { ...asJson, origin: 'null' }, 403],
  [
    'a page that took the address of the box for its name',
    { ...asJson, host: 'elsewhere.example', origin: 'http://elsewhere.example' },
    403,
  ],
  ['another name without an Origin', { ...asJson, host: 'elsewhere.example' }, 403],
  ['a page of another site that says so otherwise', { ...asJson, 'sec-fetch-site': 'cross-site' }, 403],
  ['plain text, which any page may send', { 'content-type': 'text/plain' }, 415],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
])('/wifi/setting takes nothing from %s', async (_what, headers, status) => {
  await using box = await atAnAddress();
  expect((await box.call({ method: 'POST', path: '/wifi/setting', headers, body: settings })).status).toBe(status);
  expect(box.taken).toEqual([]);
});

test('the form is taken from the box’s own page alone', async () => {
  await using box = await atAnAddress();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = async (headers: Record<string, string>) =>
    (await box.call({ method: 'POST', path: '/setup', headers, body: 'ssid=Plant&key=secret123' })).status;
  expect(await send({ ...form, origin: 'http://elsewhere.example' })).toBe(403);
  expect(await send({ ...form, origin: 'null' })).toBe(403);
  expect(await send({ 'content-type': 'text/plain', origin: `http://${box.address}` })).toBe(415);
  expect(box.taken).toEqual([]);
  expect(await send({ ...form, origin: `http://${box.address}`, 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(box.taken).toHaveLength(1);
});

test('under another name a phone is redirected to the address of the box, and gets no networks', async () => {
  await using box = await atAnAddress();
  const headers = { host: 'connectivitycheck.gstatic.com' };
  for (const path of ['/generate_204', '/wifi/generate_204', '/', '/setup'])
    expect(await box.call({ method: 'GET', path, headers })).toMatchObject({
      status: 302,
      headers: { location: `http://${box.address}/setup` },
    });
  expect(await box.call({ method: 'GET', path: '/wifi/list', headers })).toMatchObject({ status: 403 });
});
