import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { appMessage, shortMessage } from './messages/requests.ts';
import { upgradeRecordSchema } from './upgrades/record.ts';

const parameter = (where: 'header' | 'query' | 'path', name: string, description: string, required = true) => ({
  in: where,
  name,
  required,
  schema: { type: 'string' as const },
  description,
});
const query = (name: string, description: string, required = true) => parameter('query', name, description, required);
const path = (name: string, description: string) => parameter('path', name, description);
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
    route: string,
    summary: string,
    parameters: ReturnType<typeof parameter>[],
    data: z.ZodType,
    body?: Record<string, { schema: z.ZodType }>,
  ) =>
    routes.openAPIRegistry.registerPath({
      method,
      path: route,
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
    [path('file_id', 'its id')],
    file,
  );

  const type = z.enum(['BREAK', 'WORK']);
  const days = z.array(z.object({ day: text, name: text, type }));
  register(
    'get',
    '/api/1.0.0/holiday',
    "A year's holidays and make-up workdays of China; the header X-Holiday-Source says whose: site, cloud, built-in, unpublished",
    [query('year', 'this year when absent', false)],
    z.object({ year: z.number().int(), holidays: z.array(z.object({ code: text, name: text, days })) }),
  );
  register(
    'get',
    '/api/1.0.0/holiday/day',
    'What a day is',
    [query('date', 'YYYY-MM-DD; today when absent', false)],
    z.object({ day: text, name: text.describe('empty where no holiday lists it'), type }),
  );
  register(
    'get',
    '/api/1.0.0/weather',
    'The weather now; the headers Age and Observed-At say how old it is',
    [
      query('location', 'adcode, or longitude,latitude; goes before city', false),
      query('city', 'Chinese name or pinyin', false),
    ],
    z.object({
      temp: text.describe('°C'),
      icon_url: text,
      text,
      wind360: text.describe('degrees'),
      humidity: text.describe('%'),
      precip: text.describe('mm'),
      pressure: text.describe('hPa'),
      vis: text.describe('km'),
      cloud: text.describe('%'),
      dew: text.describe('°C'),
    }),
  );
  register(
    'get',
    '/api/1.0.0/tts',
    'Speaks a text',
    [query('text', 'at most 64 characters'), query('mode', '1: a personal name', false)],
    z.object({ origin_str: text, mp3_address: text, url: text.describe('the same') }),
  );
  register('post', '/api/1.0.0/message/app', 'Pushes a message to apps', [], text.describe('the id'), json(appMessage));
  register(
    'get',
    '/api/1.0.0/message/app',
    'What became of pushes',
    [query('msgIdList', 'at most 10 ids, with commas between')],
    z.array(
      z.object({
        msg_id: text,
        title: text,
        body: text,
        payload: z.object({}).loose(),
        android_send: z.number().int(),
        ios_send: z.number().int(),
      }),
    ),
  );
  register(
    'get',
    '/api/1.0.0/message/app/stream',
    'Server-sent events for an app on a device: each push as an event `message`',
    [query('identity', 'who it is'), query('platform', 'android or ios'), query('tags', 'with commas between', false)],
    z.any(),
  );
  register(
    'post',
    '/api/1.0.0/message/short-message',
    'Sends a short message to at most 1000 numbers',
    [],
    text.describe('the id'),
    json(shortMessage),
  );
  register(
    'get',
    '/api/1.0.0/message/short-message',
    'What became of short messages',
    [query('msgIdList', 'at most 10 ids, with commas between')],
    z.object({
      msg_detail_list: z.array(
        z.object({
          msg_id: text,
          body: text,
          mobiles: z.array(text),
          result: z.number().int().describe('0 pending, 1 success, 2 failure'),
        }),
      ),
    }),
  );
  register(
    'get',
    '/api/1.0.0/app-upgrade/{app_code}',
    'The newest version of an app above the one it has; {} when there is none',
    [path('app_code', 'the app'), query('version', '0.0.0 when absent', false)],
    upgradeRecordSchema.partial(),
  );
  register(
    'get',
    '/api/1.0.0/app/page/{app_code}',
    'Versions of an app, the newest first',
    [path('app_code', 'the app'), query('page', 'from 1'), query('size', '1 to 100')],
    z.object({
      page: z.number().int(),
      size: z.number().int(),
      total: z.number().int(),
      total_page: z.number().int(),
      rows: z.array(upgradeRecordSchema),
    }),
  );
}
