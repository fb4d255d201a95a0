import type { HttpBindings } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import { NotText } from '../../platform/text-body.ts';
import { TooLarge } from '../../runtime/read-body.ts';
import { type GrantStore, StoreError } from '../../store/index.ts';
import { mayBeToken, tokenHash } from '../tokens.ts';
import { Authorize, type AuthorizeOptions } from './authorize.ts';
import { type Call, isSecure, originOf } from './calls.ts';
import { documentOAuth } from './documents.ts';
import { TokenEndpoint } from './token.ts';

/** OAuth 2.0 (SPEC 4.6, 5.5, 7.4). */
export function oauthRoutes(options: AuthorizeOptions): OpenAPIHono<{ Bindings: HttpBindings }> {
  const { store, clock } = options;
  const routes = new OpenAPIHono<{ Bindings: HttpBindings }>();
  // The documents do not depend on the environment of the handlers.
  documentOAuth(routes as unknown as OpenAPIHono);
  const authorize = new Authorize(options);
  const token = new TokenEndpoint({ store, clock });

  routes.onError((error, call) => {
    if (error instanceof TooLarge)
      return call.json({ error: 'invalid_request', error_description: 'too large' }, 413, { Connection: 'close' });
    if (error instanceof NotText) return call.json({ error: 'invalid_request', error_description: error.message }, 400);
    if (error instanceof StoreError)
      return call.json({ error: 'temporarily_unavailable', error_description: error.message }, 503, {
        'Retry-After': '5',
      });
    throw error;
  });
  routes.get('/oauth/authorize', call => authorize.ask(call));
  const overTls = (answer: (call: Call) => Promise<Response>) => (call: Call) =>
    isSecure(call) ? answer(call) : authorize.withoutTls(call);
  routes.post(
    '/oauth/login',
    overTls(call => authorize.login(call)),
  );
  routes.post(
    '/oauth/consent',
    overTls(call => authorize.consent(call)),
  );
  routes.post(
    '/oauth/cloud',
    overTls(call => authorize.toCloud(call)),
  );
  routes.get(
    '/oauth/cloud/callback',
    overTls(call => authorize.fromCloud(call)),
  );
  routes.on(['GET', 'POST'], '/oauth/token', call => token.answer(call));
  routes.get('/api/getUserInfo', call => userInfo(call, store, clock.now()));
  routes.get('/.well-known/oauth-authorization-server', call => call.json(metadata(originOf(call))));
  return routes;
}

/** GET /api/getUserInfo: access_token in the query or as Bearer (SPEC 5.5, RFC 6750). */
async function userInfo(call: Call, store: GrantStore, now: number): Promise<Response> {
  const header = /^bearer +(\S+)$/i.exec(call.req.header('authorization') ?? '')?.[1];
  const query = call.req.query('access_token') || undefined;
  call.header('Cache-Control', 'no-store');
  const refuse = (status: 400 | 401, error: string, description: string) => {
    call.header('WWW-Authenticate', `Bearer realm="gatehouse", error="${error}", error_description="${description}"`);
    return call.json({ error, error_description: description }, status);
  };
  if (header !== undefined && query !== undefined)
    return refuse(400, 'invalid_request', 'the access token is there twice');
  const token = header ?? query;
  if (token === undefined) {
    call.header('WWW-Authenticate', 'Bearer realm="gatehouse"');
    return call.json({ error: 'invalid_request', error_description: 'no access token' }, 401);
  }
  const found = mayBeToken(token) ? await store.read.accessToken(tokenHash(token)) : null;
  if (!found || found.expiresAt <= now)
    return refuse(401, 'invalid_token', 'the access token is wrong, expired or revoked');
  const { user, clientId } = found;
  return call.json({
    openid: await store.read.openid(clientId, user.name),
    name: user.name,
    headimgurl: user.headimgurl,
  });
}

/** RFC 8414, so that a client library needs only the address of the box. */
const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  userinfo_endpoint: `${issuer}/api/getUserInfo`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['read'],
  authorization_response_iss_parameter_supported: true,
});
