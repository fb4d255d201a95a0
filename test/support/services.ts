import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { serviceLimits } from '../../src/platform/services.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { openServices, type Services } from '../../src/services/index.ts';
import type { SiteData } from '../../src/store/index.ts';
import { HandClock, seededRandom } from './clock.ts';
import { applied, aStore, type TemporaryStore } from './store.ts';

export const portal = { app_id: 'hr-portal', app_key: 'k1-of-the-portal', name: 'HR portal' };
export const kiosk = { app_id: 'kiosk', app_key: 'k2-of-the-kiosk' };

type Json = ReturnType<typeof JSON.parse>;

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly code: number;
  readonly msg: string;
  readonly data: Json;
}

export interface ServiceCallOptions {
  readonly method?: 'GET' | 'POST';
  /** Replace the right ones; null leaves one out. */
  readonly headers?: Record<string, string | null>;
  readonly body?: RequestInit['body'];
}

/** A third party that makes its own signatures (SPEC 5.6). */
export class ServiceCaller {
  readonly #url: string;
  readonly #now: () => number;
  readonly #app: { app_id: string; app_key: string };
  #count = 0;

  constructor(url: string, now: () => number, app: { app_id: string; app_key: string } = portal) {
    this.#url = url;
    this.#now = now;
    this.#app = app;
  }

  signature(
    nonce = `n${String(++this.#count).padStart(5, '0')}`,
    timestamp = String(this.#now()),
  ): Record<string, string> {
    const { app_id, app_key } = this.#app;
    const text = `app_id=${app_id}&app_key=${app_key}&nonce=${nonce}&timestamp=${timestamp}`;
    return { app_id, nonce, timestamp, sig: createHash('md5').update(text).digest('hex') };
  }

  async call(path: string, { method, headers = {}, body }: ServiceCallOptions = {}): Promise<ServiceAnswer> {
    const all = Object.entries({ ...this.signature(), ...headers }).filter(
      (pair): pair is [string, string] => pair[1] !== null,
    );
    const answer = await fetch(`${this.#url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: Object.fromEntries(all),
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    } as RequestInit);
    const text = await answer.text();
    let answered: Partial<ServiceAnswer> = {};
    try {
      answered = JSON.parse(text);
    } catch {
      // Not JSON: the status is enough.
    }
    return {
      code: Number.NaN,
      msg: text,
      data: undefined,
      ...answered,
      status: answer.status,
      headers: answer.headers,
    };
  }

  post(path: string, body: object, options: ServiceCallOptions = {}): Promise<ServiceAnswer> {
    return this.call(path, {
      ...options,
      headers: { 'content-type': 'application/json', ...options.headers },
      body: JSON.stringify(body),
    });
  }
}

export interface ServiceBox extends AsyncDisposable {
  readonly opened: TemporaryStore;
  readonly services: Services;
  readonly clock: HandClock;
  readonly url: string;
  readonly caller: ServiceCaller;
  callerOf(app: { app_id: string; app_key: string }): ServiceCaller;
}

/** The public services of a box behind a real HTTP server, over a real store. */
export async function aServiceBox(
  change: { site?: SiteData; clock?: HandClock; options?: Partial<Parameters<typeof openServices>[0]> } = {},
): Promise<ServiceBox> {
  const opened = await aStore();
  await applied(opened.store, { apps: [portal, kiosk], ...change.site });
  const clock = change.clock ?? new HandClock();
  const services = await openServices({
    store: opened.store,
    processes: opened.store.processes,
    clock,
    log: silentLog,
    filePlace: { folder: opened.dataDir, process: null },
    fileBytesMax: serviceLimits.fileBytesMax,
    random: seededRandom(1),
    today: () => new Date(clock.now() + 8 * 3600_000).toISOString().slice(0, 10),
    cloud: null,
    download: () => Promise.reject(new Error('nothing is there')),
    openPackage: () => Promise.reject(new Error('nothing is there')),
    addressOf: (host, overHttps) => `${overHttps ? 'https' : 'http'}://${host}`,
    ...change.options,
  });
  const server = createServer(
    getRequestListener((incoming, environment) => services.routes.fetch(incoming, environment as never)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const callerOf = (app: { app_id: string; app_key: string }) => new ServiceCaller(url, () => clock.now(), app);
  return {
    opened,
    services,
    clock,
    url,
    caller: callerOf(portal),
    callerOf,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await services[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}
