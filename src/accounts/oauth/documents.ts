import { type OpenAPIHono, z } from '@hono/zod-openapi';

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const query = (name: string, description: string, required = true) => ({
  in: 'query' as const,
  name,
  required,
  schema: { type: 'string' as const },
  description,
});
const failure = z.object({ error: z.string(), error_description: z.string() });
const tokens = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number().int().describe('seconds: 3600, after a refresh 2592000'),
  refresh_token: z.string().describe('stays the same; of a public client each is good once, and this is the next one'),
  scope: z.literal('read'),
});

/** OAuth's part of /openapi.json. */
export function documentOAuth(routes: OpenAPIHono): void {
  const register = (path: Parameters<typeof routes.openAPIRegistry.registerPath>[0]) =>
    routes.openAPIRegistry.registerPath({ tags: ['OAuth'], ...path });
  register({
    method: 'get',
    path: '/oauth/authorize',
    summary: 'A browser comes here; it goes back to redirect_uri with code, or with error',
    parameters: [
      query('response_type', 'code'),
      query('client_id', 'of the site file'),
      query(
        'redirect_uri',
        'as it is registered, character by character; may be left out where one is registered',
        false,
      ),
      query('scope', 'read', false),
      query('state', 'comes back as it is', false),
      query('code_challenge', 'PKCE: SHA-256 of the verifier in base64url; required of public clients', false),
      query('code_challenge_method', 'S256', false),
    ],
    responses: {
      200: { description: 'The login page, or the page that asks' },
      302: { description: 'Back to the client' },
      400: { description: 'A page: the client or the redirect_uri is not registered' },
    },
  });
  for (const method of ['get', 'post'] as const)
    register({
      method,
      path: '/oauth/token',
      summary:
        'Tokens for a code or a refresh_token; parameters in the query, a form or JSON, the client by HTTP Basic too',
      parameters: [
        query('grant_type', 'authorization_code or refresh_token'),
        query('client_id', 'the client', false),
        query('client_secret', 'its secret; a public client has none', false),
        query('code', 'works once, for 10 minutes', false),
        query('redirect_uri', 'as in the authorization request; may be left out (SPEC 4.6)', false),
        query('code_verifier', 'PKCE: required where code_challenge was sent', false),
        query('refresh_token', 'of an earlier answer', false),
      ],
      responses: {
        200: { description: 'Tokens', content: json(tokens) },
        400: { description: 'invalid_request, invalid_grant, unsupported_grant_type', content: json(failure) },
        401: { description: 'invalid_client', content: json(failure) },
        429: { description: 'too many wrong secrets: see Retry-After', content: json(failure) },
      },
    });
  register({
    method: 'get',
    path: '/api/getUserInfo',
    summary: 'Who has signed in',
    parameters: [query('access_token', 'or the header Authorization: Bearer', false)],
    responses: {
      200: {
        description: 'The person',
        content: json(
          z.object({
            openid: z.string().describe('the same for a person at one client'),
            name: z.string(),
            headimgurl: z.string(),
          }),
        ),
      },
      401: { description: 'invalid_token', content: json(failure) },
    },
  });
}
