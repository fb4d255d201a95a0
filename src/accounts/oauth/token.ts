import { createHash } from 'node:crypto';
import { isNoFields } from '../../platform/json-bytes.ts';
import { isUnguessable } from '../../platform/signature.ts';
import { formOfBody, jsonTextOfBody } from '../../platform/text-body.ts';
import type { Clock } from '../../runtime/clock.ts';
import { readBody } from '../../runtime/read-body.ts';
import type { CodeRefusal, GrantStore, OAuthClient, SharedStore } from '../../store/index.ts';
import { addressKey } from '../guess-brake.ts';
import { RegionBrake } from '../region-brake.ts';
import { newToken, sameSecret, tokenHash } from '../tokens.ts';
import type { Call } from './calls.ts';

const bodyBytesMax = 64 * 1024;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** DESIGN 5: a code lives 10 minutes; an access token 3600 s, after a refresh 2592000 s. */
export const codeLifeMs = 10 * minuteMs;
const firstTokenSeconds = 3600;
const refreshedTokenSeconds = 2_592_000;
/** A refresh token that was not used for so long expires. */
export const refreshIdleMs = 180 * dayMs;
/**
 * When a public client presents a used refresh token again within this time, the answer to its
 * first use was probably lost.
 */
const lostAnswerMs = minuteMs;
/** After a refresh, requests in flight may still finish with the earlier token. */
const othersLiveMs = 5 * minuteMs;

type ErrorName =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable';

/** SPEC 7.4, RFC 6749 5.2. */
class TokenRefused extends Error {
  readonly error: ErrorName;
  readonly retryAfterSeconds: number;
  constructor(error: ErrorName, description: string, retryAfterSeconds = 0) {
    super(description);
    this.error = error;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Why a code is refused, in words for the developer of a client that has shown its secret. */
const codeWords: Readonly<Record<CodeRefusal, string>> = {
  unknown: 'no such code: it is wrong, or was issued more than 10 minutes ago',
  expired: 'the code is more than 10 minutes old: ask again',
  used: 'the code was used before: what was made of it is revoked now',
  other_client: 'no such code: it is wrong, or was issued more than 10 minutes ago',
  redirect_uri: 'redirect_uri is another than in the authorization request, or is missing where this client needs it',
  verifier: 'code_verifier does not belong to the code_challenge of the authorization request',
};

/**
 * The token endpoint (SPEC 4.6), in all forms of DESIGN 5: GET and POST, query, form or JSON body,
 * HTTP Basic too.
 */
export class TokenEndpoint {
  readonly #store: GrantStore;
  readonly #clock: Clock;
  /**
   * By client and address: guessing one client's secret locks out no other client, nor that client
   * elsewhere.
   */
  readonly #brake: RegionBrake;

  constructor(options: { store: GrantStore & SharedStore; clock: Clock }) {
    const { shared } = options.store;
    this.#brake = new RegionBrake({ name: 'client secret', free: 20, waitMaxMs: minuteMs }, shared.guesses);
    this.#store = options.store;
    this.#clock = options.clock;
  }

  async answer(call: Call): Promise<Response> {
    const headers = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };
    try {
      return call.json(await this.#answer(call), 200, headers);
    } catch (refused) {
      if (!(refused instanceof TokenRefused)) throw refused;
      const { error, message, retryAfterSeconds } = refused;
      const status = error === 'invalid_client' ? 401 : error === 'temporarily_unavailable' ? 429 : 400;
      if (status === 401 && call.req.header('authorization'))
        call.header('WWW-Authenticate', 'Basic realm="gatehouse"');
      if (retryAfterSeconds > 0) call.header('Retry-After', String(retryAfterSeconds));
      return call.json({ error, error_description: message }, status, headers);
    }
  }

  async #answer(call: Call): Promise<object> {
    const params = await parametersOf(call);
    const client = await this.#client(call, params);
    const grantType = params.get('grant_type');
    if (grantType === undefined) throw new TokenRefused('invalid_request', 'grant_type is missing');
    if (grantType === 'authorization_code') return this.#redeem(client, params);
    if (grantType === 'refresh_token') return this.#refresh(client, params);
    throw new TokenRefused('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }

  async #redeem(client: OAuthClient, params: Parameters): Promise<object> {
    const [accessToken, refreshToken] = [newToken(), newToken()];
    const at = this.#clock.now();
    const verifier = params.get('code_verifier');
    if (verifier !== undefined && !/^[\w.~-]{43,128}$/.test(verifier))
      throw new TokenRefused(
        'invalid_request',
        'code_verifier has 43 to 128 letters, digits or - . _ ~ (RFC 7636 4.1)',
      );
    const outcome = await this.#store.write.redeemCode({
      codeHash: tokenHash(needed(params, 'code')),
      clientId: client.clientId,
      redirectUri: params.get('redirect_uri') ?? null,
      challenge: verifier === undefined ? null : createHash('sha256').update(verifier).digest('base64url'),
      tokenHash: tokenHash(accessToken),
      refreshHash: tokenHash(refreshToken),
      at,
      issuedAfter: at - codeLifeMs,
      expiresAt: at + firstTokenSeconds * 1000,
    });
    if (!outcome.ok) throw new TokenRefused('invalid_grant', codeWords[outcome.why]);
    return tokens(accessToken, firstTokenSeconds, refreshToken, outcome.scope);
  }

