import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type Described, described } from '../words/described.ts';
import { appMessage, shortMessage } from './messages/requests.ts';
import { upgradeRecordSchema } from './upgrades/record.ts';

const parameter = (
  where: 'header' | 'query' | 'path',
  name: string,
  description: Described,
  required = true,
  example?: string,
) => ({
  in: where,
  name,
  required,
  schema: { type: 'string' as const },
  description,
  ...(example === undefined ? {} : { example }),
});
const query = (name: string, description: Described, required = true, example?: string) =>
  parameter('query', name, description, required, example);
const path = (name: string, description: Described, example: string) =>
  parameter('path', name, description, true, example);
const signed = [
  parameter('header', 'app_id', described('who calls', '调用方')),
  parameter(
    'header',
    'timestamp',
    described('now in milliseconds, 13 digits; at most 10 minutes off', '当前时间，13 位毫秒；误差不超过 10 分钟'),
  ),
  parameter(
    'header',
    'nonce',
    described('random, 6 characters; new for each call', '随机的 6 个字符；每次调用都要更换'),
  ),
  parameter(
    'header',
    'sig',
    described(
      'MD5 in lower-case hex over app_id=…&app_key=…&nonce=…&timestamp=…',
      'app_id=…&app_key=…&nonce=…&timestamp=… 的 MD5，小写十六进制',
    ),
  ),
];
const json = (schema: z.ZodType, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});
const answer = (data: z.ZodType) =>
  z.object({ code: z.number().int().describe(described('0: done', '0：成功')), msg: z.string(), data });
const text = z.string();
const file = z.object({
  file_id: text,
  public_url: text.optional(),
  due_time: text.optional().describe(described('milliseconds', '毫秒')),
});

