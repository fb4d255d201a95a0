import { type OpenAPIHono, z } from '@hono/zod-openapi';

const answer = z.object({ code: z.number().int(), msg: z.string() }).openapi('Answer');
const envelope = z
  .object({
    mid: z.string(),
    from: z.string(),
    to: z.string(),
    time: z.number().int(),
    action: z.number().int(),
    data: z.record(z.string(), z.unknown()),
  })
  .openapi('Envelope');
const text = { type: 'string' as const };
const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const authorization = [
  {
    in: 'header' as const,
    name: 'Authorization',
    required: true,
    schema: text,
    description: 'the value that connect answered',
  },
];
const clientId = {
  in: 'path' as const,
  name: 'clientId',
  required: true,
  schema: text,
  description: 'device id (SPEC 2.2)',
};
const refused = { 406: { description: 'the Authorization value is wrong or expired: connect again' } };
const tooMany = {
  429: { description: 'too many calls, see Retry-After' },
  503: { description: 'the disk is full, see Retry-After' },
};

/** The device gateway's part of /openapi.json. */
export function documentDeviceGateway(routes: OpenAPIHono): void {
  const { openAPIRegistry: registry } = routes;
  registry.registerPath({
    method: 'post',
    path: '/api/connect/{clientId}',
    summary: 'Log a device in (SPEC 4.2, 5.2)',
    parameters: [clientId],
    request: {
      body: {
        content: json(
          z.object({
            clientId: z.string(),
            userName: z.string(),
            password: z.string(),
            keepAliveTime: z.number().int(),
          }),
        ),
      },
    },
    responses: {
      200: { description: 'admitted; empty body', headers: { Authorization: { schema: text } } },
      400: { description: 'the body is no JSON object', content: json(answer) },
      406: { description: 'authentication failed' },
    },
  });
  registry.registerPath({
    method: 'get',
    path: '/api/disconnect/{clientId}',
    summary: 'Go offline on purpose: the Authorization value ends',
    parameters: [clientId, ...authorization],
    responses: { 200: { description: 'ended', content: json(answer) }, ...refused },
  });
  registry.registerPath({
    method: 'get',
    path: '/api/pull/{clientId}',
    summary: 'Messages for the device, oldest unread first',
    parameters: [
      clientId,
      {
        in: 'query',
        name: 'batchSize',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 1 },
      },
      ...authorization,
    ],
    responses: {
      200: {
        description: 'at most batchSize messages; removed when the answer was taken whole',
        content: json(answer.extend({ size: z.number().int(), data: z.array(envelope) })),
      },
      ...refused,
      429: { description: 'pulled more than five times in a second' },
    },
  });
  registry.registerPath({
    method: 'post',
    path: '/api/push/{clientId}',
    summary: 'A message from the device; 200 and code 0 mean: on disk',
    parameters: [clientId, ...authorization],
    request: { body: { content: json(envelope) } },
    responses: {
      200: {
        description: 'code 0: stored; code 400: the data does not fit; code 403: from is another device',
        content: json(answer),
      },
      400: { description: 'no JSON object', content: json(answer) },
      ...refused,
      413: { description: 'larger than limits.message_bytes' },
      ...tooMany,
    },
  });
  registry.registerPath({
    method: 'post',
    path: '/api/v2.0/log/{model}/{sn}',
    summary: 'A log record, JSON or text; cut to 4 KB, 20 a second, 10000 a day',
    parameters: [
      { in: 'path', name: 'model', required: true, schema: text },
      { in: 'path', name: 'sn', required: true, schema: text },
      ...authorization,
    ],
    request: {
      body: { content: { 'application/json': { schema: z.unknown() }, 'text/plain': { schema: z.string() } } },
    },
    responses: {
      200: { description: 'stored, or dropped over a limit (msg says so)', content: json(answer) },
      ...refused,
      ...tooMany,
    },
  });
  registry.registerPath({
    method: 'post',
    path: '/api/v1.0/batch/{clientId}',
    summary: 'Records of the devices behind a box below, with rising seq; sending one again is harmless',
    parameters: [
      clientId,
      {
        in: 'header',
        name: 'Batch-Epoch',
        required: false,
        schema: text,
        description: 'random id of the store that numbers the records',
      },
      {
        in: 'header',
        name: 'Content-Encoding',
        required: false,
        schema: { type: 'string', enum: ['zstd', 'gzip', 'identity'] },
      },
      ...authorization,
    ],
    request: { body: { content: { 'application/x-ndjson': { schema: z.string() } } } },
    responses: {
      200: {
        description: 'everything up to acked_seq is committed here',
        content: json(
          answer.extend({
            data: z.object({
              acked_seq: z.number().int(),
              refused: z.array(z.object({ seq: z.number().int(), code: z.number().int(), msg: z.string() })),
            }),
          }),
        ),
      },
      400: { description: 'cannot be unpacked', content: json(answer) },
      ...refused,
      413: { description: 'more than 1000 records or 1 MiB unpacked', content: json(answer) },
      ...tooMany,
    },
  });
  registry.registerPath({
    method: 'post',
    path: '/api/v1.0/batch/{clientId}/status',
    summary: 'How a box below is, for the page Fleet; once a minute',
    parameters: [clientId, ...authorization],
    request: { body: { content: json(boxReport) } },
    responses: {
      200: { description: 'kept, in place of the one before', content: json(answer) },
      400: { description: 'msg names the field that is wrong', content: json(answer) },
      413: { description: 'more than 4 KiB' },
      ...notListed,
      ...refused,
      ...tooMany,
    },
  });
  documentBackups(registry);
}