  async #refresh(client: OAuthClient, params: Parameters): Promise<object> {
    const refreshToken = needed(params, 'refresh_token');
    // SPEC 4.6: the refresh token stays valid. A public client shows no secret with it, so its
    // refresh tokens work only once (RFC 9700 4.14).
    const next = client.secret === null ? await this.#store.read.nextRefreshToken(refreshToken) : null;
    const accessToken = newToken();
    const at = this.#clock.now();
    const outcome = await this.#store.write.refreshGrant({
      refreshHash: tokenHash(refreshToken),
      nextRefreshHash: next === null ? null : tokenHash(next),
      lostAfter: at - lostAnswerMs,
      clientId: client.clientId,
      tokenHash: tokenHash(accessToken),
      at,
      usedAfter: at - refreshIdleMs,
      expiresAt: at + refreshedTokenSeconds * 1000,
      othersEndAt: at + othersLiveMs,
    });
    if (!outcome.ok)
      throw new TokenRefused(
        'invalid_grant',
        outcome.why === 'reused'
          ? 'the refresh_token was used before: the grant is now revoked, and the person has to sign in again'
          : 'no such refresh_token of this client: it is wrong, revoked, or was not used for 180 days',
      );
    return tokens(accessToken, refreshedTokenSeconds, next ?? refreshToken, outcome.scope);
  }

  async #client(call: Call, params: Parameters): Promise<OAuthClient> {
    const { clientId, secret } = credentialsOf(call.req.header('authorization'), params);
    const client = await this.#store.read.oauthClient(clientId);
    const isRight =
      client !== null &&
      (client.secret === null ? secret === null : secret !== null && sameSecret(secret, client.secret));
    // Wrong tries delay no client whose secret nobody guesses, or that has none.
    if (isRight && (client.secret === null || isUnguessable(client.secret))) return client;
    const now = this.#clock.monotonic();
    const key = `${clientId.slice(0, 64)}\0${addressKey(call.env.incoming.socket.remoteAddress ?? '')}`;
    const tried = await this.#brake.begin(key, now);
    if (typeof tried === 'number')
      throw new TokenRefused(
        'temporarily_unavailable',
        'too many wrong secrets of this client from this address',
        Math.ceil(tried / 1000),
      );
    tried.end(now, isRight ? 'right' : 'wrong');
    if (!isRight)
      throw new TokenRefused(
        'invalid_client',
        client?.secret === null
          ? 'this client is public: it sends no client_secret'
          : 'no such client, or its client_secret is wrong or missing',
      );
    return client;
  }
}

type Parameters = ReadonlyMap<string, string>;

const tokens = (accessToken: string, seconds: number, refreshToken: string, scope: string) => ({
  access_token: accessToken,
  token_type: 'bearer',
  expires_in: seconds,
  refresh_token: refreshToken,
  scope,
});

function needed(params: Parameters, name: string): string {
  const value = params.get(name);
  if (value === undefined) throw new TokenRefused('invalid_request', `${name} is missing`);
  return value;
}

/**
 * Query and body together; a repeated parameter is accepted only with the same value. Empty ones
 * count as missing (RFC 6749 3.2).
 */
async function parametersOf(call: Call): Promise<Parameters> {
  const pairs = [...new URL(call.req.url).searchParams];
  if (call.req.method === 'POST') {
    const body = await readBody(call.env.incoming, bodyBytesMax);
    const isJson = /^application\/json\b/i.test(call.req.header('content-type') ?? '');
    pairs.push(...(isJson ? jsonPairs(jsonTextOfBody(body)) : formOfBody(body)));
  }
  const params = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (value === '') continue;
    if (params.has(name) && params.get(name) !== value)
      throw new TokenRefused('invalid_request', `${name} is given more than once`);
    params.set(name, value);
  }
  return params;
}

function jsonPairs(body: string): [string, string][] {
  try {
    const value: unknown = body.trim() === '' ? {} : JSON.parse(body);
    if (isNoFields(value)) return [];
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.entries(value).map(([name, one]) => [name, String(one)]);
  } catch {
    // Reported below, like a body that is no object.
  }
  throw new TokenRefused('invalid_request', 'the body is not a JSON object');
}

/**
 * RFC 6749 2.3.1: Basic, each half encoded as in a form; or in the parameters. A public client
 * sends only its id: the secret is null.
 */
function credentialsOf(
  authorization: string | undefined,
  params: Parameters,
): { clientId: string; secret: string | null } {
  const basic = /^basic +(\S+)$/i.exec(authorization ?? '');
  if (!basic) return { clientId: needed(params, 'client_id'), secret: params.get('client_secret') ?? null };
  const text = Buffer.from(basic[1]!, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) throw new TokenRefused('invalid_client', 'the Authorization header has no client_id:client_secret');
  const [clientId, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(decoded) as [string, string];
  if (params.has('client_secret') || (params.has('client_id') && params.get('client_id') !== clientId))
    throw new TokenRefused(
      'invalid_request',
      'the client identifies itself in two ways at once: send the header or the parameters',
    );
  return { clientId, secret: secret === '' ? null : secret };
}

function decoded(half: string): string {
  try {
    return decodeURIComponent(half.replaceAll('+', ' '));
  } catch {
    return half;
  }
}
