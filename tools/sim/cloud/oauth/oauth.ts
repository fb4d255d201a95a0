import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Random } from '../../../../src/runtime/clock.ts';
import type { ApiName } from '../api-faults.ts';
import { bodyOf, type CloudApi, sendJson } from '../http-server.ts';

/** Each as in a site file. A person without a password can sign in with any. */
export interface SimOAuthOptions {
  readonly oauth_clients?:
    | readonly { client_id: string; client_secret?: string | undefined; redirect_uris: readonly string[] }[]
    | undefined;
  readonly users?:
    | readonly { name: string; password?: string | undefined; headimgurl?: string | undefined }[]
    | undefined;
}

interface Grant {
  readonly name: string;
  readonly clientId: string;
  endsAt: number;
}

const codeMs = 10 * 60_000;
const firstSeconds = 3600;
const refreshedSeconds = 2_592_000;
const heldMax = 10_000;
const formBytesMax = 64 << 10;

/** SPEC 4.6, 5.5, 7.4: authorization code, tokens, user info. */
export class SimOAuth implements CloudApi {
  readonly #clients: ReadonlyMap<string, { secret: string; redirects: readonly string[] }>;
  readonly #users: ReadonlyMap<string, { password: string | undefined; picture: string }>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #codes = new Map<string, Grant>();
  readonly #tokens = new Map<string, Grant>();
  readonly #refresh = new Map<string, Grant>();

  constructor(options: SimOAuthOptions, { clock, random }: { clock: Clock; random: Random }) {
    this.#clients = new Map(
      (options.oauth_clients ?? []).map(one => [
        one.client_id,
        { secret: one.client_secret ?? '', redirects: one.redirect_uris },
      ]),
    );
    this.#users = new Map(
      (options.users ?? []).map(({ name, password, headimgurl = '' }) => [name, { password, picture: headimgurl }]),
    );
    this.#clock = clock;
    this.#random = random;
  }

  serves(path: string): boolean {
    return path === '/oauth/authorize' || path === '/oauth/token' || path === '/api/getUserInfo';
  }

  nameOf(): ApiName {
    return 'oauth';
  }

  tooMany() {
    return { status: 429, body: { error: 'temporarily_unavailable', error_description: 'too many calls' } };
  }

  async serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const body = await bodyOf(request, formBytesMax);
    const parameters = new URLSearchParams(url.search);
    for (const [name, value] of new URLSearchParams(body?.toString('utf8') ?? '')) parameters.set(name, value);
    if (url.pathname === '/oauth/token') return this.#token(response, parameters);
    if (url.pathname === '/api/getUserInfo') return this.#userInfo(request, response, parameters);
    return this.#authorize(request, response, parameters);
  }

  #authorize(request: IncomingMessage, response: ServerResponse, parameters: URLSearchParams) {
    const clientId = parameters.get('client_id') ?? '';
    const redirect = parameters.get('redirect_uri') ?? '';
    if (parameters.get('response_type') !== 'code' || !this.#clients.get(clientId)?.redirects.includes(redirect))
      return refuse(response, 400, 'invalid_request', 'response_type, client_id or redirect_uri is wrong');
    const back = new URL(redirect);
    const state = parameters.get('state');
    if (state !== null) back.searchParams.set('state', state);
    if (request.method === 'POST' && parameters.get('decision') === 'deny') {
      back.searchParams.set('error', 'access_denied');
      return void response.writeHead(302, { Location: back.href }).end();
    }
    const name = parameters.get('name') ?? '';
    const user = this.#users.get(name);
    if (
      request.method !== 'POST' ||
      !user ||
      (user.password !== undefined && user.password !== parameters.get('password'))
    )
      return void response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' }).end(page(parameters));
    const code = this.#keep(this.#codes, { name, clientId, endsAt: this.#clock.now() + codeMs });
    back.searchParams.set('code', code);
    response.writeHead(302, { Location: back.href }).end();
  }

  #token(response: ServerResponse, parameters: URLSearchParams) {
    const clientId = parameters.get('client_id') ?? '';
    const client = this.#clients.get(clientId);
    if (!client || client.secret !== (parameters.get('client_secret') ?? ''))
      return refuse(response, 401, 'invalid_client', 'no such client, or another client_secret');
    const grantType = parameters.get('grant_type');
    if (grantType === 'authorization_code') {
      const code = parameters.get('code') ?? '';
      const grant = this.#codes.get(code);
      this.#codes.delete(code);
      if (!grant || grant.clientId !== clientId || grant.endsAt < this.#clock.now())
        return refuse(response, 400, 'invalid_grant', 'no such code');
      return this.#issue(response, grant, firstSeconds, this.#keep(this.#refresh, { ...grant, endsAt: 0 }));
    }
    if (grantType === 'refresh_token') {
      const refreshToken = parameters.get('refresh_token') ?? '';
      const grant = this.#refresh.get(refreshToken);
      if (!grant || grant.clientId !== clientId) return refuse(response, 400, 'invalid_grant', 'no such refresh_token');
      return this.#issue(response, grant, refreshedSeconds, refreshToken);
    }
    refuse(response, 400, grantType === null ? 'invalid_request' : 'unsupported_grant_type', 'grant_type');
  }

  #issue(response: ServerResponse, { name, clientId }: Grant, seconds: number, refreshToken: string): void {
    const endsAt = this.#clock.now() + seconds * 1000;
    sendJson(response, 200, {
      access_token: this.#keep(this.#tokens, { name, clientId, endsAt }),
      token_type: 'bearer',
      expires_in: seconds,
      refresh_token: refreshToken,
      scope: 'read',
    });
  }

  #userInfo({ headers }: IncomingMessage, response: ServerResponse, parameters: URLSearchParams) {
    const token = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? parameters.get('access_token');
    if (!token) return refuse(response, 401, 'invalid_request', 'no access token');
    const grant = this.#tokens.get(token);
    if (!grant || grant.endsAt < this.#clock.now())
      return refuse(response, 401, 'invalid_token', 'the access token is wrong or expired');
    sendJson(response, 200, {
      openid: Buffer.from(`${grant.clientId} ${grant.name}`).toString('base64url'),
      name: grant.name,
      headimgurl: this.#users.get(grant.name)?.picture ?? '',
    });
  }

  #keep(where: Map<string, Grant>, grant: Grant): string {
    const key = Array.from({ length: 4 }, () => Math.floor(this.#random() * 2 ** 32).toString(36)).join('');
    where.set(key, grant);
    if (where.size > heldMax) where.delete(where.keys().next().value!);
    return key;
  }
}

function refuse(response: ServerResponse, status: number, error: string, description: string): void {
  sendJson(response, status, { error, error_description: description });
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, letter => `&#${letter.codePointAt(0)};`);

const page = (parameters: URLSearchParams): string =>
  `<!doctype html><title>Simulated cloud</title><form method="post">${[...parameters]
    .filter(([name]) => name !== 'name' && name !== 'password' && name !== 'decision')
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join(
      '',
    )}<p>Sign in to the simulated cloud</p><input name="name" placeholder="name"> <input name="password" type="password">
<button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></form>`;