const whole = z.number().int();
/** As src/platform/box-report.ts reads it. */
const boxReport = z
  .object({
    at: whole.describe('In milliseconds, by the clock of the box'),
    version: z.string(),
    environment: z.string().optional(),
    outbox: z.object({ waiting: whole, oldest_at: whole.nullable(), parked: whole }).optional(),
    disk: z.object({ state: z.string(), used_bytes: whole, free_bytes: whole, low: z.boolean() }).optional(),
    clock_synchronized: z.boolean().nullable().optional(),
    update: z.object({ found: whole, outcome: z.string(), to: z.string(), why: z.string() }).optional(),
    devices: z.object({ known: whole, online: whole, refused: whole }).optional(),
  })
  .openapi('BoxReport');

const backupName = {
  in: 'path' as const,
  name: 'name',
  required: true,
  schema: text,
  description: 'gatehouse-{8 hexadecimal digits}-{time}Z.gh, or its manifest: the same and .json',
};
const notListed = { 403: { description: 'no box that is listed here', content: json(answer) } };

function documentBackups(registry: OpenAPIHono['openAPIRegistry']): void {
  const path = '/api/v1.0/backups/{clientId}';
  registry.registerPath({
    method: 'get',
    path,
    summary: 'The backups of a box below that are kept here, newest first',
    parameters: [clientId, ...authorization],
    responses: {
      200: {
        description: 'received_at in milliseconds, by the clock of this box',
        content: json(
          answer.extend({
            data: z.object({
              files: z.array(z.object({ name: z.string(), bytes: z.number().int(), received_at: z.number().int() })),
            }),
          }),
        ),
      },
      ...notListed,
      ...refused,
    },
  });
  registry.registerPath({
    method: 'get',
    path: `${path}/{name}`,
    summary: 'A backup of a box below, as it was sent, for that box alone',
    parameters: [clientId, backupName, ...authorization],
    responses: {
      200: { description: 'the bytes', content: { 'application/octet-stream': { schema: z.string() } } },
      404: { description: 'there is none of that name', content: json(answer) },
      ...notListed,
      ...refused,
    },
  });
  registry.registerPath({
    method: 'put',
    path: `${path}/{name}`,
    summary: 'Keeps an encrypted backup of a box below; 200 means: whole, and on disk. The oldest ones go',
    parameters: [
      clientId,
      backupName,
      {
        in: 'header',
        name: 'Content-Sha256',
        required: true,
        schema: text,
        description: 'of the body, in hexadecimal digits; what does not fit it is not kept',
      },
      ...authorization,
    ],
    request: { body: { content: { 'application/octet-stream': { schema: z.string() } } } },
    responses: {
      200: { description: 'kept', content: json(answer) },
      400: { description: 'the name, the length or the hash is wrong or missing', content: json(answer) },
      409: { description: 'a manifest whose backup is not here', content: json(answer) },
      413: { description: 'larger than limits.box_backup_bytes', content: json(answer) },
      422: { description: 'not the bytes that were announced: send it again', content: json(answer) },
      429: { description: 'one is being received, or more than 24 in a day', content: json(answer) },
      507: { description: 'there is no room for it; msg says why', content: json(answer) },
      ...notListed,
      ...refused,
    },
  });
}
