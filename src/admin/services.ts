import { z } from '@hono/zod-openapi';
import { operation } from './operation.ts';
import { refusedCallShape } from './shapes.ts';

export const servicesReport = z.object({
  waiting: z
    .object({ files: z.number(), messages: z.number(), refused: z.number() })
    .describe('What the cloud has yet to be given, and what it refused'),
  refused_calls: z
    .array(z.object({ ...refusedCallShape, app_id: z.string() }))
    .describe('Newest first; empty where the box does not run'),
});

export const serviceOperations = {
  report: operation({
    method: 'get',
    path: '/services',
    role: 'viewer',
    summary:
      'What the public services have for the cloud, and calls whose signature was refused, with the string that should have been signed',
    returns: 'The report',
    answer: servicesReport,
  }),
};
