import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Accounts, hashPassword, openAccounts } from '../../src/accounts/index.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { SiteData } from '../../src/store/index.ts';
import { HandClock } from './clock.ts';
import { applied, aStore, type TemporaryStore } from './store.ts';

export const canteen = {
  client_id: 'canteen',
  client_secret: 's3cret of the canteen',
  name: 'Canteen',
  redirect_uris: ['https://canteen.example/cb', 'https://canteen.example/other?x=1'],
};
export const gym = { client_id: 'gym', client_secret: 's3cret of the gym', redirect_uris: ['http://127.0.0.1/back'] };
export const mei = { name: 'mei', password: 'correct horse', role: 'staff', headimgurl: 'https://x.example/mei.png' };

const meiHash = await hashPassword(mei.password);

export const accountSite: SiteData = {
  oauth_clients: [canteen, gym],
  users: [
    { name: 'mei', password_hash: meiHash, role: 'staff', headimgurl: mei.headimgurl },
    { name: 'wu', password_hash: await hashPassword('battery staple'), role: 'viewer' },
    { name: 'nopassword', role: 'viewer' },
  ],
};

export interface AccountBox extends AsyncDisposable {
  readonly opened: TemporaryStore;
  readonly accounts: Accounts;
  readonly clock: HandClock;
  readonly url: string;
}

/** The accounts of a box behind a real HTTP server, over a real store. */
export async function anAccountBox(
  site: SiteData = accountSite,
  cloud: Parameters<typeof openAccounts>[0]['cloud'] = null,
): Promise<AccountBox> {
  const opened = await aStore();
  await applied(opened.store, site);
  const clock = new HandClock();
  const accounts = openAccounts({
    store: opened.store,
    clock,
    siteName: 'Plant 4',
    timeZone: 'Asia/Shanghai',
    locale: 'en',
    log: silentLog,
    cloud,
  });
  const server = createServer(
    getRequestListener((incoming, environment) => accounts.oauth.fetch(incoming, environment as never)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    opened,
    accounts,
    clock,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
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

/** As much of a browser as OAuth needs: keeps cookies, sends forms with what the page put into them, follows redirects on the box alone. */
export class Browser {
  readonly #origin: string;
  readonly cookies = new Map<string, string>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  async open(
    path: string,
    options: { form?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<Page> {
    const { form, headers = {} } = options;
    const answer = await fetch(new URL(path, this.#origin), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        ...(this.cookies.size > 0
          ? { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
          : {}),
        ...(form ? { origin: this.#origin, 'sec-fetch-site': 'same-origin' } : {}),
        ...headers,
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (/max-age=0/i.test(cookie)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const page = {
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location') ?? '',
    };
    return page.location.startsWith('/') ? this.open(page.location) : page;
  }

  /** Sends the form of a page, with what is typed into it. */
  send(page: Page, typed: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
    const action = /<form method="post" action="([^"]+)"/.exec(page.text)![1]!;
    return this.open(action, { form: { ...hiddenFields(page), ...typed }, headers });
  }

  async login(path: string, { name, password }: { name: string; password: string } = mei): Promise<Page> {
    return this.send(await this.open(path), { name, password });
  }

  /** Logs in and allows it; answers what the client is given. */
  async allow(path: string, person?: { name: string; password: string }): Promise<URLSearchParams> {
    const asked = await this.login(path, person);
    const done = asked.location ? asked : await this.send(asked, { decision: 'allow' });
    return new URL(done.location).searchParams;
  }
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
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null);
  return `/oauth/authorize?${new URLSearchParams(given)}`;
};
