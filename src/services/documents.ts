import { type OpenAPIHono, z } from '@hono/zod-openapi';

const parameter = (where: 'header' | 'query' | 'path', name: string, description: string, required = true) => ({
  in: where,
  name,
  required,
  schema: { type: 'string' as const },
  description,
});
const signed = [
  parameter('header', 'app_id', 'who calls'),
  parameter('header', 'timestamp', 'now in milliseconds, 13 digits; at most 10 minutes off'),
  parameter('header', 'nonce', 'random, 6 characters; new for each call'),
  parameter('header', 'sig', 'MD5 in lower-case hex over app_id=…&app_key=…&nonce=…&timestamp=…'),
];
const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const answer = (data: z.ZodType) => z.object({ code: z.number().int().describe('0: done'), msg: z.string(), data });
const text = z.string();
const file = z.object({
  file_id: text,
  public_url: text.optional(),
  due_time: text.optional().describe('milliseconds'),
});

/** The public services' part of /openapi.json. */
export function documentServices(routes: OpenAPIHono): void {
  const register = (
    method: 'get' | 'post',
    path: string,
    summary: string,
    parameters: ReturnType<typeof parameter>[],
    data: z.ZodType,
    body?: Record<string, { schema: z.ZodType }>,
  ) =>
    routes.openAPIRegistry.registerPath({
      method,
      path,
      tags: ['Public services'],
      summary,
      parameters: [...signed, ...parameters],
      ...(body ? { request: { body: { required: true, content: body } } } : {}),
      responses: {
        200: { description: 'code 0, or why not', content: json(answer(data)) },
        400: { description: 'a header is missing, too old, or the request cannot be read' },
        401: { description: 'wrong sig, or an app_id that is not authorized' },
      },
    });
  register(
    'post',
    '/api/v1.0.0/file',
    'Stores a file of at most 500 MiB',
    [
      parameter('query', 'client', 'who uploads'),
      parameter('query', 'public', 'true: with a public link', false),
      parameter('query', 'https', 'false: the link is one without TLS', false),
      parameter('query', 'expire', 'milliseconds from now, at most 6 months; absent: kept', false),
      parameter('query', 'name', 'needed for application/octet-stream', false),
    ],
    file,
    {
      'multipart/form-data': { schema: z.object({ file: z.any() }) },
      'application/octet-stream': { schema: z.any() },
    },
  );
  register(
    'get',
    '/api/v1.0.0/file/{file_id}',
    'A file of this app, or a public one',
    [parameter('path', 'file_id', 'its id')],
    file,
  );
}
