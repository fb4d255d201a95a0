import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { described } from '../../words/described.ts';
import { documentBoxesBelow } from './box-documents.ts';
import { answer, authorization, clientId, json, refused, text, tooMany } from './document-parts.ts';

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

/** The device gateway's part of /openapi.json. */
export function documentDeviceGateway(routes: OpenAPIHono): void {
  const { openAPIRegistry: registry } = routes;
  registry.registerPath({
    method: 'post',
    path: '/api/connect/{clientId}',
    summary: described('Log a device in (SPEC 4.2, 5.2)', '设备登录（规范 4.2、5.2）'),
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
      200: {
        description: described('admitted; empty body', '已允许接入；应答内容为空'),
        headers: { Authorization: { schema: text } },
      },
      400: { description: described('the body is no JSON object', '请求内容不是 JSON 对象'), content: json(answer) },
      406: { description: described('authentication failed', '身份验证失败') },
    },
  });
  registry.registerPath({
    method: 'get',
    path: '/api/disconnect/{clientId}',
    summary: described('Go offline on purpose: the Authorization value ends', '主动下线，Authorization 的值随即失效'),
    parameters: [clientId, ...authorization],
    responses: { 200: { description: described('ended', '已结束'), content: json(answer) }, ...refused },
  });
  registry.registerPath({
    method: 'get',
    path: '/api/pull/{clientId}',
    summary: described('Messages for the device, oldest unread first', '设备的消息，最早的未读消息在前'),
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
        description: described(
          'at most batchSize messages; removed when the answer was taken whole',
          '最多 batchSize 条消息；应答被完整取走后删除',
        ),
        content: json(answer.extend({ size: z.number().int(), data: z.array(envelope) })),
      },
      ...refused,
      429: { description: described('pulled more than five times in a second', '一秒内取了五次以上') },
    },
  });
  registry.registerPath({
    method: 'post',
    path: '/api/push/{clientId}',
    summary: described(
      'A message from the device; 200 and code 0 mean: on disk',
      '设备的消息；200 且 code 为 0 表示已写入磁盘',
    ),
    parameters: [clientId, ...authorization],
    request: { body: { content: json(envelope) } },
    responses: {
      200: {
        description: described(
          'code 0: stored; code 400: the data does not fit; code 403: from is another device',
          'code 0：已保存；code 400：数据不符合要求；code 403：from 是另一台设备',
        ),
        content: json(answer),
      },
      400: { description: described('no JSON object', '不是 JSON 对象'), content: json(answer) },
      ...refused,
      413: { description: described('larger than limits.message_bytes', '大于 limits.message_bytes') },
      ...tooMany,
    },
  });
  registry.registerPath({
    method: 'post',
    path: '/api/v2.0/log/{model}/{sn}',
    summary: described(
      'A log record, JSON or text; cut to 4 KB, 20 a second, 10000 a day',
      '一条日志，JSON 或文本；截短到 4 KB，每秒 20 条，每天 10000 条',
    ),
    parameters: [
      { in: 'path', name: 'model', required: true, schema: text },
      { in: 'path', name: 'sn', required: true, schema: text },
      ...authorization,
    ],
    request: {
      body: { content: { 'application/json': { schema: z.unknown() }, 'text/plain': { schema: z.string() } } },
    },
    responses: {
      200: {
        description: described('stored, or dropped over a limit (msg says so)', '已保存，或因超过限制而丢弃（见 msg）'),
        content: json(answer),
      },
      ...refused,
      ...tooMany,
    },
  });
  documentBoxesBelow(registry);
}
