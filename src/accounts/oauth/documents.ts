import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type Described, described } from '../../words/described.ts';

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const query = (name: string, description: Described, required = true) => ({
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
  expires_in: z
    .number()
    .int()
    .describe(described('seconds: 3600, after a refresh 2592000', '秒：3600，刷新后为 2592000')),
  refresh_token: z
    .string()
    .describe(
      described(
        'stays the same; of a public client each is good once, and this is the next one',
        '保持不变；公开客户端的每个只能用一次，这是下一个',
      ),
    ),
  scope: z.literal('read'),
});

/** OAuth's part of /openapi.json. */
export function documentOAuth(routes: OpenAPIHono): void {
  const register = (path: Parameters<typeof routes.openAPIRegistry.registerPath>[0]) =>
    routes.openAPIRegistry.registerPath({ tags: ['OAuth'], ...path });
  register({
    method: 'get',
    path: '/oauth/authorize',
    summary: described(
      'A browser comes here; it goes back to redirect_uri with code, or with error',
      '由浏览器打开；带 code 或 error 返回 redirect_uri',
    ),
    parameters: [
      query('response_type', described('code', '固定为 code')),
      query('client_id', described('of the site file', '见站点文件')),
      query(
        'redirect_uri',
        described(
          'as it is registered, character by character; may be left out where one is registered',
          '与登记的完全一致；只登记了一个时可以省略',
        ),
        false,
      ),
      query('scope', described('read', '固定为 read'), false),
      query('state', described('comes back as it is', '原样返回'), false),
      query(
        'code_challenge',
        described(
          'PKCE: SHA-256 of the verifier in base64url; required of public clients',
          'PKCE：verifier 的 SHA-256，base64url 编码；公开客户端必填',
        ),
        false,
      ),
      query('code_challenge_method', described('S256', '固定为 S256'), false),
    ],
    responses: {
      200: { description: described('The login page, or the page that asks', '登录页面，或请求授权的页面') },
      302: { description: described('Back to the client', '返回客户端') },
      400: {
        description: described(
          'A page: the client or the redirect_uri is not registered',
          '一个页面：客户端或 redirect_uri 未登记',
        ),
      },
    },
  });
  for (const method of ['get', 'post'] as const)
    register({
      method,
      path: '/oauth/token',
      summary: described(
        'Tokens for a code or a refresh_token; parameters in the query, a form or JSON, the client by HTTP Basic too',
        '用 code 或 refresh_token 换取令牌；参数可在查询、表单或 JSON 中，客户端也可用 HTTP Basic',
      ),
      parameters: [
        query('grant_type', described('authorization_code or refresh_token', 'authorization_code 或 refresh_token')),
        query('client_id', described('the client', '客户端'), false),
        query(
          'client_secret',
          described('its secret; a public client has none', '客户端的密钥；公开客户端没有'),
          false,
        ),
        query('code', described('works once, for 10 minutes', '只能用一次，10 分钟内有效'), false),
        query(
          'redirect_uri',
          described(
            'as in the authorization request; may be left out (SPEC 4.6)',
            '与授权请求中的相同；可省略（规范 4.6）',
          ),
          false,
        ),
        query(
          'code_verifier',
          described('PKCE: required where code_challenge was sent', 'PKCE：发送过 code_challenge 时必填'),
          false,
        ),
        query('refresh_token', described('of an earlier answer', '来自之前的应答'), false),
      ],
      responses: {
        200: { description: described('Tokens', '令牌'), content: json(tokens) },
        400: {
          description: described(
            'invalid_request, invalid_grant, unsupported_grant_type',
            'invalid_request、invalid_grant、unsupported_grant_type（请求无效、授权无效、不支持的授权类型）',
          ),
          content: json(failure),
        },
        401: { description: described('invalid_client', 'invalid_client（客户端错误）'), content: json(failure) },
        429: {
          description: described('too many wrong secrets: see Retry-After', '密钥错误次数过多：见 Retry-After'),
          content: json(failure),
        },
      },
    });
  register({
    method: 'get',
    path: '/api/getUserInfo',
    summary: described('Who has signed in', '当前登录的用户'),
    parameters: [
      query(
        'access_token',
        described('or the header Authorization: Bearer', '或用请求头 Authorization: Bearer'),
        false,
      ),
    ],
    responses: {
      200: {
        description: described('The person', '用户'),
        content: json(
          z.object({
            openid: z
              .string()
              .describe(described('the same for a person at one client', '同一用户在同一客户端保持不变')),
            name: z.string(),
            headimgurl: z.string(),
          }),
        ),
      },
      401: { description: described('invalid_token', 'invalid_token（令牌无效）'), content: json(failure) },
    },
  });
}
