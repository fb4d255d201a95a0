import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { issueLeaf, makeAuthority } from '../../src/operations/issuing.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { connectOrFallBack } from '../../src/upstream/fallback.ts';
import { trustOf } from '../../src/upstream/trust.ts';
import { whyInChinese } from '../../src/words/reasons.ts';
import { uplinkReasons } from '../../src/words/uplink.ts';
import { aBox } from '../support/box.ts';
import { aSite } from '../support/site.ts';
import { until } from '../support/until.ts';
import { nobody } from '../support/uplink.ts';

/** Each server stands where the cloud should be, as a network with a login page has it. */

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const answering = async (act: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await portOf(createServer(act))}`;

const page = '<!DOCTYPE html>\n<html><title>Welcome to our guest network</title></html>';
const loginPage = () => answering((_request, response) => response.end(page));

/** A page over TLS, and the authority that signed its certificate. */
async function secure(names: string[], addresses: string[] = []): Promise<{ port: number; ca: string }> {
  const authority = await makeAuthority(realClock.now());
  const { cert, key } = await issueLeaf(authority, { names, addresses }, realClock.now());
  return {
    port: await portOf(createSecureServer({ cert, key }, (_, response) => response.end(page))),
    ca: authority.cert,
  };
}

interface Address {
  readonly deviceMqtt?: string;
  readonly deviceHttp?: string;
  readonly ca?: string;
}

async function why({ ca, ...urls }: Address): Promise<string> {
  const connect = connectOrFallBack({ mode: 'per-device', ...urls } as never, trustOf(ca), realClock);
  const events = { message: async () => {}, lost: () => {} };
  const asked = { clientId: 'FACE-T1_A0001', userName: 'FACE-T1', password: 'secret' };
  const connected = await connect(asked, events, new AbortController().signal);
  return connected.kind === 'accepted' ? 'accepted' : connected.why;
}

const portal =
  /^a captive portal \(login page\) of this network (?:probably )?stands between the box and the cloud \((.*)\): open (\S+) in a browser of this network;/;
const named = async (address: Address) => portal.exec(await why(address))?.slice(1);

test.each<[string, number, Record<string, string>, string, string[]]>([
  [
    'a redirect',
    302,
    { location: 'http://10.0.0.1/login?mac=1' },
    '',
    ['it redirects to 10.0.0.1', 'http://10.0.0.1/login'],
  ],
  ['a web page', 200, {}, page, ['it answers with a web page', 'http://127.0.0.1/']],
  [
    'a page by its type',
    200,
    { 'content-type': 'text/html' },
    'log in',
    ['it answers with a web page', 'http://127.0.0.1/'],
  ],
  ['511', 511, {}, page, ['it answers HTTP 511', 'http://127.0.0.1/']],
])('%s in place of an answer over HTTP', async (_, status, headers, body, said) => {
  const deviceHttp = await answering((_request, response) => response.writeHead(status, headers).end(body));
  expect(await named({ deviceHttp })).toEqual(said);
  // MQTT does not get out at all: what HTTP meets says more.
  expect(await named({ deviceMqtt: nobody, deviceHttp })).toEqual(said);
});

test.each([
  [502, {}, page],
  [404, { 'content-type': 'text/html' }, page],
  [301, { location: 'https://127.0.0.1/api' }, ''],
  [302, { location: 'not an address' }, ''],
  [200, {}, '{"code":500}'],
])('%d with %j is an answer of the cloud, or of a server in front of it', async (status, headers, body) => {
  const deviceHttp = await answering((_request, response) => response.writeHead(status, headers).end(body));
  expect(await why({ deviceHttp })).toBe(`the cloud answered the login with HTTP ${status}`);
});

const secureAddress = (protocol: string, port: number): Address => {
  const url = `${protocol}://127.0.0.1:${port}`;
  return protocol === 'https' ? { deviceHttp: url } : { deviceMqtt: url };
};

test.each([
  ['mqtts', 'trusted'],
  ['mqtts', 'of its own'],
  ['https', 'trusted'],
  ['https', 'of its own'],
])('a certificate of another name over %s, by an authority that is %s', async (protocol, authority) => {
  const { port, ca } = await secure(['wifi.hotel.example']);
  const address = { ...secureAddress(protocol, port), ...(authority === 'trusted' ? { ca } : {}) };
  const [sign, open] = (await named(address))!;
  expect([sign, open]).toEqual([expect.stringMatching(/^its certificate is for /), 'http://127.0.0.1/']);
  expect(await why(address)).toContain('probably stands between');
});

test.each(['mqtts', 'https'])('a self-signed certificate of another name over %s', async protocol => {
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const pem = execFileSync('openssl', [...made, '-keyout', '-', '-out', '-', '-subj', '/CN=login.wifi.example'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const port = await portOf(createSecureServer({ cert: pem, key: pem }, (_, response) => response.end(page)));
  const said = await named(secureAddress(protocol, port));
  expect(said).toEqual(['its certificate is for login.wifi.example', 'http://127.0.0.1/']);
});

test.each(['mqtts', 'https'])('over %s a certificate of the cloud that nobody trusts is no portal', async protocol => {
  const { port } = await secure(['cloud.example'], ['127.0.0.1']);
  expect(await why(secureAddress(protocol, port))).toBe(
    "the cloud's certificate is signed by nobody this box trusts: set upstream.ca",
  );
});

test.each(['mqtts', 'https'])('a server without TLS where %s is meant', async protocol => {
  const url = (await loginPage()).replace('http', protocol);
  const address = { [protocol === 'https' ? 'deviceHttp' : 'deviceMqtt']: url };
  expect(await named(address)).toEqual(['it does not speak TLS', 'http://127.0.0.1/']);
});

test.each(['HTTP/1.1 400 Bad Request\r\n\r\n', page])('a web server that is greeted in MQTT says %j', async said => {
  const port = await portOf(
    createPlainServer(socket => socket.on('error', () => {}).once('data', () => socket.end(said))),
  );
  expect(await named({ deviceMqtt: `mqtt://127.0.0.1:${port}` })).toEqual([
    'it answers as a web server',
    'http://127.0.0.1/',
  ]);
});

test('the status of a box says it, also in Chinese', async () => {
  const upstream = {
    ...{ mode: 'batch', insecure: 'yes' },
    device_http: await loginPage(),
  };
  const box = { product_id: 'GATEHOUSE', device_sn: '000001', access_key: 'k' };
  await using one = await aBox({ upstream, box }, aSite());
  const line = async () => (await one.opened.admin.status.report()).line;
  await until('the line has failed', async () => (await line()).why !== '' && (await line()).state === 'down');
  const said = await line();
  expect(said.why).toMatch(portal);
  expect(whyInChinese(said)).toMatch(
    /^本网络的认证登录页面（captive portal）很可能挡在.*返回的是网页.*http:\/\/127\.0\.0\.1\//,
  );
});

test.each([
  ['redirects', 'a.example', '被重定向到 a.example'],
  ['certificate', '*.hotel.example', '证书属于 *.hotel.example'],
  ['no_tls', '', '对方不使用 TLS'],
] as const)('every sign has its Chinese: %s', (sign, to, chinese) => {
  const { reason: why, ...of } = uplinkReasons.say('captive_portal', { sign, to, open: 'http://a.example/login' });
  expect(whyInChinese({ why, ...of })).toContain(
    `（${chinese}）：请在本网络的浏览器中打开 http://a.example/login 并登录`,
  );
});
