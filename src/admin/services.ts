import { z } from '@hono/zod-openapi';
import type { Services } from '../services/index.ts';
import type { MessageReads, ReadPart } from '../store/index.ts';
import { described } from '../words/described.ts';
import { operation, resource } from './operation.ts';
import { refusedCallOf, refusedCallShape } from './shapes.ts';

export const servicesReport = z.object({
  waiting: z
    .object({ files: z.number(), messages: z.number(), refused: z.number() })
    .describe(
      described('What the cloud has yet to be given, and what it refused', '尚待发送给云平台的，以及被其拒绝的'),
    ),
  refused_calls: z
    .array(z.object({ ...refusedCallShape, app_id: z.string() }))
    .describe(described('Newest first; empty where the box does not run', '最新的在前；网关未运行时为空')),
  marked_calls: z
    .array(
      z.object({
        at: z.number(),
        address: z.string(),
        path: z.string(),
        app_id: z.string(),
        mistake: z
          .string()
          .describe(
            described('What `message` says, as a word for a page', '`message` 所说的内容，以一个词表示，供网页使用'),
          ),
        message: z.string().describe(described('The mistake and the remedy', '错误及处理办法')),
        count: z.number(),
      }),
    )
    .describe(
      described(
        'Calls that were taken although something is wrong with them. Newest first; empty where the box does not run',
        '有错误但被接受的调用。最新的在前；网关未运行时为空',
      ),
    ),
});

const serviceOperations = {
  report: operation({
    method: 'get',
    path: '/services',
    role: 'viewer',
    summary: described(
      'What the public services have for the cloud, and calls whose signature was refused, with the string that should have been signed',
      '公共服务等待发送给云平台的内容，以及签名被拒绝的调用和应当签名的文本',
    ),
    returns: described('The report', '报告'),
    answer: servicesReport,
  }),
};

export const servicesResource = resource(
  serviceOperations,
  ({ services }: { readonly services: Services }) => ({
    report: async () => ({
      waiting: await services.waiting(),
      refused_calls: services.refusedCalls().map(one => ({ ...refusedCallOf(one), app_id: one.caller })),
      marked_calls: services.markedCalls(),
    }),
  }),
  ({ store }: { readonly store: ReadPart<MessageReads> }) => ({
    report: async () => ({ waiting: await store.read.servicesWaiting(), refused_calls: [], marked_calls: [] }),
  }),
);
