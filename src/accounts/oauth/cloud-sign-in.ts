import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { AccountStore, LocalUser } from '../../store/index.ts';
import { newToken } from '../tokens.ts';

/** The cloud's OAuth server (SPEC 4.6), of which this box is a client. */
export interface CloudOAuth {
  /** Without a slash at the end. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  call(
    path: string,
    options: {
      readonly method: 'GET' | 'POST';
      readonly headers?: Record<string, string>;
      readonly signal: AbortSignal;
    },
  ): Promise<{ readonly status: number; readonly body: string }>;
}

interface Pending {
  /** Whose browser it was. */
  readonly visitor: string;
  readonly goOn: string;
  readonly callback: string;
  readonly begunAt: number;
}

const pendingMax = 1000;
const pendingMs = 10 * 60_000;
const answerMs = 8000;

/**
 * Sign-in with an account of the cloud, while the uplink is up. The cloud identifies the person;
 * the box decides what the person may do here.
 */
export class CloudSignIn {
  readonly #store: AccountStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #cloud: CloudOAuth;
  readonly #pending = new Map<string, Pending>();

  constructor(options: { store: AccountStore; clock: Clock; log: Log; cloud: CloudOAuth }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#cloud = options.cloud;
  }

  get origin(): string {
    return new URL(this.#cloud.url).origin;
  }

  /** Where the browser is to go; null when the cloud cannot be reached now. */
  async begin(visitor: string, goOn: string, callback: string): Promise<string | null> {
    const now = this.#clock.monotonic();
    for (const [state, { begunAt }] of this.#pending) {
      if (now - begunAt < pendingMs && this.#pending.size < pendingMax) break;
      this.#pending.delete(state);
    }
    const state = newToken();
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#cloud.clientId,
      redirect_uri: callback,
      scope: 'read',
      state,
    });
    const path = `/oauth/authorize?${query}`;
    try {
      await this.#cloud.call(path, { method: 'GET', signal: AbortSignal.timeout(answerMs) });
    } catch (error) {
      this.#log.debug({ error: String(error) }, 'sign_in_cloud_not_reached');
      return null;
    }
    this.#pending.set(state, { visitor, goOn, callback, begunAt: now });
    return `${this.#cloud.url}${path}`;
  }

  /** The browser is back. Null: it is another browser, it took too long, or the cloud refused. */
  async finish(visitor: string, query: URLSearchParams): Promise<{ user: LocalUser; goOn: string } | null> {
    const state = query.get('state') ?? '';
    const pending = this.#pending.get(state);
    this.#pending.delete(state);
    if (!pending || pending.visitor !== visitor || this.#clock.monotonic() - pending.begunAt > pendingMs) return null;
    const code = query.get('code');
    if (!code) return null;
    try {
      const person = await this.#personOf(code, pending.callback);
      const name = await this.#store.write.admitCloudPerson(person);
      const user = await this.#store.read.user(name);
      return user && { user, goOn: pending.goOn };
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'cloud_sign_in_failed');
      return null;
    }
  }

  async #personOf(code: string, callback: string) {
    const signal = AbortSignal.timeout(answerMs);
    const { clientId, clientSecret } = this.#cloud;
    // In the query, as SPEC 4.6 shows it.
    const query = new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
    });
    const token = read(await this.#cloud.call(`/oauth/token?${query}`, { method: 'POST', signal }), 'access_token');
    const headers = { Authorization: `Bearer ${token.access_token}` };
    const info = read(await this.#cloud.call('/api/getUserInfo', { method: 'GET', headers, signal }), 'openid');
    const text = (value: unknown): string => (typeof value === 'string' ? value : '');
    return {
      openid: String(info.openid),
      name: text(info.name).slice(0, 60) || 'cloud',
      headimgurl: text(info.headimgurl),
    };
  }
}

function read({ status, body }: { status: number; body: string }, needed: string): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  try {
    value = JSON.parse(body);
  } catch {
    // Reported below.
  }
  if (status === 200 && typeof value?.[needed] === 'string') return value;
  throw new Error(`the cloud answered HTTP ${status} ${String(value?.error ?? '')} without ${needed}`);
}
