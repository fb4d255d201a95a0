import { z } from '@hono/zod-openapi';
import { described } from '../../words/described.ts';

/** Parts that the device gateway's calls in /openapi.json share. */
export const answer = z.object({ code: z.number().int(), msg: z.string() }).openapi('Answer');
export const text = { type: 'string' as const };
export const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
export const authorization = [
  {
    in: 'header' as const,
    name: 'Authorization',
    required: true,
    schema: text,
    description: described('the value that connect answered', 'connect 应答中的值'),
  },
];
export const clientId = {
  in: 'path' as const,
  name: 'clientId',
  required: true,
  schema: text,
  description: described('device id (SPEC 2.2)', '设备 ID（规范 2.2）'),
};
export const refused = {
  406: {
    description: described(
      'the Authorization value is wrong or expired: connect again',
      'Authorization 的值错误或已过期：请重新 connect',
    ),
  },
};
export const tooMany = {
  429: { description: described('too many calls, see Retry-After', '调用过于频繁，见 Retry-After') },
  503: { description: described('the disk is full, see Retry-After', '磁盘已满，见 Retry-After') },
};
