import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request as plainRequest, type Server } from 'node:http';
import { createServer as createTlsServer, request as tlsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Accounts, hashPassword, openAccounts } from '../../src/accounts/index.ts';
import { issueLeaf, makeAuthority } from '../../src/operations/issuing.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { SiteData } from '../../src/store/index.ts';
import { HandClock } from './clock.ts';
import { lightHash } from './hash-strength.ts';
import { applied, aStore, type TemporaryStore } from './store.ts';

export const canteen = {
  client_id: 'canteen',
  client_secret: 's3cret of the canteen',
  name: 'Canteen',
  redirect_uris: ['https://canteen.example/cb', 'https://canteen.example/other?x=1'],
};
export const gym = { client_id: 'gym', client_secret: 's3cret of the gym', redirect_uris: ['http://127.0.0.1/back'] };
export const mei = { name: 'mei', password: 'correct horse', role: 'staff', headimgurl: 'https://x.example/mei.png' };

const meiHash = await hashPassword(mei.password, lightHash);
const certificate = await issueLeaf(
  await makeAuthority(Date.now()),
  { names: ['localhost'], addresses: ['127.0.0.1'] },
  Date.now(),
);

export const accountSite: SiteData = {
  oauth_clients: [canteen, gym],
  users: [
    { name: 'mei', password_hash: meiHash, role: 'staff', headimgurl: mei.headimgurl },
    { name: 'wu', password_hash: await hashPassword('battery staple', lightHash), role: 'viewer' },
    { name: 'nopassword', role: 'viewer' },
  ],
};

export interface AccountBox extends AsyncDisposable {
  readonly opened: TemporaryStore;
  readonly accounts: Accounts;
  readonly clock: HandClock;
  /** Without TLS, as environment test has it: for applications. */
  readonly url: string;
  /** With TLS: where people sign in. */
  readonly tlsUrl: string;
}

/**
 * The accounts of a box behind real HTTP and HTTPS servers, over a real store. `tls: off`: without
 * the HTTPS server.
 */
export async function anAccountBox(
  site: SiteData = accountSite,
  cloud: Parameters<typeof openAccounts>[0]['cloud'] = null,
  { tls = 'on' }: { tls?: 'on' | 'off' } = {},
): Promise<AccountBox> {
  const opened = await aStore();
  await applied(opened.store, site);
  const clock = new HandClock();
  const accounts = openAccounts({
    store: opened.store,
    clock,
    hashStrength: lightHash,
    site: { name: 'Plant 4', timezone: 'Asia/Shanghai', locale: 'en' },
    chooseLanguage: async () => {},
    log: silentLog,
    cloud,
    tlsPort: () => (tls === 'on' ? portOf(secure) : null),
  });
  const answer = getRequestListener((incoming, environment) => accounts.oauth.fetch(incoming, environment as never));
  const server = createServer(answer);
  const secure = createTlsServer({ cert: certificate.cert, key: certificate.key }, answer);
  const portOf = (one: Server | typeof secure): number => (one.address() as AddressInfo).port;
  for (const one of [server, secure]) await once(one.listen(0, '127.0.0.1'), 'listening');
  return {
    opened,
    accounts,
    clock,
    url: `http://127.0.0.1:${portOf(server)}`,
    tlsUrl: `https://127.0.0.1:${portOf(secure)}`,
    async [Symbol.asyncDispose]() {
      for (const one of [server, secure]) {
        one.closeAllConnections();
        one.close();
      }
      await opened[Symbol.asyncDispose]();
    },
  };
}

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly location: string;
}

/**
 * As much of a browser as OAuth needs: keeps cookies and sends them over TLS only, submits forms
 * with their hidden fields, and follows redirects within the box, also to its TLS listener.
 */
export class Browser {
  #origin: string;
  readonly cookies = new Map<string, string>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  async open(
    path: string,
    options: { form?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<Page> {
    const { form, headers = {} } = options;
    const isSecure = this.#origin.startsWith('https:');
    const held = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await exchange(new URL(path, this.#origin), form, {
      ...(isSecure && held !== '' ? { cookie: held } : {}),
      ...(form ? { origin: this.#origin, 'sec-fetch-site': 'same-origin' } : {}),
      ...headers,
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (/max-age=0/i.test(cookie)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const page = { ...answer, location: answer.headers.get('location') ?? '' };
    if (page.status === 307) {
      const target = new URL(page.location);
      this.#origin = target.origin;
      return this.open(target.pathname + target.search, { headers });
    }
    return page.location.startsWith('/') ? this.open(page.location) : page;
  }

  /** Submits the form of a page with these values. */
  send(page: Page, typed: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
    const action = /<form method="post" action="([^"]+)"/.exec(page.text)![1]!;
    return this.open(action, { form: { ...hiddenFields(page), ...typed }, headers });
  }

  async login(path: string, { name, password }: { name: string; password: string } = mei): Promise<Page> {
    return this.send(await this.open(path), { name, password });
  }

  /** Logs in and consents; returns what the client gets. */
  async allow(path: string, person?: { name: string; password: string }): Promise<URLSearchParams> {
    const asked = await this.login(path, person);
    const done = asked.location ? asked : await this.send(asked, { decision: 'allow' });
    return new URL(done.location).searchParams;
  }
}

/** One request by Node's own client, which need not trust the certificate of the box. */
function exchange(
  url: URL,
  form: Record<string, string> | undefined,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Headers; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; headers: Headers; text: string }>();
  const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const outgoing = send(url, {
    method: form ? 'POST' : 'GET',
    agent: false,
    headers: { ...(form ? type : {}), ...headers },
    ...(url.protocol === 'https:' ? { rejectUnauthorized: false } : {}),
  });
  outgoing.on('error', reject);
  outgoing.on('response', async incoming => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    resolve({
      status: incoming.statusCode ?? 0,
      headers: headersOf(incoming.headers),
      text: Buffer.concat(pieces).toString('utf8'),
    });
  });
  outgoing.end(form ? new URLSearchParams(form).toString() : undefined);
  return promise;
}

function headersOf(headers: IncomingHttpHeaders): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) for (const one of [value ?? []].flat()) all.append(name, one);
  return all;
}

export const hiddenFields = (page: Page): Record<string, string> =>
  Object.fromEntries(
    [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'"),
    ]),
  );

export const authorizePath = (change: Record<string, string | null> = {}): string => {
  const query = {
    response_type: 'code',
    client_id: canteen.client_id,
    redirect_uri: canteen.redirect_uris[0]!,
    state: 'a state & more',
    ...change,
  };
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null);
  return `/oauth/authorize?${new URLSearchParams(pairs)}`;
};