/** The public services' part of /openapi.json. */
export function documentServices(routes: OpenAPIHono): void {
  const register = (
    method: 'get' | 'post',
    route: string,
    summary: Described,
    parameters: ReturnType<typeof parameter>[],
    data: z.ZodType,
    body?: Record<string, { schema: z.ZodType; example?: unknown }>,
  ) =>
    routes.openAPIRegistry.registerPath({
      method,
      path: route,
      tags: ['Public services'],
      summary,
      parameters: [...signed, ...parameters],
      ...(body ? { request: { body: { required: true, content: body } } } : {}),
      responses: {
        200: { description: described('code 0, or why not', 'code 为 0，或失败的原因'), content: json(answer(data)) },
        400: {
          description: described(
            'a header is missing, too old, or the request cannot be read',
            '缺少请求头，或其时间过早，或请求无法解析',
          ),
        },
        401: {
          description: described('wrong sig, or an app_id that is not authorized', 'sig 错误，或 app_id 未获授权'),
        },
      },
    });
  register(
    'post',
    '/api/v1.0.0/file',
    described('Stores a file of at most 500 MiB', '保存文件，最大 500 MiB'),
    [
      query('client', described('who uploads', '上传方'), true, 'A0001'),
      parameter('query', 'public', described('true: with a public link', 'true：生成公开链接'), false),
      parameter('query', 'https', described('false: the link is one without TLS', 'false：链接不使用 TLS'), false),
      parameter(
        'query',
        'expire',
        described(
          'milliseconds from now, at most 6 months; absent: kept',
          '从现在起的毫秒数，最多 6 个月；缺省为一直保存',
        ),
        false,
      ),
      parameter(
        'query',
        'name',
        described('needed for application/octet-stream', '内容类型为 application/octet-stream 时必填'),
        false,
        'note.txt',
      ),
    ],
    file,
    {
      'application/octet-stream': { schema: z.any(), example: 'The canteen is closed today.' },
      'multipart/form-data': { schema: z.object({ file: z.any() }) },
    },
  );
  register(
    'get',
    '/api/v1.0.0/file/{file_id}',
    described('A file of this app, or a public one', '本应用的文件或公开的文件'),
    [path('file_id', described('its id', '其标识'), '0123456789abcdef')],
    file,
  );

  const type = z.enum(['BREAK', 'WORK']);
  const days = z.array(z.object({ day: text, name: text, type }));
  register(
    'get',
    '/api/1.0.0/holiday',
    described(
      "A year's holidays and make-up workdays of China; the header X-Holiday-Source says whose: site, cloud, built-in, unpublished",
      '中国某年的节假日和调休上班日；响应头 X-Holiday-Source 说明来源：site、cloud、built-in、unpublished',
    ),
    [query('year', described('this year when absent', '缺省为今年'), false)],
    z.object({ year: z.number().int(), holidays: z.array(z.object({ code: text, name: text, days })) }),
  );
  register(
    'get',
    '/api/1.0.0/holiday/day',
    described('What a day is', '某天的性质'),
    [query('date', described('YYYY-MM-DD; today when absent', 'YYYY-MM-DD；缺省为今天'), false, '2026-10-01')],
    z.object({
      day: text,
      name: text.describe(described('empty where no holiday lists it', '不属于任何节假日安排时为空')),
      type,
    }),
  );
  register(
    'get',
    '/api/1.0.0/weather',
    described(
      'The weather now; the headers Age and Observed-At say how old it is',
      '当前天气；响应头 Age 和 Observed-At 说明其时效',
    ),
    [
      query(
        'location',
        described('adcode, or longitude,latitude; goes before city', 'adcode，或“经度,纬度”；优先于 city'),
        false,
      ),
      query('city', described('Chinese name or pinyin', '中文名或拼音'), false, 'Shanghai'),
    ],
    z.object({
      temp: text.describe(described('°C', '摄氏度')),
      icon_url: text,
      text,
      wind360: text.describe(described('degrees', '度')),
      humidity: text.describe(described('%', '百分比')),
      precip: text.describe(described('mm', '毫米')),
      pressure: text.describe(described('hPa', '百帕')),
      vis: text.describe(described('km', '公里')),
      cloud: text.describe(described('%', '百分比')),
      dew: text.describe(described('°C', '摄氏度')),
    }),
  );
  register(
    'get',
    '/api/1.0.0/tts',
    described('Speaks a text', '把文字转为语音'),
    [
      query('text', described('at most 64 characters', '最多 64 个字符'), true, '你好'),
      query('mode', described('1: a personal name', '1：人名'), false),
    ],
    z.object({ origin_str: text, mp3_address: text, url: text.describe(described('the same', '同上')) }),
  );
  register(
    'post',
    '/api/1.0.0/message/app',
    described('Pushes a message to apps', '向应用推送消息'),
    [],
    text.describe(described('the id', '标识')),
    json(appMessage, {
      content: { template: 'late', template_params: { name: 'Li Mei' } },
      platforms: ['android'],
      target: { tags: ['all'] },
    }),
  );
  register(
    'get',
    '/api/1.0.0/message/app',
    described('What became of pushes', '推送的结果'),
    [query('msgIdList', described('at most 10 ids, with commas between', '最多 10 个标识，用逗号分隔'), true, 'm1,m2')],
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
    described(
      'Server-sent events for an app on a device: each push as an event `message`',
      '供设备上的应用接收的实时事件（server-sent events）：每次推送为一个 `message` 事件',
    ),
    [
      query('identity', described('who it is', '是谁'), true, 'panel-1'),
      query('platform', described('android or ios', 'android 或 ios'), true, 'android'),
      query('tags', described('with commas between', '用逗号分隔'), false),
    ],
    z.any(),
  );
  register(
    'post',
    '/api/1.0.0/message/short-message',
    described('Sends a short message to at most 1000 numbers', '发送短信，最多 1000 个号码'),
    [],
    text.describe(described('the id', '标识')),
    json(shortMessage, {
      content: { template: 'late', template_params: { name: 'Li Mei' } },
      target: [{ mobile: '13800000000', mobile_region: '86' }],
    }),
  );
  register(
    'get',
    '/api/1.0.0/message/short-message',
    described('What became of short messages', '短信的发送结果'),
    [query('msgIdList', described('at most 10 ids, with commas between', '最多 10 个标识，用逗号分隔'), true, 'm1,m2')],
    z.object({
      msg_detail_list: z.array(
        z.object({
          msg_id: text,
          body: text,
          mobiles: z.array(text),
          result: z.number().int().describe(described('0 pending, 1 success, 2 failure', '0 处理中，1 成功，2 失败')),
        }),
      ),
    }),
  );
  register(
    'get',
    '/api/1.0.0/app-upgrade/{app_code}',
    described(
      'The newest version of an app above the one it has; {} when there is none',
      '应用的最新版本（高于其现有版本）；没有时为 {}',
    ),
    [
      path('app_code', described('the app', '应用'), 'panel'),
      query('version', described('0.0.0 when absent', '缺省为 0.0.0'), false, '1.0.0'),
    ],
    upgradeRecordSchema.partial(),
  );
  register(
    'get',
    '/api/1.0.0/app/page/{app_code}',
    described('Versions of an app, the newest first', '应用的各个版本，最新的在前'),
    [
      path('app_code', described('the app', '应用'), 'panel'),
      query('page', described('from 1', '从 1 开始'), true, '1'),
      query('size', described('1 to 100', '1 到 100'), true, '10'),
    ],
    z.object({
      page: z.number().int(),
      size: z.number().int(),
      total: z.number().int(),
      total_page: z.number().int(),
      rows: z.array(upgradeRecordSchema),
    }),
  );
}
