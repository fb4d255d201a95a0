import { z } from '@hono/zod-openapi';
import { lineLevels, type RecentLines } from '../runtime/recent-lines.ts';
import { described } from '../words/described.ts';
import { logText } from '../words/log/messages.ts';
import { operation, type Report, type Running, resource } from './operation.ts';
import { sentenceShape } from './problem.ts';

const recentLine = z.object({
  no: z.number().describe(described('From 1, rising', '从 1 开始递增')),
  at: z.number(),
  level: z.enum(lineLevels),
  part: z
    .string()
    .describe(described('Which part of the box says it; empty: the box itself', '网关的哪个部分；空：网关本身')),
  message: z.string().describe(described('In English', '英文内容')),
  ...sentenceShape,
  fields: z.array(z.string()).describe(described('What goes with it, `name=value` each', '附带的值，每个为 `名称=值`')),
});
const report = z.object({
  lines: z.array(recentLine).describe(described('Newest first', '最新的在前')),
});
export type SystemLogReport = Report<typeof report>;

const systemLogOperations = {
  last: operation({
    method: 'get',
    path: '/ui/system-log',
    role: 'viewer',
    summary: described(
      'The last 500 lines that the box itself has said since it was started, newest first',
      '网关启动以来的最后 500 条日志，最新的在前',
    ),
    query: z.object({
      level: z.enum(lineLevels).default('info'),
      after: z.coerce.number<number>().int().nonnegative().optional(),
    }),
    returns: described('The lines', '各行'),
    answer: report,
  }),
};

const systemLogAdmin = ({ systemLog }: { readonly systemLog: RecentLines }): Running<typeof systemLogOperations> => ({
  last: async ({ level, after }) => ({
    lines: systemLog
      .list({ level, ...(after === undefined ? {} : { after }) })
      .map(line => ({ ...line, message: logText(line.code, line.params) })),
  }),
});

/** Log of the box itself, as long as it runs. */
export const systemLogResource = resource(systemLogOperations, systemLogAdmin);
