import type { OAuthClient, StoreReader } from '../../store/index.ts';

/** An authorization request that may be answered (SPEC 4.6, RFC 6749 4.1.1). */
export interface AuthorizationRequest {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly scope: string;
  readonly state: string | null;
  /** PKCE (RFC 7636), S256; null: none. */
  readonly challenge: string | null;
}

export type ReadRequest =
  | { readonly ok: true; readonly request: AuthorizationRequest }
  /**
   * Shown on a page: the browser is never redirected to an address that the client has not
   * registered.
   */
  | { readonly ok: false; readonly to: 'page'; readonly problem: 'client' | 'redirect_uri' | 'twice' }
  | {
      readonly ok: false;
      readonly to: 'client';
      readonly redirectUri: string;
      readonly state: string | null;
      readonly error: 'invalid_request' | 'unsupported_response_type';
      readonly description: string;
    };

/** The only scope (SPEC 2.7); another that is asked for becomes it. */
const onlyScope = 'read';

const parameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

export async function readAuthorizationRequest(
  read: Pick<StoreReader, 'oauthClient'>,
  query: URLSearchParams,
): Promise<ReadRequest> {
  const twice = parameters.filter(name => query.getAll(name).length > 1);
  if (twice.some(name => name === 'client_id' || name === 'redirect_uri'))
    return { ok: false, to: 'page', problem: 'twice' };
  const client = await read.oauthClient(query.get('client_id') ?? '');
  if (!client) return { ok: false, to: 'page', problem: 'client' };
  const redirectUri = redirectUriOf(client, query.get('redirect_uri'));
  if (redirectUri === null) return { ok: false, to: 'page', problem: 'redirect_uri' };
  const state = query.get('state');
  const refuse = (error: 'invalid_request' | 'unsupported_response_type', description: string): ReadRequest => ({
    ok: false,
    to: 'client',
    redirectUri,
    state: twice.includes('state') ? null : state,
    error,
    description,
  });
  if (twice.length > 0) return refuse('invalid_request', `${twice[0]} is there more than once`);
  const responseType = query.get('response_type');
  if (!responseType) return refuse('invalid_request', 'response_type is missing: it must be code');
  if (responseType !== 'code') return refuse('unsupported_response_type', 'response_type must be code');
  const challenge = query.get('code_challenge');
  const method = query.get('code_challenge_method');
  if (challenge === null && method !== null)
    return refuse('invalid_request', 'code_challenge_method is there without code_challenge');
  // A public client has no secret: only PKCE ties the code to the client (RFC 9700 2.1.1).
  if (challenge === null && client.secret === null)
    return refuse(
      'invalid_request',
      'code_challenge is missing: this client is public, and PKCE with S256 is required',
    );
  // "plain" does not protect from anybody who can read the request (RFC 9700 2.1.1).
  if (challenge !== null && method !== 'S256') return refuse('invalid_request', 'code_challenge_method must be S256');
  if (challenge !== null && !/^[\w-]{43}$/.test(challenge))
    return refuse('invalid_request', 'code_challenge must be the SHA-256 of the verifier in base64url, 43 characters');
  return { ok: true, request: { client, redirectUri, scope: onlyScope, state, challenge } };
}

/**
 * As it is registered, character by character; only the port of an address of the caller's own
 * machine is free (RFC 8252 7.3). Null: not registered.
 */
function redirectUriOf({ redirectUris }: OAuthClient, asked: string | null): string | null {
  if (asked === null || asked === '') return redirectUris.length === 1 ? redirectUris[0]! : null;
  if (redirectUris.includes(asked)) return asked;
  const portless = withoutLoopbackPort(asked);
  return portless !== null && redirectUris.some(one => withoutLoopbackPort(one) === portless) ? asked : null;
}

function withoutLoopbackPort(uri: string): string | null {
  const found = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/[^#]*)?$/.exec(uri);
  return found ? `${found[1]}${found[2] ?? ''}` : null;
}
