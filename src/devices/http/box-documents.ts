import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { described } from '../../words/described.ts';
import { answer, authorization, clientId, json, refused, text, tooMany } from './document-parts.ts';

const whole = z.number().int();
/** As src/platform/box-report.ts reads it. */
const boxReport = z
  .object({
    at: whole.describe(described('In milliseconds, by the clock of the box', '毫秒，按该网关的时钟')),
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
  description: described(
    'gatehouse-{8 hexadecimal digits}-{time}Z.gh, or its manifest: the same and .json',
    'gatehouse-{8 位十六进制}-{时间}Z.gh，或其清单：同名加 .json',
  ),
};
const notListed = {
  403: { description: described('no box that is listed here', '不是这里登记的网关'), content: json(answer) },
};

/** Calls of the boxes below. */
export function documentBoxesBelow(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerPath({
    method: 'post',
    path: '/api/v1.0/batch/{clientId}',
    summary: described(
      'Records of the devices behind a box below, with rising seq; sending one again is harmless',
      '下级网关所接设备的记录，seq 递增；重复发送没有影响',
    ),
    parameters: [
      clientId,
      {
        in: 'header',
        name: 'Batch-Epoch',
        required: false,
        schema: text,
        description: described('random id of the store that numbers the records', '为记录编号的存储的随机标识'),
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
        description: described(
          'everything up to acked_seq is committed here',
          'acked_seq 及之前的记录都已在本网关写入磁盘',
        ),
        content: json(
          answer.extend({
            data: z.object({
              acked_seq: z.number().int(),
              refused: z.array(z.object({ seq: z.number().int(), code: z.number().int(), msg: z.string() })),
            }),
          }),
        ),
      },
      400: { description: described('cannot be unpacked', '无法解压'), content: json(answer) },
      ...refused,
      413: {
        description: described('more than 1000 records or 1 MiB unpacked', '解压后超过 1000 条记录或 1 MiB'),
        content: json(answer),
      },
      ...tooMany,
    },
  });
  registry.registerPath({
    method: 'post',
    path: '/api/v1.0/batch/{clientId}/status',
    summary: described(
      'How a box below is, for the page Fleet; once a minute',
      '下级网关上报自身状况，每分钟一次，显示在“下级网关”页面',
    ),
    parameters: [clientId, ...authorization],
    request: { body: { content: json(boxReport) } },
    responses: {
      200: { description: described('kept, in place of the one before', '已保存，取代之前的'), content: json(answer) },
      400: { description: described('msg names the field that is wrong', 'msg 指出有误的字段'), content: json(answer) },
      413: { description: described('more than 4 KiB', '超过 4 KiB') },
      ...notListed,
      ...refused,
      ...tooMany,
    },
  });
  documentBackups(registry);
}

function documentBackups(registry: OpenAPIHono['openAPIRegistry']): void {
  const path = '/api/v1.0/backups/{clientId}';
  registry.registerPath({
    method: 'get',
    path,
    summary: described(
      'The backups of a box below that are kept here, newest first',
      '本机为一个下级网关保存的备份，新的在前',
    ),
    parameters: [clientId, ...authorization],
    responses: {
      200: {
        description: described(
          'received_at in milliseconds, by the clock of this box',
          'received_at 为毫秒，按本网关的时钟',
        ),
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
    summary: described(
      'A backup of a box below, as it was sent, for that box alone',
      '取回下级网关的一个备份，内容与送来时相同，只给该网关自己',
    ),
    parameters: [clientId, backupName, ...authorization],
    responses: {
      200: {
        description: described('the bytes', '文件内容'),
        content: { 'application/octet-stream': { schema: z.string() } },
      },
      404: { description: described('there is none of that name', '没有这个名称的文件'), content: json(answer) },
      ...notListed,
      ...refused,
    },
  });
  registry.registerPath({
    method: 'put',
    path: `${path}/{name}`,
    summary: described(
      'Keeps an encrypted backup of a box below; 200 means: whole, and on disk. The oldest ones go',
      '保存下级网关的加密备份；200 表示完整且已落盘，最旧的会被删除',
    ),
    parameters: [
      clientId,
      backupName,
      {
        in: 'header',
        name: 'Content-Sha256',
        required: true,
        schema: text,
        description: described(
          'of the body, in hexadecimal digits; what does not fit it is not kept',
          '请求内容的校验值，十六进制；不符的内容不保存',
        ),
      },
      ...authorization,
    ],
    request: { body: { content: { 'application/octet-stream': { schema: z.string() } } } },
    responses: {
      200: { description: described('kept', '已保存'), content: json(answer) },
      400: {
        description: described('the name, the length or the hash is wrong or missing', '名称、长度或校验值错误或缺少'),
        content: json(answer),
      },
      409: {
        description: described('a manifest whose backup is not here', '清单所对应的备份不在这里'),
        content: json(answer),
      },
      413: {
        description: described('larger than limits.box_backup_bytes', '大于 limits.box_backup_bytes'),
        content: json(answer),
      },
      422: {
        description: described('not the bytes that were announced: send it again', '内容与声明的不符：请重新发送'),
        content: json(answer),
      },
      429: {
        description: described('one is being received, or more than 24 in a day', '正在接收另一份，或一天内超过 24 份'),
        content: json(answer),
      },
      507: {
        description: described('there is no room for it; msg says why', '空间不足；原因见 msg'),
        content: json(answer),
      },
      ...notListed,
      ...refused,
    },
  });
}
